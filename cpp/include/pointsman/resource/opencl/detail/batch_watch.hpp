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
/// A submitting thread polls at every `looks_apart`-th command, and when the last poll was
/// `longest_apart` ago, but not so often that queries take more than 0.4 % of its time, and a quarter
/// of that while nothing is complete. It notifies of few completions itself and leaves more of them to
/// the watcher, since thousands would take it longer than the enqueue.
class batch_watch final : public in_order_watch {
  public:
    /// A thread waits for a completion: the watcher restarts its polls.
    batch_watch() noexcept : in_order_watch{std::chrono::milliseconds{0}} {}

  private:
    static constexpr std::size_t looks_apart = 16;
    static constexpr std::chrono::microseconds longest_apart{200};
    static constexpr int longer_than_answers = 250;
    static constexpr int longer_in_vain = 4;
    static constexpr std::size_t most_told = 64;
    static constexpr std::size_t fetched_ahead = 8;
    static constexpr clock::duration longest_rest = std::chrono::milliseconds{1};

    bool is_time_to_look(const command& added, std::size_t) noexcept override {
        ++unlooked_;
        const auto since = added.enqueued - looked_;
        if ((unlooked_ < looks_apart && since < longest_apart) ||
            since < rest_.load(std::memory_order_relaxed)) {
            return false;
        }
        unlooked_ = 0;
        looked_ = added.enqueued;
        return true;
    }

    void send_those_over(looker by) noexcept override {
        answers_took_ = {};
        leave_to_watcher(false);
        const int longer =
            send_batches(by) ? longer_than_answers : longer_than_answers * longer_in_vain;
        rest_.store(std::min(answers_took_ * longer, longest_rest), std::memory_order_relaxed);
    }

    /// Returns false if a batch was queried that is not complete, or was postponed.
    bool send_batches(looker by) noexcept {
        while (taken_.commands.empty() || send_taken(by)) {
            if (!refill(taken_) || (taken_.are_fresh && !taken_.are_mixed)) {
                return true;  // skips the query for what was just enqueued
            }
        }
        return false;
    }

    /// The driver's answer, with its time.
    template <class Ask>
    auto asked(const Ask& ask) noexcept {
        const auto began = clock::now();
        const auto answer = ask();
        answers_took_ += clock::now() - began;
        return answer;
    }

    /// Returns false while the batch is not complete, or is postponed.
    bool send_taken(looker by) noexcept {
        if (taken_.are_mixed || sent_ != 0) {
            return send_one_by_one();
        }
        auto& batch = taken_.commands;
        for (std::size_t n = 0; n < std::min(fetched_ahead, batch.size()); ++n) {
            batch[n].fetch();
        }
        if (!is_over_) {
            const cl_int newest = asked([&] { return batch.back().watched().status(); });
            if (newest > CL_COMPLETE) {
                return false;
            }
            if (newest != CL_COMPLETE) {
                return send_one_by_one();  // a failed command may end before those ahead of it
            }
            is_over_ = true;
        }
        if (by == looker::submitting && batch.size() > most_told) {
            leave_to_watcher(true);
            return false;
        }
        is_over_ = false;
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
                          ? asked([&] { return each.watched().dated(noticed, &stamps()); })
                          : noticed);
        }
        return true;
    }

    /// Among commands whose time is needed, otherwise any one until the reference of the stamps is set.
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
            if (!taken_.commands[sent_].watched().is_over()) {
                return false;
            }
            taken_.commands[sent_].send(&stamps());
        }
        sent_ = 0;
        return true;
    }

    taken taken_;           // owned by the polling thread, like the following
    bool is_over_ = false;  // everything taken has succeeded
    std::size_t sent_ = 0;  // sent individually
    std::size_t turn_ = 0;
    clock::duration answers_took_{};

    std::atomic<clock::duration> rest_{};  // after the last poll
    std::size_t unlooked_ = 0;             // guarded by the base's lock, like the following
    clock::time_point looked_{};
};

}  // namespace pointsman::opencl::detail
