// SPDX-License-Identifier: Apache-2.0
// A round-robin counter that many threads share; each thread leases several positions at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "pointsman/policy/detail/thread_slots.hpp"

namespace pointsman {

/// Returns the positions 0 to `size` - 1 in turn, in strict order for a single thread. The leases of a
/// thread double, up to `longest_lease` positions, while no other thread renews a lease or while renewals
/// collide; otherwise they halve, so threads that rarely take turns lease single positions.
///
/// **Thread safety**: any thread, each under its own index (`detail::thread_slots`).
/// **Cost**: one atomic operation for each lease; no division.
class turn {
  public:
    static constexpr std::uint32_t longest_lease = 8;

    turn(std::size_t size, std::size_t first)
        : size_{static_cast<std::uint32_t>(size)},
          latest_{{static_cast<std::uint32_t>(first), nobody}} {}

    [[nodiscard]] std::size_t next(std::size_t thread) noexcept {
        lease* const mine = leases_.of(thread);
        if (mine == nullptr) {
            lease once;
            return renew(once, thread);
        }
        if (mine->left == 0) {
            return renew(*mine, thread);
        }
        --mine->left;
        return std::exchange(mine->position, after(mine->position, 1));
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

  private:
    static constexpr auto nobody = static_cast<std::uint32_t>(detail::no_thread);

    struct lease {
        std::uint32_t position = 0;
        std::uint32_t left = 0;
        std::uint32_t length = 1;
    };
    struct alignas(8) turns_taken {
        std::uint32_t next;
        std::uint32_t thread;  // that took the latest lease
    };

    /// Takes a new lease and returns its first position.
    [[gnu::noinline]] std::size_t renew(lease& mine, std::size_t thread) noexcept {
        const auto me = static_cast<std::uint32_t>(thread);
        turns_taken latest = latest_.load(std::memory_order_relaxed);
        const bool alone = latest.thread == me;
        bool collided = false;
        while (!latest_.compare_exchange_strong(latest, {after(latest.next, mine.length), me},
                                                std::memory_order_relaxed)) {
            collided = true;
        }
        mine.position = after(latest.next, 1);
        mine.left = mine.length - 1;
        mine.length = alone || collided ? std::min(2 * mine.length, longest_lease)
                                        : std::max(mine.length / 2, 1U);
        return latest.next;
    }

    /// Returns the position `length` after `position`; without a division, since leases are short.
    [[nodiscard]] std::uint32_t after(std::uint32_t position, std::uint32_t length) const noexcept {
        position += length;
        while (position >= size_) {
            position -= size_;
        }
        return position;
    }

    const std::uint32_t size_;
    detail::thread_slots<lease> leases_;
    alignas(detail::cache_line_pair) std::atomic<turns_taken> latest_;
};

}  // namespace pointsman
