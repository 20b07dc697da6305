// SPDX-License-Identifier: Apache-2.0
// Moves the values of a range towards its end, on host or device.
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

/// Moves each value of [`first`, `last`), except the last `n`, to the index that is `n` higher, and returns
/// the beginning of the moved values; the values before it are unspecified. Does nothing, and returns
/// `first`, if `n` is not positive, and returns `last` if `n` is not less than the length. Otherwise like
/// `shift_left`.
template <execution::host_policy P, class It>
It shift_right([[maybe_unused]] const P& policy, It first, It last,
               std::iter_difference_t<It> n) noexcept {
    if (n <= 0) {
        return first;
    }
    if constexpr (detail::is_parallel_v<P> && detail::indexed_iterator<It>) {
        if (n >= detail::steps_worth_threads) {
            auto left = std::max<std::iter_difference_t<It>>(last - first - n, 0);
            const It begin = first + (last - first - left);
            while (left != 0) {
                const auto moved = std::min(n, left);
                left -= moved;
                pointsman::move(policy, first + left, first + (left + moved), first + (left + n));
            }
            return begin;
        }
    }
    return std::shift_right(first, last, n);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It>
It shift_right(const P& policy, It first, It last, std::ptrdiff_t n) {
    using value = detail::iterated_t<It>;
    if (n <= 0 || n >= last - first) {
        return n <= 0 ? first : last;
    }
    const auto count = static_cast<std::size_t>(last - first);
    const auto moved = static_cast<std::size_t>(last - first - n);
    const opencl::queue where = policy.queue();
    detail::rewrite_on_device(where, first, count, count - moved, count,
                              [&](const auto& values, const cl::Buffer& scratch) {
                                  detail::enqueue_values<value>(where, detail::array_from(values),
                                                                {scratch, count - moved}, moved);
                              });
    return first + n;
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(shift_right);

}  // namespace pointsman
