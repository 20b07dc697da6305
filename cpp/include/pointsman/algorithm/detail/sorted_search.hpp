// SPDX-License-Identifier: Apache-2.0
// Which search for a value in a sorted range an algorithm does.
#pragma once

namespace pointsman::detail {

/// What a search returns: the number of elements before the value, the number that are not after it, or
/// whether one is equivalent to it.
enum class sorted_search : unsigned char { lower_bound, upper_bound, binary_search };

}  // namespace pointsman::detail
