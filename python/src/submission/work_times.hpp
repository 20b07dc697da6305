// SPDX-License-Identifier: Apache-2.0
// What the timed submissions of one resource add up to: quantiles, time in use and time waited.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "pointsman/binding/base.hpp"
#include "pointsman/binding/covered_time.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/tuning/divided_time.hpp"
#include "pointsman/tuning/domain.hpp"

namespace pointsman::python {

/// What the timed submissions of one resource add up to.
///
/// The resource is busy while at least one submission is outstanding. A submission that was pending has waited
/// for as long as it did not run, by `divided_time` with the slots of the resource.
/// **Thread safety**: any thread.
class work_times {
  public:
    using duration = std::chrono::nanoseconds;

    /// What was seen until a moment.
    struct totals {
        duration busy;
        duration observed;  ///< since the object was made
        std::optional<duration> median;
        std::optional<duration> p95;
        duration waited;
    };

    /// `hardware` is the domain of the resource.
    explicit work_times(const domain& hardware) : running_{{&hardware, 1}} {}

    /// A call that began at `begin` has ended; it stands for `count` calls.
    void called(clock::time_point begin, clock::time_point end, std::uint64_t count,
                bool succeeded) noexcept;

    /// Pending work was submitted at `begin`. Returns its number for `ended`, which has to follow.
    [[nodiscard]] divided_time::task_id began(clock::time_point begin) noexcept;
    /// Pending work has ended; if it failed, or its end was not noticed, its time is no success's.
    void ended(divided_time::task_id number, clock::time_point begin, clock::time_point end,
               bool succeeded) noexcept;

    [[nodiscard]] totals read(clock::time_point now) const noexcept;

  private:
    [[nodiscard]] double nanoseconds_at(clock::time_point time) const noexcept {
        return static_cast<double>((time - made_).count());
    }

    const clock::time_point made_ = clock::now();
    mutable std::mutex mutex_;
    binding::duration_histogram elapsed_;  // of successes
    binding::covered_time covered_;
    divided_time running_;
    std::size_t pending_ = 0;
    clock::time_point pending_since_{};  // while any is
    clock::time_point pending_until_{};  // the last known end: ends may be told late
    duration busy_{};
    double waited_ = 0;  // nanoseconds
};

}  // namespace pointsman::python
