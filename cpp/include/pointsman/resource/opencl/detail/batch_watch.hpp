// SPDX-License-Identifier: Apache-2.0
// Notices the completion of an in-order queue's commands by querying status in batches.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/in_order_watch.hpp"

namespace pointsman::opencl::detail {

/// Queries one status per batch: commands listed together are complete as soon as the newest is. On
/// NVIDIA's driver, a status costs the enqueuing thread one to three microseconds, a tenth of an
/// enqueue or more, and a timestamp one microsecond. So of each batch only one command whose time is
/// needed is timed exactly, a different one each time.
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
        if (taken_.are_mixed || sent_ != 0) {
            return send_one_by_one();
        }
        auto& batch = taken_.commands;
        for (std::size_t n = 0; n < std::min(fetched_ahead, batch.size()); ++n) {
            batch[n].fetch();
        }
        if (!has_succeeded_) {
            const cl_int newest = timed_query([&] { return batch.back().watched().status(); });
            if (newest > CL_COMPLETE) {
                return false;
            }
            if (newest != CL_COMPLETE) {
                return send_one_by_one();  // a failed command may end before those ahead of it
            }
            has_succeeded_ = true;
        }
        if (by == poller::submitting && batch.size() > most_sent_by_submitter) {
            leave_to_watcher(true);
            return false;
        }
        has_succeeded_ = false;
        const bool has_failure = std::ranges::any_of(batch, [](const notification& each) {
            return each.watched().may_fail_alone && each.watched().status() != CL_COMPLETE;
        });
        const notification* const timed = next_to_time();
        auto noticed = completion::noticed_now();
        for (std::size_t n = 0; n < batch.size(); ++n) {
            if (n + fetched_ahead < batch.size()) {
                batch[n + fetched_ahead].fetch();
            }
            notification& each = batch[n];
            noticed.succeeded = !has_failure || each.watched().status() == CL_COMPLETE;
            each.send(&each == timed
                          ? timed_query([&] { return each.watched().dated(noticed, &stamps()); })
                          : noticed);
        }
        return true;
    }

    /// The next command whose time is needed. If there is none: the newest until `stamps()` is set, then
    /// null.
    const notification* next_to_time() noexcept {
        const auto& batch = taken_.commands;
        for (std::size_t n = 0; n < batch.size(); ++n) {
            const notification& each = batch[(turn_ + n) % batch.size()];
            if (each.wants_time()) {
                turn_ += n + 1;
                return &each;
            }
        }
        return stamps().is_set() ? nullptr : &batch.back();
    }

    bool send_one_by_one() noexcept {
        for (; sent_ != taken_.commands.size(); ++sent_) {
            if (!taken_.commands[sent_].watched().is_complete()) {
                return false;
            }
            taken_.commands[sent_].send(&stamps());
        }
        sent_ = 0;
        return true;
    }

    taken taken_;                 // owned by the polling thread, like the following
    bool has_succeeded_ = false;  // everything taken has succeeded
    std::size_t sent_ = 0;        // sent individually
    std::size_t turn_ = 0;
    clock::duration query_time_{};

    std::atomic<clock::duration> rest_{};  // after the last poll
    std::size_t added_since_poll_ = 0;     // guarded by the base's lock, like the following
    clock::time_point last_poll_{};
};

}  // namespace pointsman::opencl::detail
