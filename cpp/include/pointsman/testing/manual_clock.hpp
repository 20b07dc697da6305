// SPDX-License-Identifier: Apache-2.0
// A clock that stands still until a test advances it.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"

namespace pointsman::testing {

/// Replaces sleeps in tests: calls become due only when the test advances the time. Copies are the same clock.
/// **Thread safety**: any thread; one thread at a time advances.
/// **Example**: `manual_clock time;  time.call_at(1500ms, [] { ... });  time.advance(2s);`
class manual_clock {
  public:
    /// Returns the time since the clock was made.
    [[nodiscard]] clock::duration now() const {
        const std::lock_guard lock{state_->mutex};
        return state_->now;
    }

    /// Schedules `call()` for the `advance` that reaches `time`.
    void call_at(clock::duration time, std::function<void()> call) const {
        const std::lock_guard lock{state_->mutex};
        state_->due.emplace(time, std::move(call));
    }

    /// Advances the time and makes all calls that become due, in the order of their times, each at its time.
    /// **Throws**: `invalid_option` for a negative duration; what a call throws.
    void advance(clock::duration by) const {
        if (by < clock::duration::zero()) {
            throw invalid_option{"the clock was to be advanced by " + std::to_string(by.count()) +
                                 " ns: pass zero or more, time does not go back"};
        }
        const clock::duration end = now() + by;
        while (const auto call = next_until(end)) {
            call();
        }
    }

  private:
    struct state {
        std::mutex mutex;
        clock::duration now{};
        std::multimap<clock::duration, std::function<void()>> due;
    };

    /// Returns the next call that is due by `end`, at whose time the clock now stands, or else an empty function.
    [[nodiscard]] std::function<void()> next_until(clock::duration end) const {
        const std::lock_guard lock{state_->mutex};
        const auto first = state_->due.begin();
        if (first == state_->due.end() || first->first > end) {
            state_->now = end;
            return {};
        }
        state_->now = std::max(state_->now, first->first);
        std::function<void()> call = std::move(first->second);
        state_->due.erase(first);
        return call;
    }

    std::shared_ptr<state> state_ = std::make_shared<state>();
};

}  // namespace pointsman::testing
