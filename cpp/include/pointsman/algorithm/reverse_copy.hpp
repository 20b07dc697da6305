// SPDX-License-Identifier: Apache-2.0
// Copies a range in reverse, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/in_parts.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/permutation.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Copies the values of [`first`, `last`) in reverse to the range beginning at `out`, which must not
/// overlap the input, and returns the end of the output. Blocks until complete.
/// **Throws**: under a `device_policy`, `opencl::error`, `invalid_option`.
template <execution::host_policy P, class In, class Out>
Out reverse_copy(const P& policy, In first, In last, Out out) {
    if constexpr (detail::indexed_iterator<In> && detail::shared_output<Out>) {
        const auto count = static_cast<std::size_t>(last - first);
        const Out out_last = detail::ahead(out, count);
        detail::in_parts(policy, out, out_last, [&](Out begin, Out end) {
            std::reverse_copy(first + (out_last - end), first + (out_last - begin), begin);
        });
        return out_last;
    } else {
        return std::reverse_copy(detail::standard_alone(policy), first, last, out);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out>
Out reverse_copy(const P& policy, In first, In last, Out out) {
    using outputs = detail::device_values<Out>;
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) {
        return out;
    }
    const opencl::queue where = policy.queue();
    return opencl::detail::translated([&] {
        const auto from = detail::input_values(where, first, count);
        outputs to{where, out, count, outputs::use::output};
        detail::enqueue_reversed<In, detail::iterated_t<Out>>(where, from, detail::array_from(to),
                                                              count);
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(reverse_copy);

}  // namespace pointsman
