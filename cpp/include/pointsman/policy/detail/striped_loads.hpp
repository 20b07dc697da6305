// SPDX-License-Identifier: Apache-2.0
// Sums of outstanding work with one row for each thread: cheap to change, slow to read.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "pointsman/policy/detail/hazard.hpp"
#include "pointsman/policy/detail/thread_slots.hpp"

namespace pointsman {

/// Sums of outstanding work for policies that change them at every submission and seldom read them.
/// A task that begins on one thread and ends on another adds to one row and subtracts from another, so
/// only sums over the rows have a meaning; they are exact while nothing is being submitted.
/// **Thread safety**: any thread.
/// **Cost**: a change is two plain accesses to the thread's own memory; a sum reads one number for each
/// thread, up to the largest number of threads that ever ran at the same time.
template <std::unsigned_integral Number>
class striped_sums {
  public:
    explicit striped_sums(std::size_t size)
        : size_{size},
          row_length_{(size + width - 1) / width * width},
          sums_{new(alignment) counter[(shared_row + 1) * row_length_]{}} {}

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// `thread` is the index of the calling thread (`detail::hazard_registry::thread`).
    [[gnu::always_inline]] void add(std::size_t index, std::size_t thread, Number by = 1) noexcept {
        change(index, thread, by);
    }
    [[gnu::always_inline]] void subtract(std::size_t index, std::size_t thread,
                                         Number by = 1) noexcept {
        change(index, thread, Number{0} - by);
    }

    /// How many rows are in use: a caller that wants several sums asks once.
    [[nodiscard]] static std::size_t rows() noexcept {
        return std::min(detail::hazard_registry::threads(), shared_row);
    }
    /// The sum at `index`; never below zero.
    [[nodiscard]] Number sum(std::size_t index) const noexcept { return sum(index, rows()); }
    [[nodiscard, gnu::always_inline]] Number sum(std::size_t index,
                                                 std::size_t rows) const noexcept {
        Number all = at(shared_row, index).load(std::memory_order_relaxed);
        for (std::size_t row = 0; row < rows; ++row) {
            all += at(row, index).load(std::memory_order_relaxed);
        }
        return static_cast<std::make_signed_t<Number>>(all) < 0 ? 0 : all;
    }

  private:
    using counter = std::atomic<Number>;  // may wrap around in one row; the sums are right
    static constexpr std::align_val_t alignment{detail::cache_line_pair};
    static constexpr std::size_t width = detail::cache_line_pair / sizeof(counter);
    static constexpr std::size_t shared_row = detail::thread_slots<counter>::limit;
    struct aligned_delete {
        void operator()(counter* sums) const noexcept { operator delete[](sums, alignment); }
    };

    [[nodiscard, gnu::always_inline]] counter& at(std::size_t row,
                                                  std::size_t index) const noexcept {
        return sums_[row * row_length_ + index];
    }

    [[gnu::always_inline]] void change(std::size_t index, std::size_t thread, Number by) noexcept {
        if (thread < shared_row) [[likely]] {  // no other thread writes it
            counter& mine = at(thread, index);
            mine.store(mine.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
        } else {
            at(shared_row, index).fetch_add(by, std::memory_order_relaxed);
        }
    }

    std::size_t size_;
    std::size_t row_length_;  // a whole number of cache lines, so that rows do not share one
    std::unique_ptr<counter[], aligned_delete> sums_;
};

/// Counters of outstanding submissions by resource.
class striped_loads : public striped_sums<std::uint32_t> {
  public:
    using striped_sums::striped_sums;

    [[nodiscard]] std::vector<std::size_t> loads() const {
        std::vector<std::size_t> all(size());
        for (std::size_t i = 0; i < size(); ++i) {
            all[i] = sum(i);
        }
        return all;
    }
};

}  // namespace pointsman
