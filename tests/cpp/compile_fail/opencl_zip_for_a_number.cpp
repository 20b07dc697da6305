// SPDX-License-Identifier: Apache-2.0
// A device calls functions with the tuple of a zip_iterator as one struct.
// expect: a device calls the function with a tuple of a zip_iterator: declare its parameter as a
// expect: POINTSMAN_STRUCT of as many numbers
#include <vector>

#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/zip_iterator.hpp"
#include "pointsman/execution/device_policy.hpp"

POINTSMAN_STRUCT(counted_row, {
    int x;
    float y;
});
#ifdef POINTSMAN_BAD
POINTSMAN_FUNCTION(bool, is_counted_row, (int row), { return row > 0; });
#else
POINTSMAN_FUNCTION(bool, is_counted_row, (counted_row row), { return row.x > row.y; });
#endif

int main() {
    std::vector<int> x(3);
    std::vector<float> y(3);
    const pointsman::zip_iterator first{x.begin(), y.begin()};
    const auto run = [&](const pointsman::execution::device_policy<>& policy) {
        return pointsman::count_if(policy, first, first + 3, is_counted_row);
    };
    static_cast<void>(run);
}
