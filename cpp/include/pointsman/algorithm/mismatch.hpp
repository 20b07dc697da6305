// SPDX-License-Identifier: Apache-2.0
// Finds where two ranges first differ, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/search.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns iterators to the first values at the same index of [`first`, `last`) and the range beginning at
/// `second` for which `predicate` does not hold, or to the ends. Otherwise like `find_if`.
template <execution::host_policy P, class In, class In2, class Predicate>
std::pair<In, In2> mismatch([[maybe_unused]] const P& policy, In first, In last, In2 second,
                            Predicate predicate) noexcept {
    if constexpr (detail::indexed_iterator<In> && detail::indexed_iterator<In2>) {
        const auto same = detail::first_index(policy, last - first, [&](std::ptrdiff_t i) -> bool {
            return !std::invoke(predicate, first[i], second[i]);
        });
        return {first + same, second + same};
    } else {
        return std::mismatch(first, last, second, predicate);
    }
}
/// Like `mismatch` above, with a second range that ends at `second_last`; compares no value beyond the end
/// of the shorter range.
template <execution::host_policy P, class In, class In2, class Predicate>
std::pair<In, In2> mismatch([[maybe_unused]] const P& policy, In first, In last, In2 second,
                            In2 second_last, Predicate predicate) noexcept {
    if constexpr (detail::indexed_iterator<In> && detail::indexed_iterator<In2>) {
        const auto count = std::min<std::ptrdiff_t>(last - first, second_last - second);
        return pointsman::mismatch(policy, first, first + count, second, predicate);
    } else {
        return std::mismatch(first, last, second, second_last, predicate);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator In2,
          device_function Predicate>
std::pair<In, In2> mismatch(const P& policy, In first, In last, In2 second, Predicate) {
    using function = detail::called_for<Predicate, In, In2>;
    const auto index = static_cast<std::ptrdiff_t>(detail::find_pair<function>(
        policy.queue(), static_cast<std::size_t>(last - first), first, second,
        [] { return "!" + detail::call_of<function>("v0", "v1"); }));
    return {first + index, second + index};
}
template <execution::on_device P, device_iterator In, device_iterator In2,
          device_function Predicate>
std::pair<In, In2> mismatch(const P& policy, In first, In last, In2 second, In2 second_last,
                            Predicate predicate) {
    const auto count = std::min<std::ptrdiff_t>(last - first, second_last - second);
    return pointsman::mismatch(policy, first, first + count, second, predicate);
}
#endif

/// Like `mismatch` above, with `equal_to` as `predicate`.
template <execution::placing_policy P, class In, class In2>
std::pair<In, In2> mismatch(const P& policy, In first, In last, In2 second) {
    return pointsman::mismatch(policy, first, last, second, equal_to{});
}
template <execution::placing_policy P, class In, class In2>
std::pair<In, In2> mismatch(const P& policy, In first, In last, In2 second, In2 second_last) {
    return pointsman::mismatch(policy, first, last, second, second_last, equal_to{});
}

POINTSMAN_TAKES_AUTO_POLICY(mismatch);

}  // namespace pointsman
