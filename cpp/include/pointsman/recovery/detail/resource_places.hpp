// SPDX-License-Identifier: Apache-2.0
// The bounded number of attempts that each resource has at once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stop_token>

#include "pointsman/base/eventcount.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/recovery/detail/place_on_resource.hpp"
#include "pointsman/recovery/detail/resource_counts.hpp"
#include "pointsman/recovery/detail/submission_line.hpp"
#include "pointsman/submission/submit_options.hpp"

namespace pointsman::detail {

/// Thrown by a task that would accept a resource if that had a free place.
struct no_free_place {};

/// Resources are told apart by `==`. **Thread safety**: any thread. **Cost**: a search under a lock.
template <class Resource>
class resource_places {
  public:
    /// `line` is told of every place that becomes free.
    resource_places(std::size_t limit, std::shared_ptr<submission_line> line)
        : limit_{limit}, line_{std::move(line)} {}

    [[nodiscard]] bool has_room(const Resource& resource) const {
        const std::lock_guard lock{mutex_};
        return taken_.of(resource) < limit_;
    }

    /// Returns false if all places of the resource are taken.
    [[nodiscard]] bool try_take(const Resource& resource) {
        const std::lock_guard lock{mutex_};
        const bool has_place = taken_.of(resource) < limit_;
        if (has_place) {
            taken_.add(resource);
        }
        return has_place;
    }

    void give_back(const Resource& resource) noexcept {
        {
            const std::lock_guard lock{mutex_};
            taken_.subtract(resource);
        }
        std::atomic_thread_fence(std::memory_order_seq_cst);
        freed_.notify();
        line_->wake();
    }

    /// Calls `find(left)` with the limits that are left, until it returns something that is true, and returns
    /// that. It is empty if another thread has taken the last place, and throws `no_free_place` if all resources
    /// that the task accepts are full. **Throws**: `submit_timeout`, `submit_stopped`.
    template <class Find>
    [[nodiscard]] auto wait_for_place(const submit_options& options, Find find) {
        const submit_limit limit{options};
        const std::stop_callback wake{limit.stop(), [this] { freed_.notify(); }};
        submit_options left = options;
        for (std::size_t lost = 1;; ++lost) {
            eventcount::waiter waiter{
                freed_};  // before the search: later notifications are not lost
            try {
                if (auto found = find(left)) {
                    return found;
                }
            } catch (const no_free_place&) {
                lost = 0;
            }
            if (lost % longest_race == 0) {
                waiter.wait_for(limit.pause(longest_pause));
            }
            if (options.timeout && *options.timeout > clock::duration::zero()) {
                left.timeout = limit.pause(*options.timeout);
            }
        }
    }

  private:
    static constexpr std::size_t longest_race = 8;  // a policy may not ask which resources are full
    /// Nothing is notified when a quarantine ends.
    static constexpr clock::duration longest_pause = std::chrono::milliseconds{50};

    const std::size_t limit_;
    const std::shared_ptr<submission_line> line_;
    eventcount freed_;
    mutable std::mutex mutex_;
    resource_counts<Resource> taken_;
};

template <class Resource>
using taken_resource_place = place_on_resource<resource_places<Resource>, Resource>;

}  // namespace pointsman::detail
