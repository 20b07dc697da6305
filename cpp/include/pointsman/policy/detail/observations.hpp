// SPDX-License-Identifier: Apache-2.0
// Counts and times what is outstanding on each resource, for the statistics of an observed policy.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "pointsman/base/duration_histogram.hpp"
#include "pointsman/base/ref_counted.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/policy/detail/choice_states.hpp"
#include "pointsman/policy/policy_statistics.hpp"
#include "pointsman/tuning/divided_time.hpp"
#include "pointsman/tuning/domain.hpp"
#include "pointsman/tuning/measured_record.hpp"

namespace pointsman::detail {

class observations;

/// What an observed policy knew when it chose. Its submission and the copies of its selection share it.
struct choice_record final : ref_counted {
    const observations* seen_by = nullptr;  ///< of the resources among which it chose
    std::uint32_t recorded = 0;             ///< number of valid entries of `loads`
    recorded_loads loads;                   ///< of a rule that does not measure
    measured_record measured;               ///< of a rule that `records_choices`
    divided_time::task_id timing = 0;  ///< of the submission that is outstanding; by `observations`
};

/// What was seen of the resources of one set.
///
/// The time that a submission waited is the time that it did not receive of its resource, by `divided_time`.
/// **Thread safety**: all members from any thread.
class observations {
  public:
    using duration = std::chrono::nanoseconds;

    explicit observations(const std::vector<domain>& domains)
        : time_{domains}, seen_(domains.size()) {}

    /// A submission of `record` begins on `index`. Of several at the same time, the first is timed.
    /// **Throws**: `std::bad_alloc`; nothing has begun then.
    void begin(std::size_t index, choice_record& record) {
        const std::lock_guard lock{mutex_};
        const auto now = clock::now();
        if (record.timing == 0) {
            record.timing = time_.submit(index, 0, nanoseconds_at(now));
        }
        if (seen_[index].outstanding++ == 0) {
            seen_[index].busy_since = now;
        }
    }
    /// A submission has succeeded, this long after it was submitted; `end` follows.
    void took(std::size_t index, choice_record& record, duration elapsed) noexcept {
        const std::lock_guard lock{mutex_};
        resource& on = seen_[index];
        ++on.completed;
        on.elapsed += elapsed;
        on.times.add(elapsed);
        if (record.timing != 0) {
            const auto whole = static_cast<double>(elapsed.count());
            const double own = time_.end_after(std::exchange(record.timing, 0), whole);
            on.waited += std::max(whole - own * time_.time_alone(index), 0.0);
        }
    }
    void failed(std::size_t index) noexcept {
        const std::lock_guard lock{mutex_};
        ++seen_[index].failed;
    }
    /// A submission has ended, or was never made.
    void end(std::size_t index, choice_record& record) noexcept {
        const std::lock_guard lock{mutex_};
        const auto now = clock::now();
        time_.end(std::exchange(record.timing, 0), nanoseconds_at(now));
        if (--seen_[index].outstanding == 0) {
            seen_[index].busy += now - seen_[index].busy_since;
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return seen_.size(); }
    /// Copies the loads of the first resources to `record`.
    void record_outstanding(choice_record& record) const noexcept {
        const std::lock_guard lock{mutex_};
        const auto count = std::min(seen_.size(), record.loads.size());
        for (std::size_t i = 0; i < count; ++i) {
            record.loads[i] = static_cast<std::uint32_t>(seen_[i].outstanding);
        }
        record.recorded = static_cast<std::uint32_t>(count);
    }

    /// Returns a snapshot without the names and kinds.
    [[nodiscard]] policy_statistics read() const {
        const std::lock_guard lock{mutex_};
        policy_statistics all;
        const auto now = clock::now();
        all.observed = now - begin_;
        for (const resource& each : seen_) {
            all.resources.push_back(each.read(now, all.observed));
        }
        return all;
    }

  private:
    struct resource {
        std::uint64_t completed = 0;
        std::uint64_t failed = 0;
        std::uint64_t outstanding = 0;
        clock::time_point busy_since{};
        duration busy{};
        duration elapsed{};
        double waited = 0;  // nanoseconds
        duration_histogram times{};

        [[nodiscard]] resource_statistics read(clock::time_point now, duration observed) const {
            resource_statistics of;
            of.completed = completed;
            of.failed = failed;
            of.outstanding = outstanding;
            of.busy = busy + (outstanding > 0 ? now - busy_since : duration::zero());
            of.utilisation = observed > duration::zero() ? static_cast<double>(of.busy.count()) /
                                                               static_cast<double>(observed.count())
                                                         : 0;
            if (completed > 0) {
                of.mean = elapsed / static_cast<duration::rep>(completed);
            }
            of.median = times.quantile(0.5);
            of.p95 = times.quantile(0.95);
            of.waited = duration{static_cast<duration::rep>(waited)};
            return of;
        }
    };

    [[nodiscard]] double nanoseconds_at(clock::time_point now) const noexcept {
        return static_cast<double>((now - begin_).count());
    }

    const clock::time_point begin_ = clock::now();
    mutable std::mutex mutex_;
    divided_time time_;
    std::vector<resource> seen_;
};

}  // namespace pointsman::detail
