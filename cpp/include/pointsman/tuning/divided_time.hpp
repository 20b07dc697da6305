// SPDX-License-Identifier: Apache-2.0
// Divides the time of shared hardware among the tasks that run on it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
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
/// Times are nanoseconds of one monotonic clock. An event may be told late, after others of a later time.
///
/// **Thread safety**: none; the caller locks.
/// **Cost**: in proportion to the resources of the domain and the slots of the resource.
class divided_time {
  public:
    using task_id = std::uint64_t;

    /// `domains` has that of each resource.
    explicit divided_time(std::span<const domain> domains);

    /// A task was submitted to `resource`; `predicted` is its cost. `share` is the part of what it receives
    /// that is its own, where tasks that this object is not told of run there too. Returns a number for the
    /// task, whose lower half is never 0.
    /// **Throws**: `std::bad_alloc`; the task then does not count.
    [[nodiscard]] task_id submit(std::size_t resource, double predicted, double now,
                                 double share = 1);
    /// The task has ended. Returns its cost; zero for a task that has ended before.
    double end(task_id number, double now) noexcept;
    /// The task has ended `elapsed` after its submission.
    double end_after(task_id number, double elapsed) noexcept;

    /// Predicted work that a domain has outstanding.
    [[nodiscard]] double backlog(std::size_t domain, double now) noexcept;
    /// The same without regard to what the running tasks have received.
    [[nodiscard]] double predicted(std::size_t domain) const noexcept {
        return domains_[domain].predicted;
    }
    /// The index of the domain of `resource`, counted in the order of the resources.
    [[nodiscard]] std::size_t domain_of(std::size_t resource) const noexcept {
        return resources_[resource].domain;
    }
    [[nodiscard]] std::size_t domains() const noexcept { return domains_.size(); }
    /// How many tasks the resource runs at a time.
    [[nodiscard]] std::size_t slots(std::size_t resource) const noexcept {
        return resources_[resource].slots;
    }
    /// Tasks outstanding on all resources.
    [[nodiscard]] std::size_t load() const noexcept { return load_; }
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
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    // For which there is memory from the start.
    static constexpr std::size_t usual_running = 8;
    static constexpr std::size_t usual_tasks = 64;

    /// An entry of `tasks_`, which serves one task after the other.
    struct task {
        std::size_t resource = 0;
        double predicted = 0;
        double submitted = 0;
        double started = 0;            // by the clock of the resource
        double share = 1;              // of what it receives, its own
        std::uint32_t generation = 0;  // of the entry: how many tasks it has served
        std::uint32_t next = none;     // in the line of those that wait, or of free entries
        std::uint32_t before = none;   // in the line of those that wait
        enum class state : std::uint8_t { free, waits, runs } is = state::free;
    };
    struct resource_state {
        std::size_t domain = 0;
        std::size_t slots = 1;
        double threads_each = 1;
        double clock = 0;  // what each running task has received
        std::size_t load = 0;
        std::vector<std::uint32_t> running;
        std::uint32_t first_waiting = none;
        std::uint32_t last_waiting = none;
    };
    struct domain_state {
        double capacity = 0;  // the largest that a resource states
        double threads = 0;   // that run
        double at = 0;        // the time to which the clocks were advanced
        std::size_t load = 0;
        double predicted = 0;  // of all outstanding tasks
        std::vector<std::size_t> resources;
    };

    [[nodiscard]] static task_id number_of(std::uint32_t entry, std::uint32_t generation) noexcept {
        return (task_id{generation} << 32U) | (entry + 1ULL);
    }
    [[nodiscard]] std::uint32_t entry_of(task_id number) const noexcept;
    [[nodiscard]] std::uint32_t take_entry();
    void give_entry_back(std::uint32_t entry) noexcept;
    void append(resource_state& on, std::uint32_t entry) noexcept;
    void unlink(resource_state& on, std::uint32_t entry) noexcept;
    void start_next(resource_state& on, double now) noexcept;
    void advance(domain_state& shared, double now) noexcept;
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
    std::vector<task> tasks_;
    std::uint32_t free_ = none;
    std::size_t load_ = 0;
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
        made.running.reserve(std::min(made.slots, usual_running));
    }
    tasks_.reserve(usual_tasks);
}

inline divided_time::task_id divided_time::submit(std::size_t resource, double predicted,
                                                  double now, double share) {
    resource_state& on = resources_[resource];
    domain_state& shared = domains_[on.domain];
    advance(shared, now);
    on.running.reserve(std::min(on.slots, std::bit_ceil(on.running.size() + 1)));
    const std::uint32_t entry = take_entry();
    task& made = tasks_[entry];
    made.resource = resource;
    made.predicted = predicted;
    made.submitted = now;
    made.share = share;
    shared.predicted += predicted;
    ++shared.load;
    ++on.load;
    ++load_;
    append(on, entry);
    if (on.running.size() < on.slots) {
        start_next(on, now);
    }
    return number_of(entry, made.generation);
}

inline double divided_time::end(task_id number, double now) noexcept {
    const std::uint32_t entry = entry_of(number);
    if (entry == none) {
        return 0;
    }
    const task ended = tasks_[entry];
    resource_state& on = resources_[ended.resource];
    domain_state& shared = domains_[on.domain];
    advance(shared, now);
    --on.load;
    --load_;
    // An idle domain has no work, whatever sums of rounded numbers say.
    shared.predicted = --shared.load == 0 ? 0 : shared.predicted - ended.predicted;
    const double clock = clock_at(on, now);
    if (ended.is ==
        task::state::waits) {  // it overtook one that was taken to run, and used its time
        unlink(on, entry);
        give_entry_back(entry);
        // It received no more than the time since its submission, however long the other has run.
        const double most = (now - ended.submitted) * speed(shared) * on.threads_each;
        task& overtaken = tasks_[on.running.front()];
        const double booked = std::clamp(clock - overtaken.started, 0.0, std::max(most, 0.0));
        overtaken.started += booked;
        return booked * ended.share;
    }
    std::erase(on.running, entry);
    give_entry_back(entry);
    shared.threads -= on.threads_each;
    start_next(on, now);
    return std::max(clock - ended.started, 0.0) * ended.share;
}

inline double divided_time::end_after(task_id number, double elapsed) noexcept {
    const std::uint32_t entry = entry_of(number);
    return entry == none ? 0 : end(number, tasks_[entry].submitted + elapsed);
}

inline double divided_time::backlog(std::size_t domain, double now) noexcept {
    domain_state& shared = domains_[domain];
    advance(shared, now);
    double left = shared.predicted;
    for (const std::size_t index : shared.resources) {
        const resource_state& on = resources_[index];
        const double clock = clock_at(on, now);
        for (const std::uint32_t entry : on.running) {
            const task& each = tasks_[entry];
            left -= std::clamp(clock - each.started, 0.0, each.predicted);
        }
    }
    return std::max(left, 0.0);
}

/// Where the task with this number is, or `none` if it has ended.
inline std::uint32_t divided_time::entry_of(task_id number) const noexcept {
    const auto entry = static_cast<std::uint32_t>(number) - 1U;
    const bool is_its_own = number != 0 && entry < tasks_.size() &&
                            tasks_[entry].is != task::state::free &&
                            number_of(entry, tasks_[entry].generation) == number;
    return is_its_own ? entry : none;
}

inline std::uint32_t divided_time::take_entry() {
    if (free_ == none) {
        tasks_.emplace_back();
        return static_cast<std::uint32_t>(tasks_.size() - 1);
    }
    const std::uint32_t entry = std::exchange(free_, tasks_[free_].next);
    tasks_[entry].next = none;
    return entry;
}

inline void divided_time::give_entry_back(std::uint32_t entry) noexcept {
    task& left = tasks_[entry];
    left = {.generation = left.generation + 1, .next = free_};
    free_ = entry;
}

inline void divided_time::append(resource_state& on, std::uint32_t entry) noexcept {
    task& last = tasks_[entry];
    last.is = task::state::waits;
    last.before = std::exchange(on.last_waiting, entry);
    (last.before == none ? on.first_waiting : tasks_[last.before].next) = entry;
}

inline void divided_time::unlink(resource_state& on, std::uint32_t entry) noexcept {
    const task& left = tasks_[entry];
    (left.before == none ? on.first_waiting : tasks_[left.before].next) = left.next;
    (left.next == none ? on.last_waiting : tasks_[left.next].before) = left.before;
}

/// Starts the task that waits longest; there is room for it in `running`.
inline void divided_time::start_next(resource_state& on, double now) noexcept {
    const std::uint32_t entry = on.first_waiting;
    if (entry == none) {
        return;
    }
    unlink(on, entry);
    task& started = tasks_[entry];
    started.next = none;
    started.before = none;
    started.started = clock_at(on, now);
    started.is = task::state::runs;
    on.running.push_back(entry);
    domains_[on.domain].threads += on.threads_each;
}

inline void divided_time::advance(domain_state& shared, double now) noexcept {
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
