// SPDX-License-Identifier: Apache-2.0
// What a history keeps of one kind of task, as plain data.
#pragma once

#include <chrono>
#include <string>

#include "pointsman/tuning/evidence.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman {

/// Timings of one kind of task on one resource.
struct history_record {
    task_key kind;  ///< from `stable_task_key`
    std::string
        resource;  ///< its identity: device, driver version, compute units, whatever changes its times
    evidence_summary timings{};
    bool is_exact = true;
    std::chrono::sys_seconds updated{};  ///< set by `add`
    std::string name{};  ///< of the kind, for people: the last one that was not empty

    friend bool operator==(const history_record&, const history_record&) = default;
};

/// The resource to which somebody has pinned a kind of task.
struct history_pin {
    task_key kind;         ///< from `stable_task_key`
    std::string resource;  ///< its identity
    std::string name{};    ///< of the kind, for people, if the history knows it

    friend bool operator==(const history_pin&, const history_pin&) = default;
};

}  // namespace pointsman
