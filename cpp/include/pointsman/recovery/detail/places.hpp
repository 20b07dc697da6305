// SPDX-License-Identifier: Apache-2.0
// The bounded number of submissions that may be outstanding.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stop_token>
#include <utility>

#include "pointsman/base/eventcount.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/recovery/detail/submission_line.hpp"
#include "pointsman/submission/submit_options.hpp"

namespace pointsman::detail {

/// **Thread safety**: any thread.
class places {
  public:
    /// `line` is told of every place that becomes free.
    places(std::size_t number, std::shared_ptr<submission_line> line) noexcept
        : free_{number}, line_{std::move(line)} {}

    [[nodiscard]] bool try_take() noexcept {
        std::size_t free = free_.load(std::memory_order_relaxed);
        while (free != 0 && !free_.compare_exchange_weak(free, free - 1)) {
        }
        return free != 0;
    }

    /// Waits until a place is free. **Throws**: `submit_timeout`, `submit_stopped`.
    void take(const submit_options& options) {
        if (try_take()) {
            return;
        }
        const submit_limit limit{options};
        const std::stop_callback wake{limit.stop(), [this] { freed_.notify(); }};
        for (;;) {
            eventcount::waiter waiter{freed_};  // before the test: later notifications are not lost
            if (try_take()) {
                return;
            }
            waiter.wait_for(limit.pause(std::chrono::hours{1}));
        }
    }

    void give_back() noexcept {
        give_back_unused();
        line_->wake();
    }
    /// For the line itself, which found no resource for its first submission.
    void give_back_unused() noexcept {
        free_.fetch_add(1);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        freed_.notify();
    }

  private:
    std::atomic<std::size_t> free_;
    const std::shared_ptr<submission_line> line_;
    eventcount freed_;
};

/// A place that is taken; given back when this is destroyed.
class taken_place {
  public:
    taken_place() = default;
    explicit taken_place(std::shared_ptr<places> from) noexcept : from_{std::move(from)} {}
    taken_place(taken_place&&) noexcept = default;
    taken_place& operator=(taken_place&& other) noexcept {
        taken_place{std::move(other)}.from_.swap(from_);
        return *this;
    }
    taken_place(const taken_place&) = delete;
    taken_place& operator=(const taken_place&) = delete;
    ~taken_place() {
        if (from_) {
            from_->give_back();
        }
    }
    void give_back_unused() noexcept {
        if (const auto from = std::exchange(from_, nullptr)) {
            from->give_back_unused();
        }
    }

  private:
    std::shared_ptr<places> from_;
};

}  // namespace pointsman::detail
