// SPDX-License-Identifier: Apache-2.0
// Counters of outstanding submissions with one row for each thread: cheap to change, slow to read.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "pointsman/policy/detail/hazard.hpp"
#include "pointsman/policy/detail/thread_slots.hpp"

namespace pointsman {

/// Counters of outstanding work for policies that change them at every submission and seldom read them.
/// A task that begins on one thread and ends on another adds to one row and subtracts from another, so
/// only sums have a meaning; they are exact while nothing is being submitted.
/// **Thread safety**: any thread.
/// **Cost**: a change is two plain accesses to the thread's own memory; a sum reads one number for each
/// thread, up to the largest number of threads that ever ran at the same time.
class striped_loads {
  public:
    explicit striped_loads(std::size_t size)
        : size_{size},
          row_length_{(size + width - 1) / width * width},
          counts_{new(alignment) counter[(shared_row + 1) * row_length_]{}} {}

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// `thread` is the index of the calling thread (`detail::hazard_registry::thread`).
    [[gnu::always_inline]] void add(std::size_t index, std::size_t thread) noexcept {
        change(index, thread, 1U);
    }
    [[gnu::always_inline]] void subtract(std::size_t index, std::size_t thread) noexcept {
        change(index, thread, 0U - 1U);
    }

    [[nodiscard]] std::size_t load(std::size_t index) const noexcept {
        std::uint32_t sum = count(shared_row, index).load(std::memory_order_relaxed);
        const auto rows = std::min(detail::hazard_registry::threads(), shared_row);
        for (std::size_t row = 0; row < rows; ++row) {
            sum += count(row, index).load(std::memory_order_relaxed);
        }
        return static_cast<std::size_t>(std::max(static_cast<std::int32_t>(sum), 0));
    }
    /// Outstanding submissions by resource.
    [[nodiscard]] std::vector<std::size_t> loads() const {
        std::vector<std::size_t> all(size_);
        for (std::size_t i = 0; i < size_; ++i) {
            all[i] = load(i);
        }
        return all;
    }

  private:
    using counter = std::atomic<std::uint32_t>;  // may wrap around in one row; the sums are right
    static constexpr std::align_val_t alignment{detail::cache_line_pair};
    static constexpr std::size_t width = detail::cache_line_pair / sizeof(counter);
    static constexpr std::size_t shared_row = detail::thread_slots<counter>::limit;
    struct aligned_delete {
        void operator()(counter* counts) const noexcept { operator delete[](counts, alignment); }
    };

    [[nodiscard, gnu::always_inline]] counter& count(std::size_t row,
                                                     std::size_t index) const noexcept {
        return counts_[row * row_length_ + index];
    }

    [[gnu::always_inline]] void change(std::size_t index, std::size_t thread,
                                       std::uint32_t by) noexcept {
        if (thread < shared_row) [[likely]] {  // no other thread writes it
            counter& mine = count(thread, index);
            mine.store(mine.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
        } else {
            count(shared_row, index).fetch_add(by, std::memory_order_relaxed);
        }
    }

    std::size_t size_;
    std::size_t row_length_;  // a whole number of cache lines, so that rows do not share one
    std::unique_ptr<counter[], aligned_delete> counts_;
};

}  // namespace pointsman
