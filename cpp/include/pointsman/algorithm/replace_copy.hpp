// SPDX-License-Identifier: Apache-2.0
// Copies a range with a new value in place of those that equal an old one.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/map.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Copies the values of [`first`, `last`) to the range beginning at `out`, with `new_value` in place of
/// each that equals `old_value`, and returns the end of the output, which must not overlap the input.
/// Otherwise like `replace_copy_if`.
template <execution::host_policy P, class In, class Out, class T>
Out replace_copy(const P& policy, In first, In last, Out out, const T& old_value,
                 const T& new_value) {
    return detail::write_in_blocks(
        policy, first, last, out, [&](const auto& standard, In begin, In end, Out to) {
            return std::replace_copy(standard, begin, end, to, old_value, new_value);
        });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out, device_value T>
Out replace_copy(const P& policy, In first, In last, Out out, const T& old_value,
                 const T& new_value) {
    using read = detail::iterated_t<In>;
    using both = detail::compared_t<read, T>;
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) {
        return out;
    }
    const auto values =
        detail::side_by_side(static_cast<both>(old_value), static_cast<both>(new_value));
    const opencl::kernel_argument constant{values};
    return detail::map_by_expression(
        policy.queue(), count, out, first,
        [] {
            using written = detail::iterated_t<Out>;
            using same = detail::called_t<equal_to, read, both>;
            return detail::engine::expression{
                same::opencl_source(),
                {detail::engine::element_of<read>()},
                detail::chosen_text<written>(
                    detail::call_of<same>("v0", detail::text_beside<both>(0)),
                    detail::as_text<both, written>(detail::text_beside<both>(1)),
                    detail::as_text<read, written>("v0")),
                "result",
                detail::engine::element_of<detail::two_of_t<both>>()};
        },
        {&constant, 1});
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(replace_copy);

}  // namespace pointsman
