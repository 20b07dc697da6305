// SPDX-License-Identifier: Apache-2.0
// Copies a range with a new value in place of those that satisfy a predicate.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/map.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Copies the values of [`first`, `last`) to the range beginning at `out`, with `new_value` in place of
/// each for which `predicate` holds, and returns the end of the output, which must not overlap the input.
/// Blocks until complete.
///
/// Under a `device_policy`, `predicate` is a `device_function` and values are integers, `float`, `double`
/// or `half`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `predicate` ends the program, as the standard requires.
template <execution::host_policy P, class In, class Out, class Predicate, class T>
Out replace_copy_if(const P& policy, In first, In last, Out out, Predicate predicate,
                    const T& new_value) {
    return detail::write_in_blocks(
        policy, first, last, out, [&](const auto& standard, In begin, In end, Out to) {
            return std::replace_copy_if(standard, begin, end, to, predicate, new_value);
        });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out,
          device_function Predicate, device_value T>
Out replace_copy_if(const P& policy, In first, In last, Out out, Predicate, const T& new_value) {
    using written = detail::iterated_t<Out>;
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) {
        return out;
    }
    const auto replacement = static_cast<written>(new_value);
    const opencl::kernel_argument constant{replacement};
    return detail::map_by_expression(
        policy.queue(), count, out, first,
        [] {
            using read = detail::iterated_t<In>;
            using function = detail::called_t<Predicate, read>;
            return detail::engine::expression{
                function::opencl_source(),
                {detail::engine::element_of<read>()},
                detail::chosen_text<written>(detail::call_of<function>("v0"), "constant_value",
                                             detail::as_text<read, written>("v0")),
                "result",
                detail::engine::element_of<written>()};
        },
        {&constant, 1});
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(replace_copy_if);

}  // namespace pointsman
