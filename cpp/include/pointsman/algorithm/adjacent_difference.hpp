// SPDX-License-Identifier: Apache-2.0
// Writes the differences of neighbours, or another function of them.
#pragma once

#include <cstddef>
#include <iterator>
#include <numeric>
#include <string>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/transform.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/map.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Writes the first value of [`first`, `last`), and for each later one `f(value, value in front of it)`, to
/// the range beginning at `out`, which must not overlap the input, and returns the end of the output.
/// Blocks until complete.
///
/// Under a `device_policy`, `f` is a `device_function` and values are integers, `float`, `double` or
/// `half`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `f` ends the program, as the standard requires.
template <execution::host_policy P, class In, class Out, class F>
Out adjacent_difference(const P& policy, In first, In last, Out out, F f) noexcept {
    if constexpr (detail::is_parallel_v<P> && detail::indexed_iterator<In> &&
                  detail::shared_output<Out>) {
        if (first == last) {
            return out;
        }
        *out = *first;
        return pointsman::transform(policy, first + 1, last, first, out + 1, f);
    } else {
        return std::adjacent_difference(detail::standard_alone(policy), first, last, out, f);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out, device_function F>
Out adjacent_difference(const P& policy, In first, In last, Out out, F) {
    const auto count = static_cast<std::size_t>(last - first);
    const auto make = [] {
        using value = detail::iterated_t<In>;
        using written = detail::iterated_t<Out>;
        using function = detail::called_t<F, value, value>;
        const std::string here = detail::value_at<value>("v0", "i");
        const std::string call =
            detail::call_of<function>(here, detail::value_at<value>("v0", "i - 1"));
        return detail::engine::expression{
            function::opencl_source(),
            {detail::engine::element_of<value>()},
            detail::chosen_text<written>("i == 0", detail::as_text<value, written>(here),
                                         detail::returned_as_text<written, F, value, value>(call)),
            "result",
            {},
            true};
    };
    return count == 0 ? out
                      : detail::map_by_expression<detail::stored_values>(policy.queue(), count, out,
                                                                         first, make);
}
#endif

/// Writes differences: like `adjacent_difference` above, with `minus` as `f`.
template <execution::placing_policy P, class In, class Out>
Out adjacent_difference(const P& policy, In first, In last, Out out) {
    return pointsman::adjacent_difference(policy, first, last, out, minus{});
}

POINTSMAN_TAKES_AUTO_POLICY(adjacent_difference);

}  // namespace pointsman
