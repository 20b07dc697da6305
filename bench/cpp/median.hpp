// SPDX-License-Identifier: Apache-2.0
// The middle value of a set of measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

/// Returns the upper of the two middle values if the count is even. Needs at least one value.
template <class T>
[[nodiscard]] T median(std::vector<T> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace bench
