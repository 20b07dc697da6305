// SPDX-License-Identifier: Apache-2.0
// Counts outstanding submissions by resource; finds and reserves the least loaded resource atomically.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "pointsman/policy/detail/thread_slots.hpp"
#include "pointsman/policy/tie_break.hpp"

namespace pointsman {

/// Counters of outstanding work, one for each resource, on cache lines of their own.
/// **Thread safety**: all members from any thread.
class load_table {
  public:
    static constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

    explicit load_table(std::size_t size, std::size_t offset = 0,
                        tie_break ties = tie_break::rotate)
        : size_{size}, loads_{std::make_unique<counter[]>(size)}, offset_{offset}, ties_{ties} {}

    /// Takes the least loaded resource and counts one submission on it, atomically: of two callers
    /// that see the same idle resource only one gets it. The scan begins after the last choice of
    /// `thread` (an index of `detail::thread_slots`), so that ties rotate, and stops at an idle
    /// resource. A thread that takes a resource last taken by another thread stays with it for up to
    /// `longest_stay` submissions, so that the two threads separate. With `tie_break::first` every scan
    /// begins at `offset` instead.
    [[nodiscard]] std::size_t reserve_least(std::size_t thread) noexcept {
        return reserve(no_limit, thread, [](std::size_t) noexcept { return true; });
    }

    /// As `reserve_least`, but empty if every resource has at least `limit` submissions outstanding.
    [[nodiscard]] std::optional<std::size_t> reserve_below(std::uint32_t limit,
                                                           std::size_t thread) noexcept {
        return reserve_below(limit, thread, [](std::size_t) noexcept { return true; });
    }

    /// As above, but only among the resources for which `suits(index)` is true.
    /// **Throws**: what `suits` throws.
    template <std::predicate<std::size_t> Suits>
    [[nodiscard, gnu::always_inline]] std::optional<std::size_t> reserve_below(
        std::uint32_t limit, std::size_t thread,
        const Suits& suits) noexcept(noexcept(suits(thread))) {
        const std::size_t index = reserve(limit, thread, suits);
        return index == none ? std::nullopt : std::optional{index};
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    void add(std::size_t index) noexcept {
        loads_[index].value.fetch_add(1, std::memory_order_relaxed);
    }
    /// Sequentially consistent, to be ordered before a following check for waiting threads. The load
    /// never becomes negative.
    void subtract(std::size_t index) noexcept {
        if (loads_[index].value.fetch_sub(1) == 0) [[unlikely]] {
            add(index);
        }
    }
    [[nodiscard]] std::uint32_t load(std::size_t index) const noexcept {
        return loads_[index].value.load(std::memory_order_relaxed);
    }
    /// Returns the outstanding submissions by resource; the counters are not read at the same moment.
    [[nodiscard]] std::vector<std::size_t> loads() const {
        std::vector<std::size_t> all(size_);
        for (std::size_t i = 0; i < size_; ++i) {
            all[i] = load(i);
        }
        return all;
    }

  private:
    static constexpr std::uint32_t longest_stay = 8;
    static constexpr std::size_t unset = static_cast<std::size_t>(-1);
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct alignas(detail::cache_line_pair) counter {
        std::atomic<std::uint32_t> value{0};
        std::atomic<std::size_t> last_thread{unset};
    };
    struct scan {
        std::size_t start = unset;
        std::uint32_t stay = 0;
    };
    struct candidate {
        std::size_t index;
        std::uint32_t load;
    };

    /// Returns the reserved index, or `none`. Not a `std::optional`, which is returned by way of memory: its
    /// flag is read with more bytes than were written, and the processor waits for the store.
    template <class Suits>
    [[nodiscard]] std::size_t reserve(std::uint32_t limit, std::size_t thread,
                                      const Suits& suits) noexcept(noexcept(suits(thread))) {
        scan temporary;
        scan* const own = scans_.of(thread);
        scan& mine = own != nullptr ? *own : temporary;
        if (mine.start == unset) {
            mine.start = offset_;
        }
        while (true) {
            auto [index, load] = least(mine.start, suits);
            if (load >= limit) {
                return none;
            }
            if (loads_[index].value.compare_exchange_strong(load, load + 1)) {
                if (ties_ == tie_break::rotate) {
                    move_on(mine, index, thread);
                }
                return index;
            }
        }
    }

    template <class Suits>
    [[nodiscard]] candidate least(std::size_t first, const Suits& suits) const
        noexcept(noexcept(suits(first))) {
        candidate best{first, suits(first) ? load(first) : no_limit};
        std::size_t index = first;
        for (std::size_t n = 1; n < size_ && best.load != 0; ++n) {
            index = index + 1 == size_ ? 0 : index + 1;
            if (const auto found = load(index); found < best.load && suits(index)) {
                best = {index, found};
            }
        }
        return best;
    }

    /// Sets where the scan of the next submission of this thread begins.
    void move_on(scan& mine, std::size_t index, std::size_t thread) noexcept {
        auto& last = loads_[index].last_thread;
        if (const auto before = last.load(std::memory_order_relaxed); before != thread) {
            last.store(thread, std::memory_order_relaxed);
            mine.stay = before == unset ? 0 : longest_stay - 1;
        }
        if (mine.stay > 0) {
            --mine.stay;
            mine.start = index;
        } else {
            mine.start = index + 1 == size_ ? 0 : index + 1;
        }
    }

    std::size_t size_;
    std::unique_ptr<counter[]> loads_;
    std::size_t offset_;
    tie_break ties_;
    detail::thread_slots<scan> scans_;
};

}  // namespace pointsman
