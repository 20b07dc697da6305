// SPDX-License-Identifier: Apache-2.0
// Calls a function with each value of a range; the function may modify the values in place.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/map.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// A `device_function` that takes the address of a `T`, or of a POINTSMAN_STRUCT made of the tuple `T`, and modifies
/// the value there. OpenCL C has no references, so changes to a parameter passed by value would be lost.
template <class F, class T>
concept changes_at_address =
    device_function<F> && (std::invocable<const F&, T*> || detail::changes_struct_of<F, T>);

/// Calls `f` with each value of [`first`, `last`), or with its address if `f` takes a pointer; `f` may
/// modify the value. Blocks until complete.
///
/// Under a `device_policy`, `f` is a `device_function` that takes the address, and values are integers,
/// `float`, `double` or `half`, or tuples of these.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `f` ends the program, as the standard requires.
/// **Example**: `POINTSMAN_FUNCTION(void, halve, (float* x), { *x /= 2; })`, and on the next line
/// `pointsman::for_each(policy, x.begin(), x.end(), halve);`
template <execution::host_policy P, class It, class F>
void for_each(const P& policy, It first, It last, F f) {
    const auto call_block = [&](const auto& standard, It begin, It end) {
        if constexpr (std::invocable<F&, std::iter_reference_t<It>>) {
            std::for_each(standard, begin, end, f);
        } else if constexpr (detail::changes_struct_of<F, std::iter_value_t<It>>) {
            std::for_each(standard, begin, end, [&f](auto&& value) {
                detail::changed_struct_t<F> changed = value;
                f(&changed);
                value = changed;
            });
        } else {
            std::for_each(standard, begin, end, [&f](auto& value) { f(std::addressof(value)); });
        }
    };
    if constexpr (detail::shared_elements<It>) {
        detail::in_blocks(policy, first, last, call_block);
    } else {
        detail::in_blocks(detail::in_calling_thread(policy), first, last, call_block);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, changes_at_address<detail::iterated_t<It>> F>
void for_each(const P& policy, It first, It last, F) {
    if (first != last) {
        detail::change_on_device<F>(policy.queue(), first, static_cast<std::size_t>(last - first));
    }
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(for_each);

}  // namespace pointsman
