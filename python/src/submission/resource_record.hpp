// SPDX-License-Identifier: Apache-2.0
// Counts and times the submissions of one resource, for `statistics()` of its policy, and its failures in a row.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "gil.hpp"
#include "instant.hpp"
#include "pointsman/binding/base.hpp"
#include "pointsman/resource/resource_health.hpp"
#include "pointsman/submission/completion.hpp"
#include "submission/work_times.hpp"

namespace pointsman::python {

/// What a policy has seen of a resource since it was initialised.
///
/// Calls that return a complete value are short or long alike: where the last timed call took less than
/// some 2 us, one in 64 is timed and stands for the others, and one in 8 where it took less than some 20 us,
/// unless the record times all.
/// **Thread safety**: any thread; `returned` with the GIL held.
/// **Cost**: `returned` one plain access to memory; without the GIL an atomic one, in memory that few threads
/// share.
class resource_record final : public binding::ref_counted {
  public:
    struct totals {
        std::uint64_t completed;
        std::uint64_t failed;
        std::optional<double> mean_elapsed;  ///< seconds; empty before the first timed submission
        work_times::totals times{};
    };

    /// `hardware` is the domain of the resource, `is_resource_failure` the function of `HealthSettings`, or
    /// None. GIL held.
    /// **Throws**: `invalid_option` for settings out of range.
    resource_record(const domain& hardware, bool times_all, const health_settings& settings,
                    std::uint64_t seed, shared_object is_resource_failure)
        : hardware_{hardware},
          times_{hardware},
          health_{settings, seed},
          times_all_{times_all},
          is_resource_failure_{std::move(is_resource_failure)} {}

    /// Returns true if the resource is healthy or suspect.
    [[nodiscard, gnu::always_inline]] bool is_open() const noexcept { return health_.is_open(); }
    /// Returns true unless the resource is in quarantine.
    [[nodiscard, gnu::always_inline]] bool admits() const {
        return health_.is_open() || health_.admits(clock::now());
    }
    /// Called before a task uses the resource.
    [[gnu::always_inline]] void begin() {
        if (!health_.is_open()) [[unlikely]] {
            health_.begin(clock::now());
        }
    }
    /// A task on `resource`, whose record this is, has raised `error`. GIL held.
    void raised(PyObject* resource, const py::object& error) noexcept;
    /// A task on `resource` has failed by the resource's fault, with `error` or, for None, without one. GIL held.
    void blamed(PyObject* resource, const std::string& text, const py::object& error);
    [[nodiscard]] const resource_health& health() const noexcept { return health_; }

    /// A callable that was called at `begin` has returned a complete value.
    [[gnu::always_inline]] void returned(instant begin) noexcept {
        health_.succeeded();
        part& mine = part_of_this_thread();
        const std::uint64_t before = increment(mine.returned);
        if ((before & mine.untimed.load(std::memory_order_relaxed)) == 0) [[unlikely]] {
            time(mine, begin);
        }
    }
    /// A callable that was called at `begin` has failed.
    void failed(instant begin) noexcept;
    /// Work has succeeded just now, this long after its submission.
    void took(std::chrono::nanoseconds elapsed) noexcept;
    void failed() noexcept { failed_.fetch_add(1, std::memory_order_relaxed); }

    /// Pending work was submitted at `begin`. Returns a number for `ended`, which has to follow.
    [[nodiscard]] divided_time::task_id began(clock::time_point begin) noexcept {
        return times_.began(begin);
    }
    /// Pending work has ended. It counts as a success, as a failure, or, if it `is_counted` elsewhere, as
    /// neither.
    void ended(divided_time::task_id number, clock::time_point begin, const completion& end,
               bool is_counted) noexcept;
    /// Nobody will notice the end of pending work.
    void lost(divided_time::task_id number, clock::time_point begin) noexcept {
        times_.ended(number, begin, clock::now(), false);
    }

    /// The hardware that the resource uses.
    [[nodiscard]] const domain& hardware() const noexcept { return hardware_; }

    [[nodiscard]] totals read() const noexcept;

  private:
    void count_success(std::chrono::nanoseconds elapsed) noexcept {
        health_.succeeded();
        took_.fetch_add(1, std::memory_order_relaxed);
        elapsed_.fetch_add(elapsed.count(), std::memory_order_relaxed);
    }

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
    const domain hardware_;
    work_times times_;
    resource_health health_;
    std::atomic<std::uint64_t> took_{0};
    std::atomic<std::uint64_t> failed_{0};
    std::atomic<std::int64_t> elapsed_{0};  // nanoseconds
    const bool times_all_;
    const shared_object is_resource_failure_;
};

}  // namespace pointsman::python
