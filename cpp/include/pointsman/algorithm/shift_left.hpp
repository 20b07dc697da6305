// SPDX-License-Identifier: Apache-2.0
// Moves the values of a range towards its beginning, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/move.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/permutation.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Moves each value of [`first`, `last`) from index `n` on to the index that is `n` lower, and returns the
/// end of the moved values; the values after it are unspecified. Does nothing, and returns `last`, if `n`
/// is not positive, and returns `first` if `n` is not less than the length. Blocks until complete.
/// **Throws**: under a `device_policy`, `opencl::error`, `invalid_option`.
/// **Cost**: several threads take part if `n` is at least 16,384.
template <execution::host_policy P, class It>
It shift_left([[maybe_unused]] const P& policy, It first, It last,
              std::iter_difference_t<It> n) noexcept {
    if (n <= 0) {
        return last;
    }
    if constexpr (detail::is_parallel_v<P> && detail::indexed_iterator<It>) {
        if (n >= detail::steps_worth_threads) {
            It to = first;
            for (It from = first; last - from > n; from = from + n) {
                const It begin = from + n;
                to = pointsman::move(policy, begin, begin + std::min(n, last - begin), from);
            }
            return to;
        }
    }
    return std::shift_left(first, last, n);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It>
It shift_left(const P& policy, It first, It last, std::ptrdiff_t n) {
    using value = detail::iterated_t<It>;
    if (n <= 0 || n >= last - first) {
        return n <= 0 ? last : first;
    }
    const auto count = static_cast<std::size_t>(last - first);
    const auto moved = static_cast<std::size_t>(last - first - n);
    const opencl::queue where = policy.queue();
    detail::rewrite_on_device(
        where, first, count, 0, moved, [&](const auto& values, const cl::Buffer& scratch) {
            detail::enqueue_values<value>(where, detail::array_from(values, count - moved),
                                          {scratch, 0}, moved);
        });
    return first + (last - first - n);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(shift_left);

}  // namespace pointsman
