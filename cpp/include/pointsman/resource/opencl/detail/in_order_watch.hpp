// SPDX-License-Identifier: Apache-2.0
// Lists the outstanding commands of one in-order queue, and schedules when to poll them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/watcher.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/resource/opencl/detail/command.hpp"
#include "pointsman/resource/opencl/detail/stamp_check.hpp"

namespace pointsman::opencl::detail {

/// Notices the completion of an in-order queue's commands by polling only a few of them: a submission
/// costs one list entry, however many commands are outstanding. Derived classes decide how to poll.
///
/// A poll from another thread blocks the driver's enqueues, so polling is left to the submitting thread
/// and the driver's callbacks, and to pointsman's watcher once nothing has been submitted for `quiet`.
///
/// Threads that enqueue at the same time may list commands in another order than the queue's. Such
/// commands are polled one by one, so a completion may be noticed only with that of its predecessor.
///
/// No driver is called under the lock, since a driver may hold its own locks while it calls back.
///
/// A forked child adds nothing: its events have failed, and callback slots forward nothing. So it takes
/// no lock, which a thread of the parent might hold forever. Listed commands belong to the parent.
class in_order_watch : public pointsman::detail::pollable_work {
  public:
    /// The watcher keeps polling for `stays_watched` after the last command: waking it takes as long as
    /// ten submissions, and its first polls follow each other closely.
    explicit in_order_watch(std::chrono::milliseconds stays_watched) noexcept
        : stays_watched_{stays_watched} {}

    /// Calls `callback` once when the command is complete, soon if it already is. Returns false, and does
    /// not call it, for a command enqueued before one that is listed.
    /// **Throws**: `std::bad_alloc`, `std::system_error`, `forked_process`; `callback` is then not called.
    [[nodiscard]] bool add(const command& watched, completion_callback callback) {
        const auto [is_listed, to_poll] = append(watched, callback);
        if (to_poll) {
            to_poll->poll_as(poller::submitting);
        }
        return is_listed;
    }

    /// The watcher's poll.
    pointsman::detail::poll_result poll() noexcept override {
        using enum pointsman::detail::poll_result;
        if (!is_due()) {
            return nothing_new;
        }
        poll_as(poller::other);
        std::lock_guard lock{mutex_};
        is_watched_ = outstanding_ != 0 || polled_ < quiet_since_ + stays_watched_;
        return !is_watched_ ? over : std::exchange(has_progressed_, false) ? progress : nothing_new;
    }

    /// Called for a command that is about to be enqueued.
    [[nodiscard]] std::uint32_t next_number() noexcept {
        return numbers_.fetch_add(1, std::memory_order_relaxed);
    }

    [[nodiscard]] stamp_check& stamps() noexcept { return stamps_; }

  protected:
    /// The commands that the polling thread has taken from the list, oldest first.
    struct taken {
        std::vector<notification> commands;
        bool are_mixed = false;  // added by several threads, so perhaps not in the queue's order
        bool are_fresh = false;  // the newest was just added
    };

    /// The thread that polls: the one that has just added a command, or another.
    enum class poller : bool { submitting, other };

    /// Sends notifications of completed commands. Never called by two threads at a time.
    virtual void send_completed(poller by) noexcept = 0;
    /// Returns true if the thread that has just added a command polls; `outstanding` includes it.
    virtual bool should_poll(const command& added, std::size_t outstanding) noexcept = 0;

    /// One thread polls at a time; it polls again for commands added meanwhile.
    void poll_as(poller by) noexcept {
        std::uint32_t wanted = 1;
        if (polls_.fetch_add(1) == 0) {
            do {
                send_completed(by);
                wanted = polls_.fetch_sub(wanted) - wanted;
            } while (wanted != 0);
        }
    }

    /// Sets whether the watcher must poll soon to send notifications that the current poll leaves to it.
    void leave_to_watcher(bool leaves) noexcept {
        is_left_.store(leaves, std::memory_order_relaxed);
    }

    /// Keeps the watcher polling closely: notifications were sent, though not of all taken commands.
    void note_progress() noexcept {
        const std::lock_guard lock{mutex_};
        has_progressed_ = true;
    }

    /// Takes the listed commands once all taken ones were sent. Returns false if none are listed.
    bool refill(taken& commands) noexcept {
        std::lock_guard lock{mutex_};
        has_progressed_ = has_progressed_ || !commands.commands.empty();
        outstanding_ -= commands.commands.size();
        commands.commands.clear();
        if (listed_.empty()) {
            return false;  // keeps the memory of both lists
        }
        commands.commands.swap(listed_);
        commands.are_mixed = is_mixed_;
        commands.are_fresh = is_fresh_;
        return true;
    }

  private:
    static constexpr std::chrono::microseconds quiet{100};
    static constexpr std::chrono::milliseconds longest_unseen{10};

    /// Returns whether the command was listed, and a reference if the caller must poll: the command may
    /// complete as soon as it is listed, which may release the last other reference.
    std::pair<bool, pointsman::detail::ref<in_order_watch>> append(const command& watched,
                                                                   completion_callback callback) {
        const auto thread = std::this_thread::get_id();
        auto reference = notification::reference_for(watched, callback);
        std::lock_guard lock{mutex_};
        if (outstanding_ != 0 && is_before(watched.number, added_)) {
            return {false, {}};
        }
        if (!is_watched_) {
            pointsman::detail::watcher::instance().watch(
                pointsman::detail::ref<in_order_watch>::share(this));
            is_watched_ = true;
        }
        listed_.emplace_back(watched, callback, std::move(reference));
        const command& added = listed_.back().watched();
        is_mixed_ = outstanding_ != 0 && (is_mixed_ || thread != thread_);
        is_fresh_ = true;
        has_news_ = true;
        thread_ = thread;
        added_ = added.number;
        if (!should_poll(added, ++outstanding_)) {
            return {true, {}};
        }
        return {true, pointsman::detail::ref<in_order_watch>::share(this)};
    }

    /// Compares modulo 2^32, since numbers wrap around.
    static bool is_before(std::uint32_t a, std::uint32_t b) noexcept {
        return static_cast<std::int32_t>(a - b) < 0;
    }

    /// Returns true if nothing has been added for a while, if the last poll left notifications to the
    /// watcher, or if the watcher has not polled for `longest_unseen`.
    bool is_due() noexcept {
        std::lock_guard lock{mutex_};
        const auto now = clock::now();
        quiet_since_ = std::exchange(has_news_, false) ? now : quiet_since_;
        const bool is_quiet = now >= quiet_since_ + quiet;
        is_fresh_ = is_fresh_ && !is_quiet;
        const bool is_due =
            is_quiet || is_left_.load(std::memory_order_relaxed) || now >= polled_ + longest_unseen;
        polled_ = is_due ? now : polled_;
        return is_due;
    }

    const std::chrono::milliseconds stays_watched_;
    stamp_check stamps_;
    std::atomic<std::uint32_t> numbers_{0};
    std::atomic<std::uint32_t> polls_{0};  // requested polls; the first is under way
    std::atomic<bool> is_left_{false};

    std::mutex mutex_;  // guards the following members
    std::vector<notification> listed_;
    std::size_t outstanding_ = 0;  // including taken commands
    bool is_watched_ = false;
    bool has_progressed_ = false;
    bool is_mixed_ = false;
    bool is_fresh_ = false;
    bool has_news_ = false;   // a command was added since `is_due` was last called
    std::thread::id thread_;  // of the last addition
    std::uint32_t added_ = 0;
    clock::time_point quiet_since_{};
    clock::time_point polled_{};
};

}  // namespace pointsman::opencl::detail
