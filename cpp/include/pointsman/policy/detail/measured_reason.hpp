// SPDX-License-Identifier: Apache-2.0
// Why a rule that goes by measured times chose a resource, in words.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

#include "pointsman/tuning/tuner_table.hpp"

namespace pointsman::detail {

/// ", about 0.0012 s" for a known time.
[[nodiscard]] inline std::string about_time(std::optional<std::chrono::nanoseconds> time) {
    char written[32] = "";
    if (time) {
        std::snprintf(written, sizeof written, ", about %.3g s",
                      std::chrono::duration<double>{*time}.count());
    }
    return written;
}

/// The reason for the choice of `index`, by what the task's tuner knows now. `timed` is true where the
/// rule may have wanted to measure; `rule(tuner)` has the words for a choice among known resources.
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
