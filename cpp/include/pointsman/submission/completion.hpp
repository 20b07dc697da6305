// SPDX-License-Identifier: Apache-2.0
// How a piece of work ended, and the callback that hears of it.
#pragma once

#include "pointsman/clock.hpp"

namespace pointsman {

/// The end of a piece of work.
struct completion {
    clock::time_point end;  ///< when the work ended, on `pointsman::clock`
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
    bool wants_time = true;  ///< false: when the work ended need not be found out
    /// True: the very object on which `on_completion` was called stays as it is until the call has begun.
    /// Only for types with a `may_be_borrowed` that is true; nobody passes it on.
    bool keeps_work = false;

    void operator()(const completion& end) const noexcept { invoke(context, end); }
};

}  // namespace pointsman
