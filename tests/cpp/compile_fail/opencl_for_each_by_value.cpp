// SPDX-License-Identifier: Apache-2.0
// On a device, for_each needs functions that take an address.
// expect: changes_at_address
#include <vector>

#include "pointsman/algorithm/for_each.hpp"

POINTSMAN_FUNCTION(float, halved, (float x), { return x / 2; });
POINTSMAN_FUNCTION(void, halve, (float* x), { *x /= 2; });

int main() {
    std::vector<float> x(3);
#ifdef POINTSMAN_BAD
    pointsman::for_each(pointsman::execution::opencl_default, x.begin(), x.end(), halved);
#else
    if (x.empty()) {
        pointsman::for_each(pointsman::execution::opencl_default, x.begin(), x.end(), halve);
    }
    pointsman::for_each(pointsman::execution::par, x.begin(), x.end(), halved);
#endif
}
