// SPDX-License-Identifier: Apache-2.0
// Copies the values that satisfy a predicate and keeps their order, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/compaction.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/compaction.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Copies the values of [`first`, `last`) for which `predicate` holds, in their order, to the range
/// beginning at `out`, which must not overlap the input, and returns the end of the output. Blocks until
/// complete. `predicate` must not depend on what has been written: values are tested some time before.
///
/// Under a `device_policy`, `predicate` is a `device_function` and values are integers, `float`, `double` or
/// `half`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `predicate` ends the program, as the standard requires.
template <execution::host_policy P, class In, class Out, class Predicate>
Out copy_if(const P& policy, In first, In last, Out out, Predicate predicate) {
    if constexpr (detail::iterator_of_small_values<In>) {
        return detail::copy_kept(policy, first, last, out, predicate);
    } else {
        return detail::with_standard<Out>(
            policy, std::pair{first, last}, [&](const auto& standard) {
                return std::copy_if(standard, first, last, out, predicate);
            });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out,
          device_function Predicate>
Out copy_if(const P& policy, In first, In last, Out out, Predicate) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? out : detail::copy_selected(policy.queue(), first, count, out, [] {
        return detail::expression_of<Predicate, detail::iterated_t<In>>();
    });
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(copy_if);

}  // namespace pointsman
