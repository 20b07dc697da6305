// SPDX-License-Identifier: Apache-2.0
// One event of a trace: what happened to which task, where and when.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pointsman/clock.hpp"

namespace pointsman::trace {

/// What happened.
enum class event_kind : std::uint8_t {
    submission,  ///< `submit` was called
    selection,   ///< the policy has chosen a resource, in `submit` or in `select`
    start,       ///< the work began on the resource, where the resource knows it
    end,         ///< the work is complete
    wait,        ///< a thread was blocked until a task was complete or a resource was free
    retry,       ///< failed work is about to be submitted again
};

/// The names of the kinds of event, in their order.
inline constexpr std::array event_kind_names{"submission", "selection", "start",
                                             "end",        "wait",      "retry"};
[[nodiscard]] constexpr const char* to_string(event_kind kind) {
    return event_kind_names[static_cast<std::size_t>(kind)];
}

/// One event. `name`, `resource` and `policy` are numbers of names in the recording; 0 stands for none.
struct event {
    clock::time_point time{};
    clock::duration duration{};  ///< of a wait
    std::uint64_t task = 0;      ///< the number of the submission; 0 for an event of no submission
    std::uint64_t sizes = 0;     ///< of a submission: the size classes in its `task_key`
    std::uint32_t name = 0;      ///< of a submission: the kind of task
    std::uint32_t resource = 0;  ///< of a selection
    std::uint32_t policy = 0;    ///< of a selection
    std::uint32_t thread = 0;    ///< on which the event was recorded, from 1
    event_kind kind = event_kind::submission;
    bool succeeded = true;  ///< of an end: the work did not fail and was not cancelled
    bool exact = true;      ///< of an end: false if its time is an upper bound
};

}  // namespace pointsman::trace
