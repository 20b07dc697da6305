// SPDX-License-Identifier: Apache-2.0
// Counts the values in each bin, for bins of equal width or between given edges.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/detail/histogram_bins.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/host/histogram.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/histogram.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Divides [`low`, `high`) into `bins` bins of equal width, writes how many values of [`first`, `last`)
/// are in each bin to the range beginning at `out`, and returns the end of the output. Values outside,
/// and NaN, are not counted. A floating value that is within rounding error of an edge may count on
/// either side of it, but on the same side under every policy. Blocks until complete.
///
/// Under a `device_policy`, values are integers, `float`, `double` or `half`.
/// **Throws**: `invalid_option` if `bins` is 0, if `low` is not below `high`, if their difference is
/// infinite (floating bounds), or if it does not fit into 64 bits when multiplied by `bins` (integer
/// bounds). Under a `device_policy`, also `build_error`, `opencl::error`.
/// **Example**: `pointsman::histogram(pointsman::execution::par, x.begin(), x.end(), 10, 0.0F, 1.0F, counts.begin());`
template <execution::host_policy P, class It, class Bound, class Out>
Out histogram(const P&, It first, It last, std::size_t bins, Bound low, Bound high, Out out) {
    using value = detail::even_bins_type<std::iter_value_t<It>, Bound>;
    const detail::even_bins<value> even{bins, static_cast<value>(low), static_cast<value>(high)};
    return detail::histogram_on_host<P>(first, last, even, out);
}
/// Like `histogram` above, with bins between consecutive edges of the sorted [`edge`, `last_edge`). An
/// edge belongs to the bin that begins there. With fewer than two edges there are no bins.
template <execution::host_policy P, class It, class Edges, class Out>
Out histogram(const P&, It first, It last, Edges edge, Edges last_edge, Out out) {
    return detail::histogram_on_host<P>(first, last, detail::edged_bins<Edges>{edge, last_edge},
                                        out);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_number Bound, device_iterator Out>
    requires device_number<detail::iterated_t<It>>
Out histogram(const P& policy, It first, It last, std::size_t bins, Bound low, Bound high,
              Out out) {
    using value = detail::even_bins_type<detail::iterated_t<It>, Bound>;
    const detail::even_bins<value> even{bins, static_cast<value>(low), static_cast<value>(high)};
    const auto count = static_cast<std::size_t>(last - first);
    const Out past = out + static_cast<std::ptrdiff_t>(bins);
    if (count == 0) {
        pointsman::fill(policy, out, past, 0);
        return past;
    }
    return opencl::detail::translated([&] {
        return detail::histogram_on_device<value>(policy.queue(), first, count, bins, out,
                                                  "count_in_even_bins",
                                                  {even.low(), even.high(), even.scale()});
    });
}
template <execution::on_device P, device_iterator It, device_iterator Edges, device_iterator Out>
    requires device_number<detail::iterated_t<It>> && device_number<detail::iterated_t<Edges>>
Out histogram(const P& policy, It first, It last, Edges edge, Edges last_edge, Out out) {
    const auto count = static_cast<std::size_t>(last - first);
    const auto edges = static_cast<std::size_t>(last_edge - edge);
    if (edges < 2) {
        return out;
    }
    const Out past = out + static_cast<std::ptrdiff_t>(edges - 1);
    if (count == 0) {
        pointsman::fill(policy, out, past, 0);
        return past;
    }
    const opencl::queue where = policy.queue();
    return opencl::detail::translated([&] {
        using values = detail::computed_values<Edges>;
        const values on_device{where, edge, edges, values::use::input};
        return detail::histogram_on_device<detail::iterated_t<Edges>>(
            where, first, count, edges - 1, out, "count_in_edged_bins",
            {on_device.memory(), on_device.offset()});
    });
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(histogram);

}  // namespace pointsman
