// SPDX-License-Identifier: Apache-2.0
// A time that no policy can beat, not even one that knows all times before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/replay/detail/area_bound.hpp"
#include "pointsman/replay/detail/critical_path.hpp"
#include "pointsman/replay/machine.hpp"
#include "pointsman/replay/place.hpp"
#include "pointsman/replay/workload.hpp"

namespace pointsman::replay {

/// Returns a lower bound of the makespan of `work` on `places` under any policy: the larger of
///
/// - the *critical path*: the makespan if every task began as soon as it was submitted, at the place that is
///   fastest for it; and
/// - the *area*: the first submission, and how long the machine then needs if tasks can be divided among places
///   at will. It is the value of a dual solution of that linear program.
///
/// The optimum may be larger. **Throws**: `invalid_option` for a workload that is not valid or waits for ever.
/// **Cost**: one evaluation of `time_on` for each task and place, and one pass over the program.
[[nodiscard]] inline time_ns makespan_bound(const workload& work,
                                            const std::vector<place>& places) {
    work.check();
    if (work.size() == 0) {
        return 0;
    }
    clock::duration latency = clock::duration::max();
    for (const place& each : places) {
        latency = std::min(latency, each.latency);
    }
    const auto arrival = static_cast<time_ns>(latency.count());
    detail::area_bound area{work, places};
    const time_ns occupied = area.value();
    const time_ns path = detail::critical_path{work, area.shortest(), arrival}.length();
    time_ns first = std::numeric_limits<time_ns>::infinity();
    for (const auto& thread : work.threads) {
        time_ns begin = 0;
        for (const action& each : thread) {
            begin += std::max(each.gap, 0.0);
            if (each.what == action::kind::submit) {
                first = std::min(first, begin);
                break;
            }
        }
    }
    return std::max(path, first + arrival + occupied);
}

}  // namespace pointsman::replay
