// SPDX-License-Identifier: Apache-2.0
// Counts and times the submissions of one resource, for `statistics()` of its policy.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "instant.hpp"
#include "pointsman/binding/base.hpp"

namespace pointsman::python {

/// What a policy has seen of a resource since it was initialised.
///
/// Calls that return a complete value are short or long alike: where the last timed call took less than
/// some 2 us, one in 64 is timed and stands for the others, unless the record times all.
/// **Thread safety**: any thread; `returned` with the GIL held.
/// **Cost**: `returned` one plain access to memory; without the GIL an atomic one, in memory that few threads
/// share.
class resource_record final : public binding::ref_counted {
  public:
    struct totals {
        std::uint64_t completed;
        std::uint64_t failed;
        std::optional<double> mean_elapsed;  ///< seconds; empty before the first timed submission
    };

    explicit resource_record(bool times_all) noexcept : times_all_{times_all} {}

    /// A callable that was called at `begin` has returned a complete value.
    [[gnu::always_inline]] void returned(instant begin) noexcept {
        part& mine = part_of_this_thread();
        const std::uint64_t before = increment(mine.returned);
        if ((before & mine.untimed.load(std::memory_order_relaxed)) == 0) [[unlikely]] {
            time(mine, begin);
        }
    }
    /// Pending work has succeeded, this long after its submission.
    void took(std::chrono::nanoseconds elapsed) noexcept {
        took_.fetch_add(1, std::memory_order_relaxed);
        elapsed_.fetch_add(elapsed.count(), std::memory_order_relaxed);
    }
    void failed() noexcept { failed_.fetch_add(1, std::memory_order_relaxed); }

    [[nodiscard]] totals read() const noexcept;

  private:
    using counter = std::atomic<std::uint64_t>;
    struct part {
        counter returned{0};
        counter untimed{0};  // calls after each timed one: 2^n - 1
        counter timed{0};    // calls for which `elapsed` stands
        counter elapsed{0};  // as counted by `instant`
    };

#ifdef Py_GIL_DISABLED
    static constexpr std::size_t part_count = 16;
    struct alignas(128) padded : part {};

    [[nodiscard]] part& part_of_this_thread() noexcept {
        static std::atomic<std::size_t> threads{0};
        static thread_local const std::size_t mine = threads.fetch_add(1) % part_count;
        return parts_[mine];
    }
    [[nodiscard]] static std::uint64_t increment(counter& count) noexcept {
        return count.fetch_add(1, std::memory_order_relaxed);
    }
#else
    static constexpr std::size_t part_count = 1;
    using padded = part;

    [[nodiscard]] part& part_of_this_thread() noexcept { return parts_[0]; }
    [[nodiscard]] static std::uint64_t increment(counter& count) noexcept {
        const std::uint64_t before = count.load(std::memory_order_relaxed);
        count.store(before + 1, std::memory_order_relaxed);
        return before;
    }
#endif
    [[gnu::noinline]] void time(part& mine, instant begin) noexcept;

    std::array<padded, part_count> parts_{};
    std::atomic<std::uint64_t> took_{0};
    std::atomic<std::uint64_t> failed_{0};
    std::atomic<std::int64_t> elapsed_{0};  // nanoseconds
    const bool times_all_;
};

}  // namespace pointsman::python
