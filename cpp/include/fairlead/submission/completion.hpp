// SPDX-License-Identifier: Apache-2.0
// How a piece of work ended, and the callback that hears of it.
#pragma once

#include "fairlead/clock.hpp"

namespace fairlead {

/// The end of a piece of work.
struct completion {
    clock::time_point end;  ///< when the work ended, on `fairlead::clock`
    bool succeeded = true;  ///< false when the work threw, failed or was cancelled
    bool exact = true;      ///< false when `end` is when it was noticed: an upper bound

    /// Work that is known to be over now, without a timestamp of its own.
    [[nodiscard]] static completion noticed_now(bool succeeded = true) noexcept {
        return {clock::now(), succeeded, false};
    }
};

/// A callback without ownership that a waitable calls exactly once, from any thread. Plain data, so
/// that it crosses the border of a shared library.
struct completion_callback {
    void (*invoke)(void* context, const completion& end) noexcept;
    void* context;
    bool wants_time = true;   ///< false: when the work ended need not be found out
    bool keeps_work = false;  ///< true: the waitable is not destroyed before the call has begun

    void operator()(const completion& end) const noexcept { invoke(context, end); }
};

}  // namespace fairlead
