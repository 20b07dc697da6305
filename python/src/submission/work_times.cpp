// SPDX-License-Identifier: Apache-2.0
// Adds up the times of submissions.
#include "submission/work_times.hpp"

#include <algorithm>
#include <new>

namespace pointsman::python {

void work_times::called(clock::time_point begin, clock::time_point end, std::uint64_t count,
                        bool succeeded) noexcept {
    const std::lock_guard lock{mutex_};
    if (succeeded) {
        elapsed_.add(end - begin, count);
    }
    // While work is pending the resource is busy anyhow.
    const auto until = pending_ > 0 ? std::min(end, pending_since_) : end;
    busy_ += covered_.add(begin, until) * static_cast<duration::rep>(count);
}

divided_time::task_id work_times::began(clock::time_point begin) noexcept {
    const std::lock_guard lock{mutex_};
    pending_since_ = pending_++ > 0 ? std::min(begin, pending_since_) : begin;
    try {
        return running_.submit(0, 0, nanoseconds_at(begin));
    } catch (const std::bad_alloc&) {  // what it waits is not counted
        return 0;
    }
}

void work_times::ended(divided_time::task_id number, clock::time_point begin, clock::time_point end,
                       bool succeeded) noexcept {
    const std::lock_guard lock{mutex_};
    const double own = running_.end(number, nanoseconds_at(end)) * running_.time_alone(0);
    if (succeeded) {
        elapsed_.add(end - begin);
    }
    if (number != 0) {
        waited_ += std::max(static_cast<double>((end - begin).count()) - own, 0.0);
    }
    pending_until_ = std::max(end, pending_until_);
    if (--pending_ == 0) {
        busy_ += covered_.add(pending_since_, pending_until_);
    }
}

work_times::totals work_times::read(clock::time_point now) const noexcept {
    const std::lock_guard lock{mutex_};
    duration busy = busy_;
    if (pending_ > 0) {
        busy += binding::covered_time{covered_}.add(pending_since_, now);
    }
    const duration observed = now - made_;
    return {.busy = std::min(busy, observed),
            .observed = observed,
            .median = elapsed_.quantile(0.5),
            .p95 = elapsed_.quantile(0.95),
            .waited = duration{static_cast<duration::rep>(waited_)}};
}

}  // namespace pointsman::python
