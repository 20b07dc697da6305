// SPDX-License-Identifier: Apache-2.0
// Keeps the wait() of a context from returning while more work is still to come.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace pointsman {

/// While a hold or a copy of it exists, the `wait()` of the context that returned the hold does not return.
/// The thread that waits for the context must not keep the hold itself. An empty hold has no effect.
///
/// `Held` is a pointer that shares a context's state, which has `hold()` and `release_hold()`.
/// **Thread safety**: a value; the context may be waited for on any thread.
/// **Example**:
///
///     auto more = cores.hold_open();
///     std::jthread producer{[&, more = std::move(more)] { produce_on(cores); }};
///     cores.wait();  // for the producer and its tasks
template <class Held>
class hold {
  public:
    hold() = default;
    explicit hold(Held held) noexcept : held_{std::move(held)} { take(); }
    hold(const hold& other) noexcept : held_{other.held_} { take(); }
    hold(hold&& other) noexcept : held_{std::exchange(other.held_, {})} {}
    hold& operator=(hold other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    ~hold() {
        if (held_) {
            held_->release_hold();
        }
    }

    explicit operator bool() const noexcept { return static_cast<bool>(held_); }
    friend bool operator==(const hold& a, const hold& b) noexcept {
        return a.held_.get() == b.held_.get();
    }

  private:
    void take() noexcept {
        if (held_) {
            held_->hold();
        }
    }

    Held held_;
};

namespace detail {

/// Counts the holds on a context whose `wait` can simply block while there are any.
/// **Thread safety**: any member from any thread.
class hold_count {
  public:
    void hold() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
    void release_hold() noexcept {
        if (count_.fetch_sub(1, std::memory_order_release) == 1) {
            count_.notify_all();
        }
    }
    /// Blocks until there are none.
    void await_none() const noexcept {
        for (auto count = load(); count != 0; count = load()) {
            count_.wait(count, std::memory_order_acquire);
        }
    }

  private:
    [[nodiscard]] std::size_t load() const noexcept {
        return count_.load(std::memory_order_acquire);
    }

    std::atomic<std::size_t> count_{0};
};

}  // namespace detail
}  // namespace pointsman
