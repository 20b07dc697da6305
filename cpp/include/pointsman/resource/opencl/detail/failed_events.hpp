// SPDX-License-Identifier: Apache-2.0
// Keeps the events of failed commands until their driver no longer uses them.
#pragma once

#include <chrono>
#include <deque>
#include <exception>
#include <mutex>
#include <unordered_set>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/watcher.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/resource/opencl/api.hpp"

namespace pointsman::opencl::detail {

/// Holds a reference to each given event for a while: PoCL reports that a command has failed, releases
/// its event, and then locks the event once more, which crashes if that was the last reference.
///
/// No driver is called under the lock, since a driver may hold its own locks while it calls back.
/// **Thread safety**: any member from any thread; a forked child leaves it alone.
class failed_events final : public pointsman::detail::pollable_work {
  public:
    /// Far longer than a driver thread takes from one step to the next, however loaded the machine.
    static constexpr std::chrono::seconds kept_for{10};

    /// The instance of the process; never destroyed, since commands may fail while the process exits.
    static failed_events& instance() {
        static failed_events* const only = new failed_events;
        return *only;
    }

    /// Keeps the event from `now` on; repeated calls have no effect until it is released. If there is no
    /// memory or thread to release it, the event is kept until a later one starts the watcher, or forever.
    void keep(cl_event event, clock::time_point now) noexcept {
        clRetainEvent(event);
        if (!list(event, now)) {
            clReleaseEvent(event);
        }
    }

    /// Releases events that have been kept long enough by `now`.
    void release_due(clock::time_point now) noexcept {
        while (const cl_event event = take_due(now)) {
            clReleaseEvent(event);
        }
    }

    /// The watcher's poll.
    pointsman::detail::poll_result poll() noexcept override {
        using enum pointsman::detail::poll_result;
        release_due(clock::now());
        std::lock_guard lock{mutex_};
        is_watched_ = !by_age_.empty();
        return is_watched_ ? nothing_new : over;
    }

  private:
    struct entry {
        cl_event event;
        clock::time_point since;
    };

    /// Returns false if it is already listed.
    bool list(cl_event event, clock::time_point now) noexcept {
        try {
            std::lock_guard lock{mutex_};
            if (!known_.insert(event).second) {
                return false;
            }
            by_age_.push_back({event, now});
            if (!is_watched_) {
                pointsman::detail::watcher::instance().watch(
                    pointsman::detail::ref<failed_events>::share(this));
                is_watched_ = true;
            }
        } catch (const std::exception&) {  // the next event starts the watcher
        }
        return true;
    }

    /// Null if nothing is due.
    cl_event take_due(clock::time_point now) noexcept {
        std::lock_guard lock{mutex_};
        if (by_age_.empty() || now < by_age_.front().since + kept_for) {
            return nullptr;
        }
        const cl_event due = by_age_.front().event;
        by_age_.pop_front();
        known_.erase(due);
        return due;
    }

    std::mutex mutex_;  // guards the following members
    std::deque<entry> by_age_;
    std::unordered_set<cl_event> known_;
    bool is_watched_ = false;
};

}  // namespace pointsman::opencl::detail
