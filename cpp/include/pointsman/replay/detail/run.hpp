// SPDX-License-Identifier: Apache-2.0
// One run of a workload under a rule: the threads of the program, the rule and the machine in one order of time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"
#include "pointsman/replay/machine.hpp"
#include "pointsman/replay/place.hpp"
#include "pointsman/replay/result.hpp"
#include "pointsman/replay/workload.hpp"

namespace pointsman::replay::detail {

/// `Driven` is a `driven_rule`.
template <class Driven>
class run {
  public:
    run(const workload& work, const std::vector<place>& places, Driven& rule, bool keeps_placements)
        : work_{work},
          places_{places},
          rule_{rule},
          machine_{places},
          threads_(work.threads.size()),
          is_done_(work.size()) {
        made_.places.resize(places.size());
        if (keeps_placements) {
            made_.placements.resize(work.size());
        }
        if (!work.nested.empty()) {
            machine_.tell_starts();
        }
    }

    /// **Throws**: `invalid_option` if the rule never places a task, or the program waits for ever.
    [[nodiscard]] result make() {
        for (std::uint32_t i = 0; i < threads_.size(); ++i) {
            continue_after_gap(i, 0);
        }
        while (ended_ < work_.size()) {
            const time_ns next = due_.empty() ? never : due_.top().time;
            if (const auto event = machine_.next_until(next)) {
                event->is_end ? end(*event) : start_nested(*event);
            } else if (!due_.empty()) {
                const due first = due_.top();
                due_.pop();
                act_on(first);
            } else {
                throw invalid_option{
                    "a run of " + std::to_string(work_.size()) + " tasks stopped after " +
                    std::to_string(ended_) +
                    ": its threads wait for tasks that are never submitted; check the workload"};
            }
        }
        made_.finish(places_);
        return std::move(made_);
    }

  private:
    static constexpr time_ns never = std::numeric_limits<time_ns>::infinity();
    // The pauses after which the library asks a rule again.
    static constexpr time_ns shortest_pause = 50e3;
    static constexpr time_ns longest_pause = 5e6;
    static constexpr int most_pauses = 100'000;  // without a completion
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    struct thread_state {
        std::uint32_t position = 0;
        std::uint32_t own_done = 0;  // of its tasks, in their order
        bool is_blocked = false;
        std::vector<std::uint32_t> own{};  // tasks that it has submitted
    };
    struct due {
        enum class kind : std::uint8_t { thread, nested, retry };
        time_ns time;
        std::uint64_t order;
        std::uint32_t number;  // of the thread, or of the task
        kind what;
        [[nodiscard]] bool operator>(const due& other) const noexcept {
            return time != other.time ? time > other.time : order > other.order;
        }
    };
    struct held {  // a task that the rule lets wait
        std::uint32_t task;
        std::uint32_t thread;  // that submits it; `none` for a nested task
        time_ns since;
    };
    struct outstanding {
        typename Driven::choice choice;
        std::uint32_t task;
        std::uint32_t thread;
        time_ns submitted;
    };

    [[nodiscard]] static clock::duration duration_of(time_ns time) noexcept {
        return clock::duration{static_cast<clock::rep>(time)};
    }
    void push(time_ns time, std::uint32_t number, typename due::kind what) {
        due_.push({time, order_++, number, what});
    }

    void continue_after_gap(std::uint32_t thread, time_ns now) {
        const auto& actions = work_.threads[thread];
        if (const auto at = threads_[thread].position; at < actions.size()) {
            push(now + std::max(actions[at].gap, 0.0), thread, due::kind::thread);
        }
    }
    void act_on(const due& first) {
        switch (first.what) {
            case due::kind::thread:
                act(first.number);
                break;
            case due::kind::nested:
                submit({first.number, none, machine_.now()});
                break;
            case due::kind::retry:
                retry_is_due_ = false;
                submit_held();
                break;
        }
    }
    void act(std::uint32_t thread) {
        const action& next = work_.threads[thread][threads_[thread].position];
        if (next.what == action::kind::submit) {
            submit({next.number, thread, machine_.now()});
        } else if (is_over(thread, next)) {
            step(thread);
        } else {
            threads_[thread].is_blocked = true;
            if (next.what == action::kind::wait) {
                waiters_.emplace(next.number, thread);
            } else if (next.what == action::kind::wait_for_all) {
                wait_for_all_.push_back(thread);
            }
        }
    }
    void step(std::uint32_t thread) {
        ++threads_[thread].position;
        continue_after_gap(thread, machine_.now());
    }
    [[nodiscard]] bool is_over(std::uint32_t thread, const action& wait) {
        switch (wait.what) {
            case action::kind::wait:
                return is_done_[wait.number] != 0;
            case action::kind::wait_for_own: {
                thread_state& of = threads_[thread];
                while (of.own_done < of.own.size() && is_done_[of.own[of.own_done]] != 0) {
                    ++of.own_done;
                }
                return of.own_done >= wait.number;
            }
            default:
                while (all_done_ < work_.size() && is_done_[all_done_] != 0) {
                    ++all_done_;
                }
                return all_done_ >= wait.number;
        }
    }

    /// Tasks that wait go first.
    void submit(const held& next) {
        if (!held_.empty() || !try_submit(next)) {
            held_.push_back(next);
            retry_later();
        }
    }
    [[nodiscard]] bool try_submit(const held& next) {
        const time_ns now = machine_.now();
        const std::optional<typename Driven::choice> chosen =
            rule_.choose(work_.key_of(next.task), duration_of(now));
        if (!chosen) {
            return false;
        }
        const auto place = static_cast<std::size_t>(chosen->index);
        const std::uint32_t slot = slot_for({*chosen, next.task, next.thread, now});
        if (!made_.placements.empty()) {
            placement& made = made_.placements[next.task];
            made.submitted = next.since;
            made.selected = now;
            made.place = static_cast<std::uint32_t>(place);
        }
        if (next.thread != none) {
            threads_[next.thread].own.push_back(next.task);
        }
        machine_.submit(slot, place, std::max(work_.time_on(next.task, place), 1.0));
        if (next.thread != none) {
            step(next.thread);
        }
        return true;
    }
    void submit_held() {
        while (!held_.empty() && try_submit(held_.front())) {
            held_.pop_front();
            pauses_ = 0;
        }
        if (!held_.empty()) {
            retry_later();
        }
    }
    void retry_later() {
        if (retry_is_due_ || (Driven::waits_for_completion && machine_.outstanding() > 0)) {
            return;
        }
        if (++pauses_ > most_pauses) {
            throw invalid_option{"the policy finds no resource for task " +
                                 std::to_string(held_.front().task) +
                                 " although nothing completes any more: replay another policy"};
        }
        retry_is_due_ = true;
        const double doubled = shortest_pause * std::exp2(std::min(pauses_ - 1, 20));
        push(machine_.now() + std::min(doubled, longest_pause), 0, due::kind::retry);
    }

    void start_nested(const machine::event& started) {
        const std::uint32_t parent = tasks_[started.number].task;
        auto each = std::ranges::lower_bound(work_.nested, parent, {}, &nested_task::parent);
        for (; each != work_.nested.end() && each->parent == parent; ++each) {
            const time_ns time = work_.time_on(parent, started.place);
            push(started.started + each->part * time, each->number, due::kind::nested);
        }
    }
    void end(const machine::event& ended) {
        const outstanding done = tasks_[ended.number];
        free_.push_back(static_cast<std::uint32_t>(ended.number));
        const time_ns now = machine_.now();
        rule_.complete(done.choice, duration_of(now - ended.submitted), duration_of(now));
        placement whole{ended.submitted, ended.submitted, ended.started, now,
                        static_cast<std::uint32_t>(ended.place)};
        made_.add(whole);
        if (!made_.placements.empty()) {
            made_.placements[done.task].started = ended.started;
            made_.placements[done.task].ended = now;
        }
        ++ended_;
        pauses_ = 0;
        is_done_[done.task] = 1;
        if (!held_.empty()) {
            submit_held();
        }
        wake(done);
    }
    void wake(const outstanding& done) {
        const auto wake_if_over = [this](std::uint32_t thread) {
            thread_state& of = threads_[thread];
            if (of.is_blocked && is_over(thread, work_.threads[thread][of.position])) {
                of.is_blocked = false;
                step(thread);
                return true;
            }
            return false;
        };
        if (done.thread != none) {
            wake_if_over(done.thread);
        }
        if (!waiters_.empty()) {
            const auto [first, last] = waiters_.equal_range(done.task);
            for (auto each = first; each != last; ++each) {
                wake_if_over(each->second);
            }
            waiters_.erase(first, last);
        }
        if (!wait_for_all_.empty()) {
            std::erase_if(wait_for_all_, wake_if_over);
        }
    }
    [[nodiscard]] std::uint32_t slot_for(const outstanding& made) {
        if (free_.empty()) {
            tasks_.push_back(made);
            return static_cast<std::uint32_t>(tasks_.size() - 1);
        }
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        tasks_[slot] = made;
        return slot;
    }

    const workload& work_;
    const std::vector<place>& places_;
    Driven& rule_;
    machine machine_;
    result made_;
    std::vector<thread_state> threads_;
    std::vector<std::uint8_t> is_done_;
    std::size_t ended_ = 0;
    std::uint32_t all_done_ = 0;
    std::priority_queue<due, std::vector<due>, std::greater<>> due_;
    std::uint64_t order_ = 0;
    std::unordered_multimap<std::uint32_t, std::uint32_t> waiters_;  // threads by task
    std::vector<std::uint32_t> wait_for_all_;                        // threads
    std::deque<held> held_;
    bool retry_is_due_ = false;
    int pauses_ = 0;
    std::vector<outstanding> tasks_;   // by their numbers on the machine
    std::vector<std::uint32_t> free_;  // numbers that can be used again
};

}  // namespace pointsman::replay::detail
