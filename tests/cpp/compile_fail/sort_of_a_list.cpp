// SPDX-License-Identifier: Apache-2.0
// Sorts need iterators by which values are found by their place.
// expect: sort needs random access iterators: copy the values into a std::vector and sort that
#define FAIRLEAD_WITHOUT_OPENCL
#include <list>
#include <vector>

#include "fairlead/algorithm/sort.hpp"

int main() {
#ifdef FAIRLEAD_BAD
    std::list<int> x{2, 1};
#else
    std::vector<int> x{2, 1};
#endif
    fairlead::sort(fairlead::execution::par, x.begin(), x.end());
}
