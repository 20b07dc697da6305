// SPDX-License-Identifier: Apache-2.0
// A device sorts by functions of two values, which are structs if the iterator is a zip_iterator.
// expect: a device sorts by a function that takes two of the values and returns bool; the values of a zip_iterator
// expect: are each a POINTSMAN_STRUCT of as many numbers: declare such a POINTSMAN_FUNCTION
#include <vector>

#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/nth_element.hpp"
#include "pointsman/algorithm/zip_iterator.hpp"
#include "pointsman/execution/device_policy.hpp"

POINTSMAN_STRUCT(sorted_row, {
    int x;
    float y;
});
#ifdef POINTSMAN_BAD
POINTSMAN_FUNCTION(float, order_of_rows, (sorted_row row), { return row.y; });
#else
POINTSMAN_FUNCTION(bool, order_of_rows, (sorted_row a, sorted_row b), { return a.y < b.y; });
#endif

int main() {
    std::vector<int> x(3);
    std::vector<float> y(3);
    const pointsman::zip_iterator first{x.begin(), y.begin()};
    const auto run = [&](const pointsman::execution::device_policy<>& policy) {
        pointsman::nth_element(policy, first, first + 1, first + 3, order_of_rows);
    };
    static_cast<void>(run);
}
