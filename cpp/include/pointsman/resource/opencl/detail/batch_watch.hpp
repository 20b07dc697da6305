// SPDX-License-Identifier: Apache-2.0
// Notices the completion of an in-order queue's commands by querying status in batches.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/in_order_watch.hpp"

namespace pointsman::opencl::detail {

/// Queries one status per batch: commands listed together are complete as soon as the newest is. On
/// NVIDIA's driver, a status costs the enqueuing thread one to three microseconds, a tenth of an
/// enqueue or more, and a timestamp one microsecond. So of the commands that are noticed together only one
/// whose time is needed is timed exactly, a different one each time.
///
/// The watcher, which seldom polls while commands are being enqueued, also asks how far a batch has come, so that
/// the ends of long commands are noticed one by one.
///
/// A submitting thread polls at every `commands_between_polls`-th command, or at the first command after
/// `longest_between_polls`. It rests between polls, so that queries take at most 0.4 % of its time, or
/// 0.1 % while it finds incomplete batches. It sends the notifications of a small batch itself and
/// leaves larger batches to the watcher: thousands of notifications would take longer than the enqueue.
class batch_watch final : public in_order_watch {
  public:
    /// The watcher stops polling once nothing is outstanding; the next command restarts it.
    batch_watch() noexcept : in_order_watch{std::chrono::milliseconds{0}} {}

  private:
    static constexpr std::size_t commands_between_polls = 16;
    static constexpr std::chrono::microseconds longest_between_polls{200};
    static constexpr int rest_per_query_time = 250;
    static constexpr int longer_if_incomplete = 4;
    static constexpr std::size_t most_sent_by_submitter = 64;
    static constexpr std::size_t fetched_ahead = 8;
    static constexpr clock::duration longest_rest = std::chrono::milliseconds{1};

    bool should_poll(const command& added, std::size_t) noexcept override {
        ++added_since_poll_;
        const auto since = added.enqueued - last_poll_;
        if ((added_since_poll_ < commands_between_polls && since < longest_between_polls) ||
            since < rest_.load(std::memory_order_relaxed)) {
            return false;
        }
        added_since_poll_ = 0;
        last_poll_ = added.enqueued;
        return true;
    }

    void send_completed(poller by) noexcept override {
        query_time_ = {};
        leave_to_watcher(false);
        const int longer =
            send_batches(by) ? rest_per_query_time : rest_per_query_time * longer_if_incomplete;
        rest_.store(std::min(query_time_ * longer, longest_rest), std::memory_order_relaxed);
    }

    /// Returns false at the first batch that is incomplete or left to the watcher.
    bool send_batches(poller by) noexcept {
        while (taken_.commands.empty() || send_taken(by)) {
            if (!refill(taken_) || (taken_.are_fresh && !taken_.are_mixed)) {
                return true;  // no query for commands that were just enqueued
            }
        }
        return false;
    }

    /// Queries the driver, and adds the time that it takes to `query_time_`.
    template <class Ask>
    auto timed_query(const Ask& ask) noexcept {
        const auto began = clock::now();
        const auto answer = ask();
        query_time_ += clock::now() - began;
        return answer;
    }

    /// Returns false while the batch is incomplete or left to the watcher.
    bool send_taken(poller by) noexcept {
        if (taken_.are_mixed || is_sent_one_by_one_) {
            return send_one_by_one();
        }
        const auto& batch = taken_.commands;
        for (std::size_t n = sent_; n < std::min(sent_ + fetched_ahead, batch.size()); ++n) {
            batch[n].fetch();
        }
        if (!has_succeeded_) {
            const cl_int newest = status_of(batch.back());
            if (newest > CL_COMPLETE) {
                return by == poller::other && send_oldest();
            }
            if (newest != CL_COMPLETE) {
                return send_one_by_one();
            }
            has_succeeded_ = true;
        }
        if (by == poller::submitting && batch.size() - sent_ > most_sent_by_submitter) {
            leave_to_watcher(true);
            return false;
        }
        send_until(batch.size());
        has_succeeded_ = false;
        sent_ = 0;
        return true;
    }

    [[nodiscard]] cl_int status_of(const notification& of) noexcept {
        return timed_query([&] { return of.watched().status(); });
    }

    /// Sends notifications of the oldest commands of an incomplete batch, as far as they are complete. Returns
    /// true if all turn out to be.
    bool send_oldest() noexcept {
        const auto& batch = taken_.commands;
        std::size_t complete = sent_;  // those before it are
        for (std::size_t pending = batch.size() - 1; complete < pending;) {
            // The oldest first, as often none is complete; then by halves.
            const std::size_t probe =
                complete == sent_ ? sent_ : complete + (pending - complete) / 2;
            const cl_int status = status_of(batch[probe]);
            if (status < CL_COMPLETE) {
                return send_one_by_one();
            }
            if (status == CL_COMPLETE) {
                complete = probe + 1;
            } else {
                pending = probe;
            }
        }
        if (complete != sent_) {
            send_until(complete);
            note_progress();
        }
        return false;
    }

    /// Notifies of the commands from `sent_` up to `end`. The last of them has succeeded.
    void send_until(std::size_t end) noexcept {
        auto& batch = taken_.commands;
        const auto rest = std::span{batch}.subspan(sent_, end - sent_);
        const bool has_failure = std::ranges::any_of(rest, [](const notification& each) {
            return each.watched().may_fail_alone && each.watched().status() != CL_COMPLETE;
        });
        const notification* const timed = next_to_time(rest);
        auto noticed = completion::noticed_now();
        for (; sent_ < end; ++sent_) {
            if (sent_ + fetched_ahead < end) {
                batch[sent_ + fetched_ahead].fetch();
            }
            notification& each = batch[sent_];
            noticed.succeeded = !has_failure || each.watched().status() == CL_COMPLETE;
            each.send(&each == timed
                          ? timed_query([&] { return each.watched().dated(noticed, &stamps()); })
                          : noticed);
        }
    }

    /// The next command whose time is needed. If there is none: the newest until `stamps()` is set, then
    /// null.
    const notification* next_to_time(std::span<const notification> of) noexcept {
        for (std::size_t n = 0; n < of.size(); ++n) {
            const notification& each = of[(turn_ + n) % of.size()];
            if (each.wants_time()) {
                turn_ += n + 1;
                return &each;
            }
        }
        return stamps().is_set() ? nullptr : &of.back();
    }

    /// For commands that may end before those ahead of them: listed by several threads, or failed.
    bool send_one_by_one() noexcept {
        is_sent_one_by_one_ = true;
        for (; sent_ != taken_.commands.size(); ++sent_) {
            if (!taken_.commands[sent_].watched().is_complete()) {
                return false;
            }
            taken_.commands[sent_].send(&stamps());
        }
        sent_ = 0;
        is_sent_one_by_one_ = false;
        return true;
    }

    taken taken_;                 // owned by the polling thread, like the following
    bool has_succeeded_ = false;  // everything taken has succeeded
    bool is_sent_one_by_one_ = false;
    std::size_t sent_ = 0;  // of those taken
    std::size_t turn_ = 0;
    clock::duration query_time_{};

    std::atomic<clock::duration> rest_{};  // after the last poll
    std::size_t added_since_poll_ = 0;     // guarded by the base's lock, like the following
    clock::time_point last_poll_{};
};

}  // namespace pointsman::opencl::detail
