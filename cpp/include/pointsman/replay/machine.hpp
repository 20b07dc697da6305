// SPDX-License-Identifier: Apache-2.0
// A machine in virtual time: places with queues, some of which share hardware.
#pragma once

#include <algorithm>
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

#include "pointsman/replay/place.hpp"

namespace pointsman::replay {

/// Virtual nanoseconds.
using time_ns = double;

/// Simulates tasks that were submitted to places.
/// **Thread safety**: none.
/// **Cost**: of a submission and a completion, the logarithm of the tasks that run.
/// **Example**: `machine m{places};  m.submit(0, 2, 1e6);  const auto end = m.next();`
class machine {
  public:
    explicit machine(const std::vector<place>& places);

    /// The start or the end of a task.
    struct event {
        std::size_t number = 0;
        std::size_t place = 0;
        time_ns submitted = 0;
        time_ns started = 0;
        bool is_end = true;
    };

    /// From now on, `next` also returns the starts of tasks.
    void tell_starts() noexcept { tells_starts_ = true; }
    /// Submits the task `number`, which takes `cost` if it runs alone on `place`.
    void submit(std::size_t number, std::size_t place, time_ns cost) {
        place_state& at = places_[place];
        at.queue.push_back({number, now_, cost});
        ++outstanding_;
        if (at.latency > 0) {
            due_.push({now_ + at.latency, order_++, static_cast<std::uint32_t>(place), arrival});
        } else {
            start_waiting(place);
        }
    }
    /// Advances the time to the next event, but not beyond `limit`; then the result is empty.
    std::optional<event> next_until(time_ns limit) {
        for (;;) {
            if (auto started = take_start()) {
                return started;
            }
            if (due_.empty() || due_.top().time > limit) {
                now_ = due_.empty() && limit == std::numeric_limits<time_ns>::infinity() ? now_
                                                                                         : limit;
                return std::nullopt;
            }
            const due first = due_.top();
            due_.pop();
            if (first.version == arrival) {
                now_ = first.time;
                start_waiting(first.index);
            } else if (first.version == domains_[first.index].version) {
                now_ = first.time;
                return end_first(first.index);
            }
        }
    }
    /// Advances the time to the next event. At least one task is outstanding.
    event next() { return *next_until(std::numeric_limits<time_ns>::infinity()); }

    [[nodiscard]] time_ns now() const noexcept { return now_; }
    [[nodiscard]] std::size_t outstanding() const noexcept { return outstanding_; }

  private:
    struct waiting {
        std::size_t number;
        time_ns submitted;
        time_ns cost;
    };
    struct running {
        time_ns end;  // by the clock of the domain
        std::uint64_t order;
        std::size_t number;
        std::size_t place;
        time_ns submitted;
        time_ns started;
        [[nodiscard]] bool operator>(const running& other) const noexcept {
            return end != other.end ? end > other.end : order > other.order;
        }
    };
    struct place_state {
        std::size_t domain = 0;
        std::size_t slots = 1;
        double threads = 1;
        time_ns latency = 0;
        std::size_t running = 0;
        std::deque<waiting> queue{};
    };
    /// All tasks of a domain advance at the same speed, so they end in the order of its clock.
    struct domain_state {
        double capacity = 0;
        double threads = 0;
        time_ns clock = 0;
        time_ns at = 0;             // to which the clock was advanced
        std::uint32_t version = 0;  // of its entry in `due_`
        std::priority_queue<running, std::vector<running>, std::greater<>> tasks{};
    };
    /// The end of a task in a domain, or the time at which a submission reaches its place.
    struct due {
        time_ns time;
        std::uint64_t order;
        std::uint32_t index;
        std::uint32_t version;  // of the domain; that of an arrival is `arrival`
        [[nodiscard]] bool operator>(const due& other) const noexcept {
            return time != other.time ? time > other.time : order > other.order;
        }
    };
    static constexpr std::uint32_t arrival = 0;

    [[nodiscard]] static double speed_of(const domain_state& of) noexcept {
        return std::min(1.0, of.capacity / of.threads);
    }
    void advance(domain_state& of) const noexcept;
    void schedule(std::size_t domain);
    void start_waiting(std::size_t place);
    [[nodiscard]] event end_first(std::size_t domain);
    [[nodiscard]] std::optional<event> take_start();

    std::vector<place_state> places_;
    std::vector<domain_state> domains_;
    std::priority_queue<due, std::vector<due>, std::greater<>> due_;
    std::deque<event> starts_;
    bool tells_starts_ = false;
    std::uint64_t order_ = 0;
    std::size_t outstanding_ = 0;
    time_ns now_ = 0;
};

inline machine::machine(const std::vector<place>& places) {
    std::unordered_map<std::uint64_t, std::size_t> known;
    for (const place& each : places) {
        const domain& of = each.hardware;
        const auto index =
            of.id == 0 ? domains_.size() : known.try_emplace(of.id, domains_.size()).first->second;
        if (index == domains_.size()) {
            domains_.emplace_back();
        }
        domain_state& shared = domains_[index];
        shared.capacity = std::max(shared.capacity, of.capacity > 0 ? of.capacity : 1);
        places_.push_back({.domain = index,
                           .slots = std::max<std::size_t>(of.slots, 1),
                           .threads = of.threads_each > 0 ? of.threads_each : 1,
                           .latency = static_cast<time_ns>(each.latency.count())});
    }
}

inline std::optional<machine::event> machine::take_start() {
    if (starts_.empty()) {
        return std::nullopt;
    }
    const event first = starts_.front();
    starts_.pop_front();
    return first;
}

inline void machine::advance(domain_state& of) const noexcept {
    if (of.threads > 0) {
        of.clock += (now_ - of.at) * speed_of(of);
    }
    of.at = now_;
}

/// The next end in the domain takes the place of the one that was due.
inline void machine::schedule(std::size_t domain) {
    domain_state& of = domains_[domain];
    of.version = of.version + 1 == arrival ? 1 : of.version + 1;
    if (!of.tasks.empty()) {
        const time_ns left = std::max(of.tasks.top().end - of.clock, 0.0) / speed_of(of);
        due_.push({now_ + left, order_++, static_cast<std::uint32_t>(domain), of.version});
    }
}

inline void machine::start_waiting(std::size_t place) {
    place_state& at = places_[place];
    const auto can_start = [&] {
        return !at.queue.empty() && at.running < at.slots &&
               at.queue.front().submitted + at.latency <= now_;
    };
    if (!can_start()) {
        return;
    }
    domain_state& of = domains_[at.domain];
    advance(of);
    while (can_start()) {
        const waiting next = at.queue.front();
        at.queue.pop_front();
        ++at.running;
        of.threads += at.threads;
        of.tasks.push({of.clock + next.cost, order_++, next.number, place, next.submitted, now_});
        if (tells_starts_) {
            starts_.push_back({next.number, place, next.submitted, now_, false});
        }
    }
    schedule(at.domain);
}

inline machine::event machine::end_first(std::size_t domain) {
    domain_state& of = domains_[domain];
    advance(of);
    const running ended = of.tasks.top();
    of.tasks.pop();
    place_state& at = places_[ended.place];
    --at.running;
    of.threads -= at.threads;
    --outstanding_;
    if (of.tasks.empty()) {
        of.threads = 0;  // whatever sums of rounded numbers say
        of.clock = 0;
    }
    if (at.queue.empty()) {
        schedule(domain);
    } else {
        start_waiting(ended.place);
        if (at.running < at.slots) {  // nothing has arrived that could start
            schedule(domain);
        }
    }
    return {ended.number, ended.place, ended.submitted, ended.started, true};
}

}  // namespace pointsman::replay
