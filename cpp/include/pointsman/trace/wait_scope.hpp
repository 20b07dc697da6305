// SPDX-License-Identifier: Apache-2.0
// Records the waits of threads, and that failed work is submitted again.
#pragma once

#include <cstdint>
#include <utility>

#include "pointsman/clock.hpp"
#include "pointsman/trace/event.hpp"
#include "pointsman/trace/recorder.hpp"

namespace pointsman::trace {

/// Records that this thread waits, for the scope, until `task` is complete; 0 for a free resource or for
/// several tasks. Records nothing unless `waits`, or inside another such scope.
class [[gnu::visibility("default")]] wait_scope {
  public:
    explicit wait_scope(std::uint64_t task = 0, bool waits = true) noexcept
        : task_{task},
          is_recorded_{recorder::is_on() && waits && !std::exchange(is_inside_, true)} {
        if (is_recorded_) [[unlikely]] {
            begin_ = clock::now();
        }
    }
    wait_scope(const wait_scope&) = delete;
    wait_scope& operator=(const wait_scope&) = delete;
    ~wait_scope() {
        if (is_recorded_) [[unlikely]] {
            is_inside_ = false;
            recorder::record({.time = begin_,
                              .duration = clock::now() - begin_,
                              .task = task_,
                              .kind = event_kind::wait});
        }
    }

  private:
    static inline constinit thread_local bool is_inside_ = false;

    clock::time_point begin_{};
    std::uint64_t task_;
    bool is_recorded_;
};

/// Records that failed work, whose kind has the number `name`, is about to be submitted again.
inline void record_retry(std::uint32_t name) noexcept {
    if (recorder::is_on()) [[unlikely]] {
        recorder::record({.time = clock::now(), .name = name, .kind = event_kind::retry});
    }
}

}  // namespace pointsman::trace
