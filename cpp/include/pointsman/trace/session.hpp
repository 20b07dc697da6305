// SPDX-License-Identifier: Apache-2.0
// Records what policies and resources do for as long as an object lives.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "pointsman/base/fork_mark.hpp"
#include "pointsman/error.hpp"
#include "pointsman/trace/detail/event_log.hpp"
#include "pointsman/trace/names.hpp"
#include "pointsman/trace/recorder.hpp"
#include "pointsman/trace/recording.hpp"

namespace pointsman::trace {

/// Records every submission, selection, start, end, wait and retry in the process, from its construction
/// until `stop()` or its destruction. Use it to see where and when work ran.
///
/// Times are those of `pointsman::clock`. The start of a task is recorded where the resource knows it: a task
/// of an arena, and a function that returns its value. Work that ends after the session has no end in it.
///
/// When the memory for `max_events` events is used up, further events are counted and dropped. In a forked
/// child nothing is recorded, and the parent's session is empty there.
/// **Thread safety**: any thread may be traced; one thread uses the session.
/// **Cost**: 56 bytes of memory and less than 100 ns for each event; without a session, one relaxed load for
/// each submission.
/// **Example**:
///
///     pointsman::trace::session traced;
///     submit_and_wait(policy, blur, image);
///     pointsman::trace::save(traced.stop(), "blur.json");
class session {
  public:
    static constexpr std::size_t default_max_events = 1'000'000;

    /// Begins to record. **Throws**: `trace_in_progress` if another session of this process records.
    explicit session(std::size_t max_events = default_max_events)
        : log_{std::make_unique<detail::event_log>(max_events)} {
        if (!recorder::begin(*log_)) {
            throw trace_in_progress{};
        }
    }
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session() { finish(); }

    /// Ends the session and returns what it has recorded; later calls return an empty recording.
    [[nodiscard]] recording stop() {
        recording made{.events = {}, .names = name_table::instance().all()};
        if (finish()) {
            made.dropped = log_->take(made.events);
            made.put_in_order();
        }
        return made;
    }

  private:
    /// Returns true for the first call in the process that began the session.
    bool finish() noexcept {
        if (std::exchange(is_over_, true)) {
            return false;
        }
        if (mark_.is_stale()) {
            static_cast<void>(log_.release());  // other threads may have been changing it
            return false;
        }
        recorder::end();
        return true;
    }

    std::unique_ptr<detail::event_log> log_;
    bool is_over_ = false;
    pointsman::detail::fork_mark mark_;
};

}  // namespace pointsman::trace
