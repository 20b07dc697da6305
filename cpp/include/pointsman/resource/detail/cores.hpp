// SPDX-License-Identifier: Apache-2.0
// The domains of the machine's cores: one for the machine, or one for each of several NUMA nodes.
#pragma once

#include <tbb/info.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "pointsman/tuning/domain.hpp"

namespace pointsman::detail {

/// The cores that a resource uses with `slots` tasks of `threads_each` threads. Bound to a NUMA node, of which
/// there are several, it shares hardware with resources of that node alone.
[[nodiscard]] inline domain cores_for(std::optional<int> numa_node, std::size_t slots,
                                      double threads_each) {
    constexpr std::uint64_t whole_machine = 1;
    const bool is_bound = numa_node && tbb::info::numa_nodes().size() > 1;
    const int count =
        is_bound ? tbb::info::default_concurrency(*numa_node) : tbb::info::default_concurrency();
    return {
        .id = is_bound ? whole_machine + 1 + static_cast<std::uint64_t>(*numa_node) : whole_machine,
        .capacity = static_cast<double>(std::max(count, 1)),
        .slots = slots,
        .threads_each = threads_each};
}

}  // namespace pointsman::detail
