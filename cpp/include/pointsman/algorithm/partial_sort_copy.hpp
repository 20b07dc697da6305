// SPDX-License-Identifier: Apache-2.0
// Copies the least values of a range in sorted order, on host or device.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <execution>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/algorithm/partial_sort.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/execution/device_policy.hpp"
#include "pointsman/resource/opencl/buffer.hpp"
#endif

namespace pointsman {

/// Copies the values that `sort` would put first of [`first`, `last`) to [`out`, `out_last`), as many as
/// both ranges have room for, in the order of `sort`, and returns the end of the copies. The ranges must
/// not overlap. Blocks until complete. A device sorts a copy of the whole range. Otherwise like `sort`.
/// **Cost**: memory for a copy of the range, unless few values are copied. A device also needs that of `sort`.
template <execution::host_policy P, class In, class Out, class Compare>
Out partial_sort_copy(const P& policy, In first, In last, Out out, Out out_last, Compare compare) {
    using value = std::iter_value_t<In>;
    const auto run_on_copy = [&] {
        // Threads cannot write to neighbours in a std::vector<bool>.
        std::vector<std::conditional_t<std::same_as<value, bool>, unsigned char, value>> values(
            first, last);
        const auto count = std::min<std::ptrdiff_t>(std::ssize(values), out_last - out);
        pointsman::partial_sort(policy, values.begin(), values.begin() + count, values.end(),
                                compare);
        return std::copy_n(values.begin(), count, out);
    };
    if constexpr (std::same_as<value, std::iter_value_t<Out>>) {
        const auto run = [&](const auto& standard) {
            return std::partial_sort_copy(standard, first, last, out, out_last,
                                          detail::in_sort_order<value>(compare));
        };
        if constexpr (detail::indexed_iterator<In> && detail::indexed_iterator<Out>) {
            constexpr std::ptrdiff_t many = 4'096;
            const std::ptrdiff_t all = last - first;
            const bool is_short = detail::is_short_part(out_last - out, all);
            if constexpr (detail::number_order<Compare, value>) {
                if (all >= many && !is_short) {
                    return run_on_copy();
                }
            }
            if (is_short) {
                return run(std::execution::seq);
            }
        }
        return detail::with_standard<Out>(policy, std::pair{first, last}, run);
    } else {  // GCC's parallel algorithm takes both types for one
        return run_on_copy();
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out, class Compare>
Out partial_sort_copy(const P& policy, In first, In last, Out out, Out out_last, Compare compare) {
    using value = detail::iterated_t<In>;
    const auto copied = std::min<std::ptrdiff_t>(last - first, out_last - out);
    if (copied <= 0) {
        return out;
    }
    return opencl::detail::translated([&] {
        const auto count = static_cast<std::size_t>(last - first);
        const opencl::pooled_buffer memory = policy.queue().take_buffer(count * sizeof(value));
        const opencl::buffer<value> values{memory.handle(), count};
        pointsman::copy(policy, first, last, begin(values));
        pointsman::sort(policy, begin(values), end(values), compare);
        return pointsman::copy(policy, begin(values), begin(values) + copied, out);
    });
}
#endif

/// Like `partial_sort_copy` above, with `less` as `compare`.
template <execution::placing_policy P, class In, class Out>
Out partial_sort_copy(const P& policy, In first, In last, Out out, Out out_last) {
    return pointsman::partial_sort_copy(policy, first, last, out, out_last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(partial_sort_copy);

}  // namespace pointsman
