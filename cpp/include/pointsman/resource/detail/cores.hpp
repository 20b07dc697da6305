// SPDX-License-Identifier: Apache-2.0
// The domain of all cores of the machine, which arenas share with OpenCL devices that run on them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "pointsman/tuning/domain.hpp"

namespace pointsman::detail {

/// The `id` of the domain; the ids of NUMA nodes follow it.
inline constexpr std::uint64_t cores_id = 1;

/// All cores, for a resource that runs `slots` tasks of `threads_each` threads at a time.
[[nodiscard]] inline domain all_cores(std::size_t slots, double threads_each) {
    return {.id = cores_id,
            .capacity = static_cast<double>(std::max(std::thread::hardware_concurrency(), 1U)),
            .slots = slots,
            .threads_each = threads_each};
}

}  // namespace pointsman::detail
