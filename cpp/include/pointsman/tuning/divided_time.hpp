// SPDX-License-Identifier: Apache-2.0
// Divides the time of shared hardware among the tasks that run on it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "pointsman/tuning/domain.hpp"

namespace pointsman {

/// Books on each task what it received of its domain. The first outstanding tasks of a resource run, as many
/// as it has slots; where the running tasks of a domain have more threads than it has, all advance at the same
/// fraction of their speed. What a task has received when it ends is its cost, in nanoseconds of the whole
/// domain, whoever ran beside it and however long it waited. Of a resource that runs one task at a time and
/// has its hardware to itself that is the time since its submission or since the end of the task before it.
///
/// Times are nanoseconds of one monotonic clock. An event may be told late, after others of a later time.
///
/// **Thread safety**: none; the caller locks.
/// **Cost**: in proportion to the resources of the domain and the slots of the resource.
class divided_time {
  public:
    using task_id = std::uint64_t;

    /// `domains` has that of each resource.
    explicit divided_time(std::span<const domain> domains);

    /// A task was submitted to `resource`; `predicted` is its cost. Returns a number for it, never 0.
    /// **Throws**: `std::bad_alloc`; the task then does not count.
    [[nodiscard]] task_id submit(std::size_t resource, double predicted, double now);
    /// The task has ended. Returns its cost; zero for a task that has ended before.
    double end(task_id number, double now);

    /// Predicted work that the domain of `resource` has outstanding.
    [[nodiscard]] double backlog(std::size_t resource, double now);
    /// Tasks outstanding on `resource`.
    [[nodiscard]] std::size_t load(std::size_t resource) const noexcept {
        return resources_[resource].load;
    }
    [[nodiscard]] std::size_t size() const noexcept { return resources_.size(); }
    /// How long a task that costs a nanosecond of the domain takes on `resource` alone.
    [[nodiscard]] double time_alone(std::size_t resource) const noexcept {
        const resource_state& on = resources_[resource];
        return std::max(domains_[on.domain].capacity / on.threads_each, 1.0);
    }

  private:
    struct task {
        std::size_t resource;
        double predicted;
        double started = 0;  // by the clock of the resource
        bool runs = false;
    };
    struct resource_state {
        std::size_t domain = 0;
        std::size_t slots = 1;
        double threads_each = 1;
        double clock = 0;  // what each running task has received
        std::size_t load = 0;
        std::vector<task_id> running;
        std::deque<task_id> waiting;  // and some that have ended
    };
    struct domain_state {
        double capacity = 0;  // the largest that a resource states
        double threads = 0;   // that run
        double at = 0;        // the time to which the clocks were advanced
        std::size_t load = 0;
        double predicted = 0;  // of all outstanding tasks
        std::vector<std::size_t> resources;
    };

    void start(resource_state& on, task_id number, double now);
    void start_next(resource_state& on, double now);
    void drop_ended(resource_state& on);
    void advance(domain_state& shared, double now);
    [[nodiscard]] static double speed(const domain_state& shared) noexcept {
        return 1 / std::max(shared.capacity, shared.threads);
    }
    /// The resource's clock at `now`, which may be earlier than the time to which it was advanced.
    [[nodiscard]] double clock_at(const resource_state& on, double now) const noexcept {
        const domain_state& shared = domains_[on.domain];
        return on.clock + (now - shared.at) * speed(shared) * on.threads_each;
    }

    std::vector<resource_state> resources_;
    std::vector<domain_state> domains_;
    std::unordered_map<task_id, task> tasks_;
    task_id next_ = 1;
};

inline divided_time::divided_time(std::span<const domain> domains) {
    std::vector<std::uint64_t> ids;
    for (const domain& each : domains) {
        auto own = static_cast<std::size_t>(std::ranges::find(ids, each.id) - ids.begin());
        if (each.id == 0 || own == ids.size()) {
            own = ids.size();
            ids.push_back(each.id);
            domains_.emplace_back();
        }
        domains_[own].capacity =
            std::max(domains_[own].capacity, each.capacity > 0 ? each.capacity : 1);
        domains_[own].resources.push_back(resources_.size());
        resource_state& made = resources_.emplace_back();
        made.domain = own;
        made.slots = std::max<std::size_t>(each.slots, 1);
        if (each.threads_each > 0) {
            made.threads_each = each.threads_each;
        }
    }
}

inline divided_time::task_id divided_time::submit(std::size_t resource, double predicted,
                                                  double now) {
    resource_state& on = resources_[resource];
    domain_state& shared = domains_[on.domain];
    advance(shared, now);
    const task_id number = next_++;
    drop_ended(on);
    // Either may throw. A number in `waiting` without a task is one of a task that has ended.
    on.waiting.push_back(number);
    on.running.reserve(std::min(on.slots, std::bit_ceil(on.running.size() + 1)));
    tasks_.emplace(number, task{.resource = resource, .predicted = predicted});
    shared.predicted += predicted;
    ++shared.load;
    ++on.load;
    if (on.running.size() < on.slots) {
        start_next(on, now);
    }
    return number;
}

inline double divided_time::end(task_id number, double now) {
    const auto found = tasks_.find(number);
    if (found == tasks_.end()) {
        return 0;
    }
    const task ended = found->second;
    tasks_.erase(found);
    resource_state& on = resources_[ended.resource];
    domain_state& shared = domains_[on.domain];
    advance(shared, now);
    --on.load;
    // An idle domain has no work, whatever sums of rounded numbers say.
    shared.predicted = --shared.load == 0 ? 0 : shared.predicted - ended.predicted;
    const double clock = clock_at(on, now);
    if (!ended.runs) {  // it overtook one that was taken to run, and used its time
        task& overtaken = tasks_.at(on.running.front());
        const double received = clock - overtaken.started;
        overtaken.started = clock;
        return std::max(received, 0.0);
    }
    std::erase(on.running, number);
    shared.threads -= on.threads_each;
    start_next(on, now);
    return std::max(clock - ended.started, 0.0);
}

inline double divided_time::backlog(std::size_t resource, double now) {
    domain_state& shared = domains_[resources_[resource].domain];
    advance(shared, now);
    double left = shared.predicted;
    for (const std::size_t index : shared.resources) {
        const resource_state& on = resources_[index];
        const double clock = clock_at(on, now);
        for (const task_id number : on.running) {
            const task& each = tasks_.at(number);
            left -= std::clamp(clock - each.started, 0.0, each.predicted);
        }
    }
    return std::max(left, 0.0);
}

inline void divided_time::start(resource_state& on, task_id number, double now) {
    task& started = tasks_.at(number);
    started.started = clock_at(on, now);
    started.runs = true;
    on.running.push_back(number);
    domains_[on.domain].threads += on.threads_each;
}

inline void divided_time::start_next(resource_state& on, double now) {
    while (!on.waiting.empty()) {
        const task_id next = on.waiting.front();
        on.waiting.pop_front();
        if (tasks_.contains(next)) {
            start(on, next, now);
            return;
        }
    }
}

/// Keeps `waiting` from growing behind a task that never ends, at a constant cost for each submission.
inline void divided_time::drop_ended(resource_state& on) {
    constexpr std::size_t few = 16;
    if (on.waiting.size() > 2 * on.load + few) {
        std::erase_if(on.waiting, [&](task_id number) { return !tasks_.contains(number); });
    }
}

inline void divided_time::advance(domain_state& shared, double now) {
    if (now <= shared.at) {
        return;
    }
    const double received = (now - shared.at) * speed(shared);
    shared.at = now;
    for (const std::size_t index : shared.resources) {
        resources_[index].clock += received * resources_[index].threads_each;
    }
}

}  // namespace pointsman
