// SPDX-License-Identifier: Apache-2.0
// Sorts need random access iterators.
// expect: sort needs random access iterators: copy the values into a std::vector and sort that
#define POINTSMAN_WITHOUT_OPENCL
#include <list>
#include <vector>

#include "pointsman/algorithm/sort.hpp"

int main() {
#ifdef POINTSMAN_BAD
    std::list<int> x{2, 1};
#else
    std::vector<int> x{2, 1};
#endif
    pointsman::sort(pointsman::execution::par, x.begin(), x.end());
}
