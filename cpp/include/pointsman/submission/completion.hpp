// SPDX-License-Identifier: Apache-2.0
// When and how a piece of work ended, and the callback that receives this.
#pragma once

#include <optional>

#include "pointsman/clock.hpp"

namespace pointsman {

/// The end of a piece of work.
struct completion {
    clock::time_point end;  ///< when the work ended, on `pointsman::clock`
    bool succeeded = true;  ///< false when the work threw, failed or was cancelled
    bool exact = true;      ///< false if `end` is an upper bound: when the end was noticed
    /// What the work took by the measure of who ran it, without the ways there and back and the waits; empty
    /// if only the end is known.
    std::optional<clock::duration> own_time{};
    /// How much later than `end` the work ended: time that it waited for an interpreter, which is not its own.
    clock::duration excluded{};

    /// Returns the completion of work that is known to be complete now, without its own timestamp.
    [[nodiscard]] static completion noticed_now(bool succeeded = true) noexcept {
        return {clock::now(), succeeded, false};
    }
};

/// A non-owning callback that a waitable calls exactly once, from any thread. Plain data, so that it
/// can cross shared-library boundaries.
struct completion_callback {
    void (*invoke)(void* context, const completion& end) noexcept;
    void* context;
    bool wants_time = true;  ///< false if the time of the end is not needed
    /// True if the object on which `on_completion` was called stays unchanged until the callback begins.
    /// Only for types whose `may_be_borrowed` is true; not passed on to other objects.
    bool keeps_work = false;

    void operator()(const completion& end) const noexcept { invoke(context, end); }
};

}  // namespace pointsman
