// SPDX-License-Identifier: Apache-2.0
// What a session has recorded: the events in order, their names, and each task put together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pointsman/base/position_map.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/trace/event.hpp"

namespace pointsman::trace {

/// One submission: its events put together. A time without an event is empty.
struct task {
    std::uint64_t number = 0;
    std::uint32_t name = 0;
    std::uint32_t resource = 0;
    std::uint32_t policy = 0;
    std::uint32_t thread = 0;  ///< that submitted it
    std::uint64_t sizes = 0;   ///< the size classes in its `task_key`
    std::optional<clock::time_point> submitted{};
    std::optional<clock::time_point> selected{};
    std::optional<clock::time_point> started{};
    std::optional<clock::time_point> ended{};
    bool succeeded = true;

    /// Returns when the task began as far as is known: its start, else its selection.
    [[nodiscard]] std::optional<clock::time_point> begin() const noexcept {
        return started ? started : selected;
    }
};

/// The result of a session. A value: it may be kept, copied and changed.
struct recording {
    std::vector<event> events{};       ///< in the order of their times; tasks are numbered from 1
    std::vector<std::string> names{};  ///< by number; that of 0 is empty
    std::uint64_t dropped = 0;         ///< events for which there was no room

    [[nodiscard]] const std::string& name_of(std::uint32_t number) const {
        return number < names.size() ? names[number] : names.front();
    }

    /// Returns the tasks that were submitted during the recording, in the order of submission.
    [[nodiscard]] std::vector<task> tasks() const {
        std::vector<task> found;
        found.reserve(events.size() / 4);  // most tasks have a submission, selection, start and end
        pointsman::detail::position_map positions{events.size()};
        for (const event& each : events) {
            if (each.task == 0) {
                continue;
            }
            const auto [position, is_new] =
                positions.try_emplace(each.task, static_cast<std::uint32_t>(found.size()));
            if (is_new) {
                found.emplace_back().number = each.task;
            }
            add(found[position], each);
        }
        std::erase_if(found, [](const task& each) { return !each.submitted; });
        return found;
    }

    /// Sorts the events by time and numbers the tasks in the order of their first events.
    void put_in_order() {
        std::ranges::stable_sort(events, {}, &event::time);
        std::unordered_map<std::uint64_t, std::uint64_t> numbers{{0, 0}};
        for (event& each : events) {
            each.task = numbers.try_emplace(each.task, numbers.size()).first->second;
        }
    }

  private:
    static void add(task& whole, const event& part) {
        switch (part.kind) {
            case event_kind::submission:
                whole.submitted = part.time;
                whole.name = part.name;
                whole.thread = part.thread;
                whole.sizes = part.sizes;
                break;
            case event_kind::selection:
                whole.selected = part.time;
                whole.resource = part.resource;
                whole.policy = part.policy;
                break;
            case event_kind::start:
                whole.started = whole.started ? whole.started : part.time;
                break;
            case event_kind::end:
                whole.ended = part.time;
                whole.succeeded = part.succeeded;
                break;
            case event_kind::wait:
            case event_kind::retry:
                break;
        }
    }
};

}  // namespace pointsman::trace
