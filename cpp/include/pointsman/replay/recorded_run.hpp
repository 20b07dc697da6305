// SPDX-License-Identifier: Apache-2.0
// Makes a workload of what a trace has recorded, to be replayed on the same or on other resources.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"
#include "pointsman/replay/detail/recorded_resources.hpp"
#include "pointsman/replay/detail/recorded_threads.hpp"
#include "pointsman/replay/detail/task_times.hpp"
#include "pointsman/replay/place.hpp"
#include "pointsman/replay/recorded_place.hpp"
#include "pointsman/replay/result.hpp"
#include "pointsman/replay/workload.hpp"
#include "pointsman/trace/recording.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::replay {

/// A recording as a workload, the resources on which to replay it, and what really happened.
struct recorded_run {
    workload work{};
    std::vector<place> places{};
    std::vector<place> recorded_places{};
    result original{};  ///< by recorded place
    std::size_t measured =
        0;  ///< pairs of a kind of task and a place whose time was measured there
    std::size_t predicted = 0;  ///< pairs whose time is predicted from other sizes or kinds
    std::size_t assumed =
        0;  ///< pairs without any measurement: they take the times of another place
};

namespace detail {

/// Adds the kind of each task: its name and its size classes.
inline void add_kinds(workload& work, const std::vector<trace::task>& tasks) {
    std::unordered_map<task_key, std::uint32_t, task_key_hash> numbers;
    for (const trace::task& each : tasks) {
        const task_key key{each.name + std::uint64_t{1}, each.sizes};
        const auto [known, is_new] =
            numbers.try_emplace(key, static_cast<std::uint32_t>(work.kinds.size()));
        if (is_new) {
            work.kinds.push_back(key);
        }
        work.kind_of.push_back(known->second);
    }
}

/// Returns what really happened. A task that is not complete has a submission only.
[[nodiscard]] inline result original_of(const std::vector<trace::task>& tasks,
                                        const recorded_resources& resources,
                                        clock::time_point begin) {
    const auto since_begin = [begin](clock::time_point time) {
        return static_cast<time_ns>((time - begin).count());
    };
    result made;
    made.places.resize(resources.places().size());
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
        const trace::task& each = tasks[i];
        placement& at = made.placements.emplace_back();
        at.submitted = since_begin(*each.submitted);
        if (const auto where = resources.place_of(i); where && each.begin() && each.ended) {
            const auto started = resources.begin_of(i);
            at = {at.submitted, since_begin(each.selected.value_or(started)), since_begin(started),
                  since_begin(*each.ended), *where};
            made.add(at);
        }
    }
    made.finish(resources.places());
    return made;
}

/// Returns the measured times of the tasks that are complete and have not failed.
[[nodiscard]] inline std::vector<task_times::sample> samples_of(
    const recorded_run& run, const std::vector<trace::task>& tasks,
    const recorded_resources& resources) {
    std::vector<task_times::sample> samples;
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
        samples.push_back({.kind = run.work.kind_of[i]});
        const placement& at = run.original.placements[i];
        if (at.ended > 0 && tasks[i].succeeded) {
            samples.back().resource = resources.place_of(i);
            samples.back().time = std::max(at.ended - at.started, 1.0);
        }
    }
    return samples;
}

/// Adds the place that `wanted` describes; returns the index of the recorded one that it is like.
[[nodiscard]] inline std::size_t add_place(recorded_run& run, const recorded_place& wanted) {
    const std::string& like = wanted.like.empty() ? wanted.name : wanted.like;
    const auto found = std::ranges::find(run.recorded_places, like, &place::name);
    if (found == run.recorded_places.end()) {
        std::string names;
        for (const place& known : run.recorded_places) {
            names += (names.empty() ? "" : ", ") + known.name;
        }
        throw invalid_option{"the recording has no resource '" + like +
                             "': pass one of these: " + names};
    }
    if (!(wanted.ratio > 0) || wanted.slots == std::size_t{0}) {
        throw invalid_option{"the resource '" + wanted.name + "' has the ratio " +
                             std::to_string(wanted.ratio) + " and " +
                             std::to_string(wanted.slots.value_or(1)) +
                             " slots: pass a positive ratio and 1 slot or more"};
    }
    run.places.push_back(place_with(wanted.name, wanted.slots.value_or(found->hardware.slots)));
    run.places.back().latency = wanted.latency.value_or(found->latency);
    return static_cast<std::size_t>(found - run.recorded_places.begin());
}

}  // namespace detail

/// Returns what `made` has recorded as a workload for `wanted`, or for the recorded resources if that is empty.
///
/// A thread submits its tasks in the recorded order, and computes between them for as long as it did; what it
/// waited for, it waits for. A task that was submitted from inside another one is so here, after the same part
/// of its time. A thread's first action comes at its recorded time. A task has the measured times of its kind,
/// which is a name and size classes; those of a kind that was never measured on a resource are predicted as
/// policies do. A task without an end has the times of its kind, a failed one counts as any other.
///
/// A resource has as many slots as it ran tasks at a time, and hardware of its own. Of one that does not tell
/// when work starts, it is taken to run one task at a time unless `recorded_place::slots` says otherwise.
///
/// **Throws**: `invalid_option` for a recording without a complete task, for a resource that it does not have,
/// and for a `ratio` or a number of `slots` that is not positive.
/// **Cost**: about a microsecond for each task.
[[nodiscard]] inline recorded_run recorded(const trace::recording& made,
                                           std::vector<recorded_place> wanted = {}) {
    const std::vector<trace::task> tasks = made.tasks();
    const detail::recorded_threads threads{made, tasks};
    const detail::recorded_resources resources{made, tasks, threads, wanted};
    recorded_run run{.recorded_places = resources.places()};
    detail::add_kinds(run.work, tasks);
    run.work.threads = threads.actions();
    run.work.nested = threads.nested();
    const clock::time_point begin = made.events.empty() ? clock::time_point{} : made.events[0].time;
    run.original = detail::original_of(tasks, resources, begin);

    if (wanted.empty()) {
        for (const place& each : run.recorded_places) {
            wanted.push_back({.name = each.name});
        }
    }
    const auto times = std::make_shared<const detail::task_times>(
        detail::samples_of(run, tasks, resources), run.work.kinds, run.recorded_places.size());
    std::vector<std::pair<std::size_t, double>> likes;
    for (const recorded_place& each : wanted) {
        likes.emplace_back(detail::add_place(run, each), each.ratio);
    }
    for (std::uint32_t kind = 0; kind < run.work.kinds.size(); ++kind) {
        for (const auto& [like, ratio] : likes) {
            const auto source = times->source(kind, like);
            ++(source == detail::time_source::measured    ? run.measured
               : source == detail::time_source::predicted ? run.predicted
                                                          : run.assumed);
        }
    }
    run.work.time_on = [times, likes = std::move(likes), kind_of = run.work.kind_of](
                           std::size_t task, std::size_t at) {
        return times->of(task, kind_of[task], likes[at].first) * likes[at].second;
    };
    return run;
}

}  // namespace pointsman::replay
