// SPDX-License-Identifier: Apache-2.0
// Outstanding tasks and their predicted times by resource, from which the earliest finish is computed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "pointsman/policy/detail/hazard.hpp"

namespace pointsman {

/// The number of outstanding tasks of each resource and the sum of their predicted times.
/// **Thread safety**: all members from any thread; the two numbers of a resource are not read in one step.
class backlog {
  public:
    using duration = std::chrono::nanoseconds;

    /// The outstanding work of one resource.
    struct amount {
        std::size_t tasks = 0;
        duration time{};

        /// The task's own part of its `elapsed` time, if it began behind this amount of work: in proportion
        /// to its `predicted` time; without a prediction all tasks count equally.
        [[nodiscard]] duration share_of(duration elapsed, duration predicted) const noexcept {
            if (tasks == 0) {
                return elapsed;
            }
            if (predicted <= duration::zero()) {
                return elapsed / static_cast<duration::rep>(tasks + 1);
            }
            const double share = static_cast<double>(predicted.count()) /
                                 static_cast<double>((time + predicted).count());
            return duration{
                static_cast<duration::rep>(static_cast<double>(elapsed.count()) * share)};
        }
    };

    explicit backlog(std::size_t size) : size_{size}, all_{std::make_unique<entry[]>(size)} {}

    /// Adds a task to resource `index`; returns the work that is ahead of it.
    [[nodiscard]] amount add(std::size_t index, duration predicted) noexcept {
        entry& to = all_[index];
        return {to.tasks.fetch_add(1), duration{to.time.fetch_add(predicted.count())}};
    }
    /// Removes a completed task.
    void subtract(std::size_t index, duration predicted) noexcept {
        all_[index].time.fetch_sub(predicted.count());
        all_[index].tasks.fetch_sub(1);
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] duration time(std::size_t index) const noexcept {
        return duration{all_[index].time.load(std::memory_order_relaxed)};
    }
    /// Outstanding tasks by resource.
    [[nodiscard]] std::vector<std::size_t> loads() const {
        std::vector<std::size_t> loads(size_);
        for (std::size_t i = 0; i < size_; ++i) {
            loads[i] = all_[i].tasks.load(std::memory_order_relaxed);
        }
        return loads;
    }

  private:
    struct alignas(detail::cache_line_pair) entry {
        std::atomic<std::size_t> tasks{0};
        std::atomic<duration::rep> time{0};
    };

    std::size_t size_;
    std::unique_ptr<entry[]> all_;
};

}  // namespace pointsman
