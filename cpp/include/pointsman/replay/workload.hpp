// SPDX-License-Identifier: Apache-2.0
// A program that submits tasks: what each of its threads does, and how long each task takes where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/replay/machine.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::replay {

/// What a thread of a program does next.
struct action {
    enum class kind : std::uint8_t {
        submit,        ///< submits the task `number`
        wait,          ///< waits for the task `number`
        wait_for_own,  ///< waits for the first `number` tasks that the thread has submitted
        wait_for_all,  ///< waits for the first `number` tasks of the workload
    };
    time_ns gap = 0;  ///< the thread's own computing since the end of the action before
    std::uint32_t number = 0;
    kind what = kind::submit;
};

/// A task that is submitted from inside another one, `parent`, after `part` of its time on any place.
struct nested_task {
    std::uint32_t parent = 0;
    std::uint32_t number = 0;
    double part = 0;
};

/// The tasks of a program and its threads. Each task is submitted once, by a thread or by another task.
struct workload {
    std::vector<task_key> kinds{};
    std::vector<std::uint32_t> kind_of{};        ///< by task
    std::vector<std::vector<action>> threads{};  ///< each begins at time 0
    std::vector<nested_task> nested{};           ///< in the order of their parents
    /// How long a task takes alone on a place, in nanoseconds. Must depend on nothing but its arguments.
    std::function<time_ns(std::size_t task, std::size_t place)> time_on{};

    [[nodiscard]] std::size_t size() const noexcept { return kind_of.size(); }
    [[nodiscard]] const task_key& key_of(std::size_t task) const { return kinds[kind_of[task]]; }

    /// **Throws**: `invalid_option` if a task is not submitted exactly once or a number is too large.
    void check() const {
        std::vector<std::uint8_t> submitted(size());
        const auto count = [&](std::uint32_t number) {
            if (number >= size() || submitted[number] != 0) {
                throw invalid_option{"task " + std::to_string(number) + " of a workload of " +
                                     std::to_string(size()) +
                                     " tasks is unknown or submitted twice: submit each task once"};
            }
            submitted[number] = 1;
        };
        for (const auto& thread : threads) {
            std::size_t own = 0;
            for (const action& each : thread) {
                if (each.what == action::kind::submit) {
                    count(each.number);
                    ++own;
                    continue;
                }
                const std::size_t most = each.what == action::kind::wait           ? size() - 1
                                         : each.what == action::kind::wait_for_own ? own
                                                                                   : size();
                if (each.number > most) {
                    throw invalid_option{"a thread of a workload waits for task number " +
                                         std::to_string(each.number) + ", beyond " +
                                         std::to_string(most) +
                                         ": wait for tasks that are submitted"};
                }
            }
        }
        for (const nested_task& each : nested) {
            count(each.number);
        }
        for (std::size_t i = 0; i < size(); ++i) {
            if (submitted[i] == 0) {
                throw invalid_option{"task " + std::to_string(i) +
                                     " of a workload is never submitted: submit each task once"};
            }
        }
    }
};

}  // namespace pointsman::replay
