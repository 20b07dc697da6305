// SPDX-License-Identifier: Apache-2.0
// Prefix sums, or other folds, of the results of a function.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/scan.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/scan.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// For each value of [`first`, `last`), writes the fold by `f` of `initial` (if given) and `g(x)` for all
/// `x` up to and including it to the range beginning at `out`, which may be the input range, and returns
/// the end of the output. `f` must be associative, up to rounding. The results of `g` and `f` are
/// converted to the type of `initial`, or without it to the type that `g` returns, and then to the type
/// of the output. Blocks until complete. Iterators that are not random access are traversed in the
/// calling thread, under every policy.
///
/// Under a `device_policy`, `f` and `g` are each a `device_function`, and the type of the fold is an
/// integer, `float`, `double` or `half`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from a function ends the program, as the standard requires.
template <execution::host_policy P, class In, class Out, class F, class G, class T>
Out transform_inclusive_scan(const P&, In first, In last, Out out, F f, G g, T initial) {
    return detail::scan_on_host<P>(first, last, out, f, g, std::optional<T>{initial},
                                   detail::scan_kind::inclusive);
}
template <execution::host_policy P, class In, class Out, class F, class G>
Out transform_inclusive_scan(const P&, In first, In last, Out out, F f, G g) {
    using sum = typename detail::scanned<In, G>::type;
    return detail::scan_on_host<P>(first, last, out, f, g, std::optional<sum>{},
                                   detail::scan_kind::inclusive);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out, device_function F,
          device_function G, device_value T>
Out transform_inclusive_scan(const P& policy, In first, In last, Out out, F, G, T initial) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? out
                      : detail::scan_on_device<T, F, G>(policy.queue(), first, count, out, initial,
                                                        detail::scan_kind::inclusive);
}
template <execution::on_device P, device_iterator In, device_iterator Out, device_function F,
          device_function G>
    requires device_value<detail::returned_t<G, detail::iterated_t<In>>>
Out transform_inclusive_scan(const P& policy, In first, In last, Out out, F, G) {
    const auto count = static_cast<std::size_t>(last - first);
    using sum = detail::returned_t<G, detail::iterated_t<In>>;
    return count == 0
               ? out
               : detail::scan_on_device<sum, F, G>(policy.queue(), first, count, out, std::nullopt,
                                                   detail::scan_kind::inclusive);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(transform_inclusive_scan);

}  // namespace pointsman
