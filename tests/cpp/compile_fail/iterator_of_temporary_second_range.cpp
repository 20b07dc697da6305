// SPDX-License-Identifier: Apache-2.0
// An algorithm does not return an iterator of a second range that is gone.
// expect: the result would be an iterator of a temporary range: give it a name
#include <vector>

#include "pointsman/algorithm/ranges.hpp"

int main() {
    std::vector<int> x(3);
    std::vector<int> y(3);
#ifdef POINTSMAN_BAD
    pointsman::ranges::mismatch(pointsman::execution::seq, x, std::vector<int>(3));
#else
    pointsman::ranges::mismatch(pointsman::execution::seq, x, y);
#endif
}
