// SPDX-License-Identifier: Apache-2.0
// What each thread of a recorded program did: its submissions, its waits and its computing between them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pointsman/base/position_map.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/replay/workload.hpp"
#include "pointsman/trace/event.hpp"
#include "pointsman/trace/recording.hpp"

namespace pointsman::replay::detail {

/// Reads the threads of a recording. A task that was submitted by a thread while that ran another task is nested
/// in it; all else is in the thread's own order.
class recorded_threads {
  public:
    /// `tasks` are those of `made`.
    recorded_threads(const trace::recording& made, const std::vector<trace::task>& tasks)
        : tasks_{tasks},
          begin_{made.events.empty() ? clock::time_point{} : made.events[0].time},
          numbers_{made.events.size()} {
        for (std::uint32_t i = 0; i < tasks.size(); ++i) {
            numbers_.try_emplace(tasks[i].number, i);
            const auto end = tasks[i].ended.value_or(clock::time_point::max());
            last_end_.push_back(i == 0 ? end : std::max(end, last_end_.back()));
        }
        ran_in_call_.resize(tasks.size());
        for (const trace::event& each : made.events) {
            if (const auto task = task_of(each); task && each.kind == trace::event_kind::start) {
                const trace::task& of = tasks[*task];
                ran_in_call_[*task] =
                    of.ended && of.selected == each.time && of.thread == each.thread;
            }
        }
        for (const trace::event& each : made.events) {
            read(each, threads_[index_of(each.thread)]);
        }
        std::ranges::stable_sort(nested_, {}, &nested_task::parent);
    }

    [[nodiscard]] std::vector<std::vector<action>> actions() const {
        std::vector<std::vector<action>> all;
        for (const thread& each : threads_) {
            all.push_back(window_of(each) ? with_window(each) : each.actions);
        }
        return all;
    }
    [[nodiscard]] const std::vector<nested_task>& nested() const noexcept { return nested_; }
    /// Returns true if the task ran in the call that submitted it: it started there when it was selected.
    [[nodiscard]] bool ran_in_call(std::uint32_t task) const { return ran_in_call_[task] != 0; }

  private:
    struct thread {
        clock::time_point reached{};  // the end of its last action
        std::vector<action> actions{};
        std::vector<std::uint32_t> own{};  // tasks that it submitted, none of them nested
        std::size_t own_ended = 0;         // the first of them that ended before the last wait did
        std::vector<std::uint32_t> running{};
        std::optional<std::size_t>
            last_lag{};                   // of the last action, if it is a wait for an own task
        std::vector<std::size_t> lags{};  // of the waits before submissions
    };

    [[nodiscard]] std::size_t index_of(std::uint32_t number) {
        const auto [known, is_new] = indices_.try_emplace(number, threads_.size());
        if (is_new) {
            threads_.emplace_back().reached = begin_;
        }
        return known->second;
    }
    [[nodiscard]] std::optional<std::uint32_t> task_of(const trace::event& each) const {
        return numbers_.find(each.task);
    }
    [[nodiscard]] clock::time_point end_of(std::uint32_t task) const noexcept {
        return tasks_[task].ended.value_or(clock::time_point::max());
    }

    void read(const trace::event& each, thread& on) {
        while (!on.running.empty() && end_of(on.running.back()) <= each.time) {
            on.running.pop_back();
        }
        const auto task = task_of(each);
        if (each.kind == trace::event_kind::submission && task) {
            on.running.empty() ? submit(*task, on) : nest(*task, on.running.back());
        } else if (each.kind == trace::event_kind::start && task && tasks_[*task].ended) {
            on.running.push_back(*task);
        } else if (each.kind == trace::event_kind::wait && on.running.empty()) {
            wait(each, task, on);
        }
    }
    void nest(std::uint32_t task, std::uint32_t parent) {
        const auto begin = *tasks_[parent].begin();
        const auto whole = std::max<double>(1, count(end_of(parent) - begin));
        nested_.push_back({parent, task, count(*tasks_[task].submitted - begin) / whole});
    }
    void submit(std::uint32_t task, thread& on) {
        const trace::task& of = tasks_[task];
        if (on.last_lag) {
            on.lags.push_back(*on.last_lag);
        }
        add({.number = task, .what = action::kind::submit}, *of.submitted, on);
        on.own.push_back(task);
        on.reached = *of.submitted;
        if (ran_in_call(task)) {
            add({.number = task, .what = action::kind::wait}, *of.submitted, on);
            on.reached = *of.ended;
        }
    }
    void wait(const trace::event& each, std::optional<std::uint32_t> task, thread& on) {
        const auto end = each.time + each.duration;
        while (on.own_ended < on.own.size() && end_of(on.own[on.own_ended]) <= end) {
            ++on.own_ended;
        }
        if (task) {
            wait_for_task(each, *task, on);
        } else if (!on.own.empty() && end <= tasks_[on.own.back()].selected.value_or(begin_)) {
            on.reached = end;  // for a free resource, which another policy need not do
        } else if (each.task == 0) {
            wait_for_several(each, on);
        }
    }
    /// A wait for a task that was complete leaves no event: where all tasks before it, or all of the thread, had
    /// ended, the thread is taken to have waited for them too.
    void wait_for_task(const trace::event& each, std::uint32_t task, thread& on) {
        const auto position = std::ranges::lower_bound(on.own, task) - on.own.begin();
        const auto before = static_cast<std::size_t>(position);
        const bool is_own = before < on.own.size() && on.own[before] == task;
        action made{.number = task, .what = action::kind::wait};
        if (is_own && on.own_ended > before) {
            const bool is_all = on.own_ended == on.own.size();
            made = {.number = static_cast<std::uint32_t>(is_all ? on.own_ended : before + 1),
                    .what = action::kind::wait_for_own};
        }
        add(made, each.time, on);
        on.last_lag = is_own ? std::optional{on.own.size() - before} : std::nullopt;
        on.reached = std::clamp(end_of(task), each.time, each.time + each.duration);
    }
    void wait_for_several(const trace::event& each, thread& on) {
        const auto submitted = std::ranges::partition_point(
            tasks_, [&](const trace::task& of) { return *of.submitted <= each.time; });
        const auto count = static_cast<std::size_t>(submitted - tasks_.begin());
        const auto end = each.time + each.duration;
        if (count > 0 && last_end_[count - 1] <= end) {
            add({.number = static_cast<std::uint32_t>(count), .what = action::kind::wait_for_all},
                each.time, on);
            on.reached = std::max(last_end_[count - 1], each.time);
        } else if (on.own_ended > 0) {
            add({.number = static_cast<std::uint32_t>(on.own_ended),
                 .what = action::kind::wait_for_own},
                each.time, on);
            on.reached = end;
        }
    }

    /// Returns how many tasks a thread keeps outstanding: before each submission it waits for the task so many
    /// before. That shows in each wait that was recorded, and contradicts no submission without one.
    [[nodiscard]] std::optional<std::size_t> window_of(const thread& on) const {
        constexpr std::size_t fewest = 3;  // waits from which to conclude
        if (on.lags.size() < fewest || std::ranges::count(on.lags, on.lags[0]) !=
                                           static_cast<std::ptrdiff_t>(on.lags.size())) {
            return std::nullopt;
        }
        const std::size_t window = on.lags[0];
        for (std::size_t i = window; i < on.own.size(); ++i) {
            if (end_of(on.own[i - window]) > *tasks_[on.own[i]].submitted) {
                return std::nullopt;
            }
        }
        return window;
    }
    /// The actions with a wait before each submission, as another policy may make it block.
    [[nodiscard]] std::vector<action> with_window(const thread& on) const {
        const std::size_t window = on.lags[0];
        std::vector<action> all;
        std::uint32_t submitted = 0;
        for (action each : on.actions) {
            if (each.what == action::kind::submit && submitted++ >= window) {
                if (all.back().what == action::kind::submit) {
                    all.push_back({.gap = std::exchange(each.gap, 0)});
                }
                all.back().number = submitted - static_cast<std::uint32_t>(window);
                all.back().what = action::kind::wait_for_own;
            }
            all.push_back(each);
        }
        return all;
    }

    static void add(action made, clock::time_point time, thread& on) {
        on.last_lag.reset();
        made.gap = std::max(count(time - on.reached), 0.0);
        on.actions.push_back(made);
    }
    [[nodiscard]] static time_ns count(clock::duration time) noexcept {
        return static_cast<time_ns>(time.count());
    }

    const std::vector<trace::task>& tasks_;
    clock::time_point begin_;
    pointsman::detail::position_map numbers_;                 // tasks by their recorded numbers
    std::vector<clock::time_point> last_end_;                 // of the tasks up to each one
    std::vector<std::uint8_t> ran_in_call_;                   // by task
    std::unordered_map<std::uint32_t, std::size_t> indices_;  // threads by their numbers
    std::vector<thread> threads_;
    std::vector<nested_task> nested_;
};

}  // namespace pointsman::replay::detail
