// SPDX-License-Identifier: Apache-2.0
// An algorithm does not return an iterator of a range that is gone.
// expect: the result would be an iterator of a temporary range: give it a name
#include <vector>

#include "pointsman/algorithm/ranges.hpp"

int main() {
    std::vector<int> x(3);
#ifdef POINTSMAN_BAD
    pointsman::ranges::find(pointsman::execution::seq, std::vector<int>(3), 1);
#else
    pointsman::ranges::find(pointsman::execution::seq, x, 1);
#endif
}
