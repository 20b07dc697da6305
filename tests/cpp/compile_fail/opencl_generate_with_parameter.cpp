// SPDX-License-Identifier: Apache-2.0
// On a device, generate needs a function without parameters.
// expect: makes_values_on_device
#include <vector>

#include "pointsman/algorithm/generate.hpp"

POINTSMAN_FUNCTION(float, twice, (float x), { return 2 * x; });
POINTSMAN_FUNCTION(float, two, (), { return 2; });

int main() {
    std::vector<float> x(3);
#ifdef POINTSMAN_BAD
    pointsman::generate(pointsman::execution::opencl_default, x.begin(), x.end(), twice);
#else
    if (x.empty()) {
        pointsman::generate(pointsman::execution::opencl_default, x.begin(), x.end(), two);
    }
    pointsman::generate(pointsman::execution::par, x.begin(), x.end(),
                        [n = 0]() mutable { return n++; });
#endif
}
