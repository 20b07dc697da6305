// SPDX-License-Identifier: Apache-2.0
// Whose turn it is: a rotation that many threads share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "fairlead/policy/thread_slots.hpp"

namespace fairlead {

/// Gives out the positions 0 to `size` - 1 in turn. A thread that finds another one in its way leases
/// more positions at a time, up to `longest_lease`, and fewer again after a while without collisions.
///
/// **Thread safety**: any thread, each under its own index (`detail::thread_slots`).
/// **Cost**: one atomic step for each lease; no division while leases are of one position.
class turn {
  public:
    static constexpr std::uint32_t longest_lease = 8;

    turn(std::size_t size, std::size_t first) : size_{size}, next_{first} {}

    [[nodiscard]] std::size_t next(std::size_t thread) noexcept {
        lease* const mine = leases_.of(thread);
        if (mine == nullptr) {
            lease once;
            return renew(once);
        }
        if (mine->left == 0) {
            return renew(*mine);
        }
        --mine->left;
        return std::exchange(mine->position, after(mine->position, 1));
    }

  private:
    /// Renewals without a collision after which a lease gets shorter.
    static constexpr std::uint32_t patience = 64;

    struct lease {
        std::size_t position = 0;
        std::uint32_t left = 0;
        std::uint32_t length = 1;
        std::uint32_t calm = 0;
    };

    /// Gives out the first position of a new lease.
    std::size_t renew(lease& mine) noexcept {
        bool collided = false;
        std::size_t first = next_.load(std::memory_order_relaxed);
        while (!next_.compare_exchange_strong(first, after(first, mine.length),
                                              std::memory_order_relaxed)) {
            collided = true;
        }
        if (mine.length > 1) {
            mine.position = after(first, 1);
            mine.left = mine.length - 1;
        }
        if (collided) {
            mine.length = std::min(2 * mine.length, longest_lease);
            mine.calm = 0;
        } else if (mine.length > 1 && ++mine.calm == patience) {
            mine.length /= 2;
            mine.calm = 0;
        }
        return first;
    }

    [[nodiscard]] std::size_t after(std::size_t position, std::uint32_t length) const noexcept {
        position += length;
        return position < size_ ? position : length == 1 ? 0 : position % size_;
    }

    const std::size_t size_;
    detail::thread_slots<lease> leases_;
    alignas(detail::cache_line_pair) std::atomic<std::size_t> next_;
};

}  // namespace fairlead
