// SPDX-License-Identifier: Apache-2.0
// Divides the time of shared hardware among the tasks that run on it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "pointsman/tuning/domain.hpp"

namespace pointsman {

/// Books on each task what it received of its domain. The first outstanding tasks of a resource run, as many
/// as it has slots; where the running tasks of a domain have more threads than it has, all advance at the same
/// fraction of their speed. What a task has received when it ends is its cost, in nanoseconds of the whole
/// domain, whoever ran beside it and however long it waited. Of a resource that runs one task at a time and
/// has its hardware to itself that is the time since its submission or since the end of the task before it.
///
/// **Thread safety**: none; the caller locks.
/// **Cost**: in proportion to the resources of the domain and the slots of the resource.
class divided_time {
  public:
    /// `domains` has that of each resource.
    explicit divided_time(std::span<const domain> domains);

    /// A task, by a number of its own, was submitted to `resource`; `predicted` is its cost, zero where it is
    /// unknown. Times are nanoseconds of one monotonic clock.
    void submit(std::size_t resource, std::uint64_t number, double predicted, double now);
    /// It has ended. Returns its cost.
    double end(std::size_t resource, std::uint64_t number, double now);

    /// How much predicted work the domain of `resource` has outstanding.
    [[nodiscard]] double backlog(std::size_t resource, double now);
    /// Returns true if another task would wait behind more than one that waits already.
    [[nodiscard]] bool is_full(std::size_t resource) const noexcept {
        return outstanding(resource) > resources_[resource].slots;
    }
    [[nodiscard]] std::size_t outstanding(std::size_t resource) const noexcept {
        return resources_[resource].running.size() + resources_[resource].waiting.size();
    }
    [[nodiscard]] std::size_t size() const noexcept { return resources_.size(); }

  private:
    struct task {
        std::uint64_t number;
        double predicted;
        double started;  // by the clock of the resource
    };
    struct resource_state {
        std::size_t domain = 0;
        std::size_t slots = 1;
        double threads_each = 1;
        double clock = 0;  // what each running task has received
        std::vector<task> running;
        std::deque<task> waiting;
    };
    struct domain_state {
        double capacity = 1;
        double threads = 0;  // that run
        double at = 0;
        double predicted = 0;  // of all outstanding tasks
        std::vector<std::size_t> resources;
    };

    void start(resource_state& on, task next);
    void advance(domain_state& shared, double now);

    std::vector<resource_state> resources_;
    std::vector<domain_state> domains_;
};

inline divided_time::divided_time(std::span<const domain> domains) {
    std::vector<std::uint64_t> ids;
    for (const domain& each : domains) {
        const auto known = std::ranges::find(ids, each.id);
        const auto index = static_cast<std::size_t>(known - ids.begin());
        if (each.id == 0 || known == ids.end()) {
            domains_.emplace_back();
            ids.push_back(each.id);
        }
        const std::size_t own = each.id == 0 ? domains_.size() - 1 : index;
        domains_[own].capacity = std::max(domains_[own].capacity, each.capacity);
        domains_[own].resources.push_back(resources_.size());
        resources_.push_back({.domain = own,
                              .slots = std::max<std::size_t>(each.slots, 1),
                              .threads_each = each.threads_each,
                              .running = {},
                              .waiting = {}});
    }
}

inline void divided_time::submit(std::size_t resource, std::uint64_t number, double predicted,
                                 double now) {
    resource_state& on = resources_[resource];
    domain_state& shared = domains_[on.domain];
    advance(shared, now);
    shared.predicted += predicted;
    if (on.running.size() < on.slots) {
        start(on, {number, predicted, 0});
    } else {
        on.waiting.push_back({number, predicted, 0});
    }
}

inline double divided_time::end(std::size_t resource, std::uint64_t number, double now) {
    resource_state& on = resources_[resource];
    domain_state& shared = domains_[on.domain];
    advance(shared, now);
    auto ended = std::ranges::find(on.running, number, &task::number);
    if (ended == on.running.end()) {  // it ran although others came before it: one of them waits
        const auto waiting = std::ranges::find(on.waiting, number, &task::number);
        if (waiting == on.waiting.end()) {
            return 0;
        }
        ended = on.running.begin();
        std::swap(ended->number, waiting->number);
        std::swap(ended->predicted, waiting->predicted);
    }
    const double received = on.clock - ended->started;
    shared.predicted -= ended->predicted;
    shared.threads -= on.threads_each;
    *ended = on.running.back();
    on.running.pop_back();
    if (!on.waiting.empty()) {
        start(on, on.waiting.front());
        on.waiting.pop_front();
    }
    return received;
}

inline double divided_time::backlog(std::size_t resource, double now) {
    domain_state& shared = domains_[resources_[resource].domain];
    advance(shared, now);
    double left = shared.predicted;
    for (const std::size_t index : shared.resources) {
        const resource_state& on = resources_[index];
        for (const task& each : on.running) {
            left -= std::min(each.predicted, on.clock - each.started);
        }
    }
    return std::max(left, 0.0);
}

inline void divided_time::start(resource_state& on, task next) {
    next.started = on.clock;
    on.running.push_back(next);
    domains_[on.domain].threads += on.threads_each;
}

inline void divided_time::advance(domain_state& shared, double now) {
    const double received = (now - shared.at) / std::max(shared.capacity, shared.threads);
    shared.at = now;
    for (const std::size_t index : shared.resources) {
        resources_[index].clock += received * resources_[index].threads_each;
    }
}

}  // namespace pointsman
