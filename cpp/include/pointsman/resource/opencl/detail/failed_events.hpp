// SPDX-License-Identifier: Apache-2.0
// Keeps the events of failed commands until their driver has done with them.
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

/// Holds a reference to each event that it is given, for a while: PoCL tells that a command has failed,
/// lets go of its event, and only then locks that once more, which ends the process when nobody else had
/// a reference.
///
/// No driver is called under the lock, since a driver may hold locks of its own while it calls back.
/// **Thread safety**: any member from any thread; a forked child leaves it alone.
class failed_events final : public pointsman::detail::pollable_work {
  public:
    /// Far longer than a thread of a driver takes from one step to the next, however loaded the machine.
    static constexpr std::chrono::seconds kept_for{10};

    /// That of the process; never destroyed, since commands may fail while the process exits.
    static failed_events& instance() {
        static failed_events* const only = new failed_events;
        return *only;
    }

    /// Keeps the event from `now` on, once however often this is called meanwhile; for ever where there
    /// is no memory or thread for it.
    void keep(cl_event event, clock::time_point now) noexcept {
        clRetainEvent(event);
        if (!list(event, now)) {
            clReleaseEvent(event);
        }
    }

    /// Lets go of what was kept for long enough by `now`.
    void let_go(clock::time_point now) noexcept {
        while (const cl_event event = take_due(now)) {
            clReleaseEvent(event);
        }
    }

    /// The watcher's look.
    pointsman::detail::poll_result poll() noexcept override {
        using enum pointsman::detail::poll_result;
        let_go(clock::now());
        std::lock_guard lock{mutex_};
        is_watched_ = !by_age_.empty();
        return is_watched_ ? nothing_new : over;
    }

  private:
    struct entry {
        cl_event event;
        clock::time_point since;
    };

    /// False when it is listed already.
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
        } catch (const std::exception&) {  // the next event has the watcher started
        }
        return true;
    }

    /// Null when nothing is due.
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

    std::mutex mutex_;  // guards what follows
    std::deque<entry> by_age_;
    std::unordered_set<cl_event> known_;
    bool is_watched_ = false;
};

}  // namespace pointsman::opencl::detail
