// SPDX-License-Identifier: Apache-2.0
// Finds the end of the longest beginning of a range that is a heap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/search.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns the end of the longest beginning of [`first`, `last`) that is a heap: at an index `i` of 1 or
/// more is no value that `compare` orders after the one at index (`i` - 1) / 2. Otherwise like `find_if`.
template <execution::host_policy P, class It, class Compare>
It is_heap_until(const P& policy, It first, It last, Compare compare) noexcept {
    const auto children = std::max<std::ptrdiff_t>(last - first - 1, 0);
    const auto in_order = detail::first_index(policy, children, [&](std::ptrdiff_t i) -> bool {
        return std::invoke(compare, first[i / 2], first[i + 1]);
    });
    return in_order == children ? last : first + (in_order + 1);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Compare>
It is_heap_until(const P& policy, It first, It last, Compare) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count < 2) {
        return last;
    }
    const opencl::queue where = policy.queue();
    return first + opencl::detail::translated([&] {
               const auto values = detail::input_values(where, first, count);
               const detail::engine::array arrays[] = {detail::array_from(values)};
               return static_cast<std::ptrdiff_t>(
                   1 + detail::find_index(where, count - 1, arrays, [] {
                       using value = detail::iterated_t<It>;
                       using function = detail::called_t<Compare, value, value>;
                       return detail::engine::expression{
                           function::opencl_source(),
                           {detail::engine::element_of<value>()},
                           "",
                           detail::call_of<function>(detail::value_at<value>("v0", "i / 2"),
                                                     detail::value_at<value>("v0", "i + 1")),
                           {},
                           true};
                   }));
           });
}
#endif

/// Like `is_heap_until` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
It is_heap_until(const P& policy, It first, It last) {
    return pointsman::is_heap_until(policy, first, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(is_heap_until);

}  // namespace pointsman
