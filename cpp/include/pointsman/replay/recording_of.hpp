// SPDX-License-Identifier: Apache-2.0
// Makes a recording of a replay, to be saved and drawn like that of a real run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/replay/place.hpp"
#include "pointsman/replay/result.hpp"
#include "pointsman/trace/event.hpp"
#include "pointsman/trace/recording.hpp"

namespace pointsman::replay {
namespace detail {

/// The time of an event, and four times the index of its task plus its `event_kind`.
using moment = std::pair<time_ns, std::uint64_t>;

/// Returns the submission, selection, start and end of the first `count` tasks, in the order of their times.
[[nodiscard]] inline std::vector<moment> moments_of(const result& of, std::size_t count) {
    std::vector<moment> all;
    all.reserve(4 * count);
    std::size_t sorted = 0;
    for (const auto& [kind, time] :
         {std::pair{trace::event_kind::submission, &placement::submitted},
          std::pair{trace::event_kind::selection, &placement::selected},
          std::pair{trace::event_kind::start, &placement::started},
          std::pair{trace::event_kind::end, &placement::ended}}) {
        for (std::size_t i = 0; i < count; ++i) {
            all.emplace_back(of.placements[i].*time, 4 * i + static_cast<std::uint64_t>(kind));
        }
        // Nearly in order, which merging sorts in less time.
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(sorted);
        if (!std::is_sorted(middle, all.end())) {
            std::stable_sort(middle, all.end());
        }
        std::inplace_merge(all.begin(), middle, all.end());
        sorted = all.size();
    }
    return all;
}

}  // namespace detail

/// Returns the recording of `replayed`, a replay of `original` on `places` under the policy called `policy`. It
/// begins at time 0 and has the submission, selection, start and end of each task.
[[nodiscard]] inline trace::recording recording_of(const result& replayed,
                                                   const trace::recording& original,
                                                   const std::vector<place>& places,
                                                   std::string_view policy) {
    trace::recording made{.names = original.names};
    const auto number_of = [&made](std::string_view name) {
        const auto found = std::ranges::find(made.names, name);
        const auto number = static_cast<std::uint32_t>(found - made.names.begin());
        if (found == made.names.end()) {
            made.names.emplace_back(name);
        }
        return number;
    };
    const std::uint32_t chosen_by = number_of(policy);
    std::vector<std::uint32_t> resources;
    for (const place& each : places) {
        resources.push_back(number_of(each.name));
    }
    const std::vector<trace::task> tasks = original.tasks();
    const auto moments =
        detail::moments_of(replayed, std::min(tasks.size(), replayed.placements.size()));
    std::vector<std::uint64_t> numbers(tasks.size());  // in the order of the submissions
    std::uint64_t submitted = 0;
    made.events.reserve(moments.size());
    for (const auto& [time, of] : moments) {
        const trace::task& whole = tasks[of / 4];
        const auto kind = static_cast<trace::event_kind>(of % 4);
        trace::event& each = made.events.emplace_back();
        each.time = clock::time_point{clock::duration{static_cast<clock::rep>(time)}};
        each.thread = whole.thread;
        each.kind = kind;
        if (kind == trace::event_kind::submission) {
            numbers[of / 4] = ++submitted;
            each.sizes = whole.sizes;
            each.name = whole.name;
        } else if (kind == trace::event_kind::selection) {
            each.resource = resources[replayed.placements[of / 4].place];
            each.policy = chosen_by;
        }
        each.task = numbers[of / 4];
    }
    return made;
}

}  // namespace pointsman::replay
