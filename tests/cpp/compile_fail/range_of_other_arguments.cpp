// SPDX-License-Identifier: Apache-2.0
// An algorithm of ranges says what it takes.
// expect: the algorithm does not take these arguments: after the policy, pass a range,
// expect: and then what the algorithm for iterators takes
#include <vector>

#include "pointsman/algorithm/ranges.hpp"

int main() {
    std::vector<int> x(3);
#ifdef POINTSMAN_BAD
    pointsman::ranges::sort(pointsman::execution::seq, x, x.begin(), x.end(), 1);
#else
    pointsman::ranges::sort(pointsman::execution::seq, x);
#endif
}
