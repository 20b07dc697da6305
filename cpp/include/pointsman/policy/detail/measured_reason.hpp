// SPDX-License-Identifier: Apache-2.0
// The sentence with which a rule that uses measured times explains a choice.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

#include "pointsman/tuning/tuner_table.hpp"

namespace pointsman::detail {

/// Returns text such as ", about 0.0012 s"; empty for an unknown time.
[[nodiscard]] inline std::string about_time(std::optional<std::chrono::nanoseconds> time) {
    char written[32] = "";
    if (time) {
        std::snprintf(written, sizeof written, ", about %.3g s",
                      std::chrono::duration<double>{*time}.count());
    }
    return written;
}

/// Returns the reason for the choice of `index`, from the current state of the task's tuner. `timed` is true
/// if the choice may have been made to measure. `rule(tuner)` returns the reason for a choice among
/// resources that have all been measured.
template <class Rule>
[[nodiscard]] std::string measured_reason(const tuner_in_term& tuner_of_task, std::size_t index,
                                          bool timed, const Rule& rule) {
    std::string reason = "it was chosen by times that have been forgotten since";
    tuner_of_task.with([&](const tuner& t) {
        if (!t.best()) {
            reason = "it was measured on this kind of task, as not all resources are known yet";
        } else if (timed && *t.best() != index) {
            reason = "it was measured again on this kind of task" + about_time(t.estimate(index));
        } else {
            reason = rule(t) + about_time(t.estimate(index));
        }
    });
    return reason;
}

}  // namespace pointsman::detail
