// SPDX-License-Identifier: Apache-2.0
// Detects commands whose QUEUED timestamp was taken after their enqueue.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "pointsman/clock.hpp"
#include "pointsman/resource/opencl/api.hpp"

namespace pointsman::opencl::detail {

/// NVIDIA's driver holds back a command behind an unset user event and stamps it QUEUED only when it
/// releases the command, so the time from QUEUED to END is too short. The stamp comes from a host clock:
/// its difference to the host time of the enqueue is the same for all commands of a queue, within some
/// microseconds. A command whose status was past CL_QUEUED just after its enqueue sets this difference
/// as the reference. Later commands are compared with it, which saves a status query of a microsecond.
/// **Thread safety**: any member from any thread.
class stamp_check {
  public:
    [[nodiscard]] bool is_set() const noexcept { return difference_.load(relaxed) != unset; }

    /// Sets the reference from a command that is known not to have been held back.
    void set(clock::time_point enqueued, cl_ulong queued) noexcept {
        difference_.store(difference(enqueued, queued), relaxed);
    }

    /// Returns true if the stamp was taken at the enqueue, within `tolerance`. Otherwise the command was
    /// held back or a clock was set: clears the reference.
    [[nodiscard]] bool confirms(clock::time_point enqueued, cl_ulong queued) noexcept {
        const std::int64_t measure = difference_.load(relaxed);
        if (measure == unset) {
            return false;
        }
        const std::int64_t deviation = difference(enqueued, queued) - measure;
        if (deviation <= tolerance.count() && deviation >= -tolerance.count()) {
            return true;
        }
        difference_.store(unset, relaxed);
        return false;
    }

    static constexpr std::chrono::nanoseconds tolerance{50'000};

  private:
    static constexpr auto relaxed = std::memory_order_relaxed;
    static constexpr std::int64_t unset = std::numeric_limits<std::int64_t>::min();

    static std::int64_t difference(clock::time_point enqueued, cl_ulong queued) noexcept {
        const auto host = std::chrono::nanoseconds{enqueued.time_since_epoch()};
        return static_cast<std::int64_t>(queued) - host.count();
    }

    std::atomic<std::int64_t> difference_{unset};
};

}  // namespace pointsman::opencl::detail
