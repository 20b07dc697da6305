// SPDX-License-Identifier: Apache-2.0
// When and where the tasks of a simulated run were, and how much of the machine they used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pointsman/replay/machine.hpp"

namespace pointsman::replay {

/// When and where one task ran. Times are since the begin of the run.
struct placement {
    time_ns submitted = 0;
    time_ns selected = 0;  ///< later if the policy let it wait
    time_ns started = 0;
    time_ns ended = 0;
    std::uint32_t place = 0;
};

/// What one place did during a run.
struct usage {
    std::size_t tasks = 0;
    time_ns busy = 0;        ///< the sum of the times of its tasks
    double utilisation = 0;  ///< of its slots: `busy` / (makespan x slots)
};

/// The result of a run.
struct result {
    time_ns makespan = 0;                 ///< from the begin to the end of the last task
    std::vector<usage> places{};          ///< by place
    std::vector<placement> placements{};  ///< by task; empty if they were not kept

    /// Counts a task.
    void add(const placement& ended) noexcept {
        makespan = std::max(makespan, ended.ended);
        ++places[ended.place].tasks;
        places[ended.place].busy += ended.ended - ended.started;
    }
    /// Sets what depends on all tasks.
    void finish(const std::vector<place>& hardware) noexcept {
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto slots = std::max<std::size_t>(hardware[i].hardware.slots, 1);
            places[i].utilisation =
                makespan > 0 ? places[i].busy / (makespan * static_cast<double>(slots)) : 0;
        }
    }
};

}  // namespace pointsman::replay
