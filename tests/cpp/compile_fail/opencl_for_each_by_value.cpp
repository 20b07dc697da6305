// SPDX-License-Identifier: Apache-2.0
// On a device, for_each takes functions that take an address.
// expect: changes_at_address
#include <vector>

#include "fairlead/algorithm/for_each.hpp"

FAIRLEAD_FUNCTION(float, halved, (float x), { return x / 2; });
FAIRLEAD_FUNCTION(void, halve, (float* x), { *x /= 2; });

int main() {
    std::vector<float> x(3);
#ifdef FAIRLEAD_BAD
    fairlead::for_each(fairlead::execution::opencl_default, x.begin(), x.end(), halved);
#else
    if (x.empty()) {
        fairlead::for_each(fairlead::execution::opencl_default, x.begin(), x.end(), halve);
    }
    fairlead::for_each(fairlead::execution::par, x.begin(), x.end(), halved);
#endif
}
