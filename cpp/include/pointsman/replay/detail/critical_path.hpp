// SPDX-License-Identifier: Apache-2.0
// How long a program takes if each task begins as soon as it is submitted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/replay/machine.hpp"
#include "pointsman/replay/workload.hpp"

namespace pointsman::replay::detail {

/// Without queues no task disturbs another one: each thread is followed on its own, up to a wait for a task that
/// another thread has yet to submit.
class critical_path {
  public:
    /// `work` is checked. `times` are those of the tasks, which start `latency` after their submission.
    critical_path(const workload& work, const std::vector<time_ns>& times, time_ns latency)
        : work_{work},
          times_{times},
          latency_{latency},
          threads_(work.threads.size()),
          ends_(work.size(), unknown) {}

    /// Returns the end of the last task. To be called once.
    /// **Throws**: `invalid_option` if the program waits for ever.
    [[nodiscard]] time_ns length() {
        for (std::uint32_t i = 0; i < threads_.size(); ++i) {
            ready_.push_back(i);
        }
        while (!ready_.empty()) {
            const std::uint32_t thread = ready_.back();
            ready_.pop_back();
            follow(thread);
        }
        if (submitted_ < work_.size()) {
            throw invalid_option{"a workload of " + std::to_string(work_.size()) +
                                 " tasks submits only " + std::to_string(submitted_) +
                                 ": its threads wait for tasks that are never submitted; check it"};
        }
        return *std::ranges::max_element(ends_);
    }

  private:
    static constexpr time_ns unknown = -1;

    struct thread_state {
        std::size_t position = 0;
        time_ns reached = 0;
        std::vector<time_ns> own{};  // the last end of its tasks up to each one
    };

    void follow(std::uint32_t number) {
        thread_state& of = threads_[number];
        for (const auto& actions = work_.threads[number]; of.position < actions.size();
             ++of.position) {
            const action& next = actions[of.position];
            const time_ns begin = of.reached + std::max(next.gap, 0.0);
            if (next.what == action::kind::submit) {
                submit(next.number, begin);
                const time_ns end = ends_[next.number];
                of.own.push_back(of.own.empty() ? end : std::max(of.own.back(), end));
                of.reached = begin;
            } else if (const auto over = end_of(next, of)) {
                of.reached = std::max(begin, *over);
            } else {
                waiting_.emplace(first_missing(next), number);
                return;
            }
        }
    }
    void submit(std::uint32_t task, time_ns time) {
        submissions_.emplace_back(task, time);
        while (!submissions_.empty()) {
            const auto [next, submitted] = submissions_.back();
            submissions_.pop_back();
            const time_ns start = submitted + latency_;
            ends_[next] = start + times_[next];
            ++submitted_;
            auto inner = std::ranges::lower_bound(work_.nested, next, {}, &nested_task::parent);
            for (; inner != work_.nested.end() && inner->parent == next; ++inner) {
                submissions_.emplace_back(inner->number, start + inner->part * times_[next]);
            }
            if (!waiting_.empty()) {
                wake(next);
            }
        }
    }
    void wake(std::uint32_t task) {
        const auto [first, last] = waiting_.equal_range(task);
        for (auto each = first; each != last; ++each) {
            ready_.push_back(each->second);
        }
        waiting_.erase(first, last);
    }

    /// The end of a wait; empty while one of its tasks has not been submitted.
    [[nodiscard]] std::optional<time_ns> end_of(const action& wait, const thread_state& by) {
        switch (wait.what) {
            case action::kind::wait:
                return known(ends_[wait.number]);
            case action::kind::wait_for_own:
                return wait.number == 0 ? 0 : by.own[wait.number - 1];
            default:
                while (last_ends_.size() < wait.number && ends_[last_ends_.size()] != unknown) {
                    const time_ns end = ends_[last_ends_.size()];
                    last_ends_.push_back(last_ends_.empty() ? end
                                                            : std::max(last_ends_.back(), end));
                }
                return wait.number == 0 ? std::optional{time_ns{0}}
                       : last_ends_.size() >= wait.number
                           ? std::optional{last_ends_[wait.number - 1]}
                           : std::nullopt;
        }
    }
    [[nodiscard]] static std::optional<time_ns> known(time_ns end) noexcept {
        return end == unknown ? std::nullopt : std::optional{end};
    }
    /// A task that is to be submitted before the wait can be over.
    [[nodiscard]] std::uint32_t first_missing(const action& wait) const noexcept {
        return wait.what == action::kind::wait ? wait.number
                                               : static_cast<std::uint32_t>(last_ends_.size());
    }

    const workload& work_;
    const std::vector<time_ns>& times_;
    time_ns latency_;
    std::vector<thread_state> threads_;
    std::vector<time_ns> ends_;       // by task
    std::vector<time_ns> last_ends_;  // of the first tasks of the workload, up to each one
    std::vector<std::uint32_t> ready_;
    std::unordered_multimap<std::uint32_t, std::uint32_t> waiting_;  // threads by task
    std::vector<std::pair<std::uint32_t, time_ns>> submissions_;  // of a task and those inside it
    std::size_t submitted_ = 0;
};

}  // namespace pointsman::replay::detail
