// SPDX-License-Identifier: Apache-2.0
// The sentences of `explain` for rules that measure, from the record that was made of a choice.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "pointsman/base/written_time.hpp"
#include "pointsman/tuning/measured_record.hpp"

namespace pointsman::detail {

/// ", about 1.2 ms" for a known time.
[[nodiscard]] inline std::string about_time(double nanoseconds) {
    return std::isfinite(nanoseconds) ? ", about " + written_time(nanoseconds) : "";
}

inline constexpr const char* pinned_reason = "this kind of task is pinned to it";
inline constexpr const char* default_reason =
    "there is no record of this kind of task, and it is the default of the frozen policy";

/// The reason for the choice of `index`. `words` are those for a choice by the lowest score.
[[nodiscard]] inline std::string recorded_reason(std::size_t index, const measured_record& record,
                                                 std::string words) {
    const float time = index < record.size ? record.candidates[index].time
                                           : std::numeric_limits<float>::infinity();
    switch (record.reason) {
        case measured_reason::first_timing:
            return "it was measured on this kind of task, as not all resources are known yet";
        case measured_reason::another_timing:
            return "it was measured again on this kind of task" + about_time(time);
        case measured_reason::pinned:
            return pinned_reason + about_time(time);
        case measured_reason::by_default:
            return default_reason;
        case measured_reason::lowest_score:
            break;
    }
    return std::move(words) + about_time(time);
}

}  // namespace pointsman::detail
