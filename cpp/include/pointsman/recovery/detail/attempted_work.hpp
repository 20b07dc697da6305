// SPDX-License-Identifier: Apache-2.0
// The attempts of a piece of work, and waits for its end.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "pointsman/base/delayed_calls.hpp"
#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/resumer.hpp"
#include "pointsman/base/watcher.hpp"
#include "pointsman/recovery/attempt.hpp"
#include "pointsman/submission/waitable_traits.hpp"

namespace pointsman::detail {

/// What is known of a piece of work; the derived class begins the attempts and decides on them. `Submission` is what
/// the policy returns for one attempt.
///
/// The work has ended once its result is known and no attempt begins: the function might still run.
/// **Thread safety**: all public members from any thread.
template <class Submission, class Resource>
class attempted_work : public awaitable_work {
  public:
    using attempts = std::vector<attempt<Resource>>;

    /// Blocks until the work has ended for good. **Throws**: the error of its last attempt.
    void wait() {
        constexpr auto longest_nap =
            std::chrono::milliseconds{100};  // the watcher may have been stopped
        std::unique_lock lock{mutex_};
        while (!has_ended_) {
            if (const auto waited = take_waited()) {
                lock.unlock();
                wait_quietly(*waited);
                lock.lock();
            } else if (!changed_.wait_for(lock, longest_nap, [this] { return has_ended_; })) {
                lock.unlock();
                watcher::instance().look_in_its_place();
                lock.lock();
            }
        }
        if (error_) {
            std::rethrow_exception(error_);
        }
    }

    /// Returns true if the work has ended for good; polls it where possible.
    [[nodiscard]] bool has_ended() {
        std::vector<std::shared_ptr<Submission>> polled;
        {
            const std::lock_guard lock{mutex_};
            for (const run& each : running_) {
                if (each.submission && each.rung == waitable_rung::polled) {
                    polled.push_back(each.submission);
                }
            }
        }
        for (const auto& submission : polled) {
            static_cast<void>(submission->is_ready());
        }
        const std::lock_guard lock{mutex_};
        return has_ended_;
    }

    /// The submission of the attempt that succeeded, or of the last one; valid until the next call. **Throws**:
    /// the error of the last attempt if the function threw in each.
    [[nodiscard]] Submission& last() {
        const std::lock_guard lock{mutex_};
        if (!last_) {
            std::rethrow_exception(attempts_.back().error);
        }
        handed_out_ = last_;
        return *handed_out_;
    }

    [[nodiscard]] attempts all_attempts() const {
        const std::lock_guard lock{mutex_};
        return attempts_;
    }

    /// Called when the submission is dropped. Work that has only a wait() no longer holds its place, is left to waits
    /// for the group, and does not run again.
    void dropped() noexcept {
        std::shared_ptr<Submission> left;  // destroyed without the lock
        std::shared_ptr<Submission> handed_out;
        const std::lock_guard lock{mutex_};
        if (is_beginning_ || running_.size() != 1 || running_[0].rung != waitable_rung::waited ||
            running_[0].is_waited_for) {
            return;
        }
        is_stopped_ = true;
        left = std::move(running_[0].submission);
        last_.reset();
        handed_out = std::move(handed_out_);
        let_go();
    }

    /// Resumes `coroutine` when the work has ended. Returns false if it has, or if its end will be known only to
    /// a thread that waits.
    [[nodiscard]] bool resume_when_ended(std::coroutine_handle<> coroutine) {
        resumer::instance().prepare();
        const std::lock_guard lock{mutex_};
        if (has_ended_ || std::ranges::any_of(running_, &run::needs_wait)) {
            return false;
        }
        this->leave(coroutine);
        is_awaited_ = true;
        return true;
    }
    void cancel_resumption() noexcept { static_cast<void>(this->take_coroutine()); }

    /// Nobody polls this: the attempts tell their ends.
    poll_result poll() noexcept override { return poll_result::over; }

  protected:
    /// An attempt whose end has not been dealt with.
    struct run {
        std::size_t index;                         // of the attempt
        std::shared_ptr<Submission> submission{};  // null while it begins, and when it was dropped
        waitable_rung rung = waitable_rung::calls_back;
        bool has_succeeded = false;
        bool is_late = false;
        bool is_waited_for = false;
        std::exception_ptr error{};
        std::optional<delayed_calls::ticket> limit{};

        [[nodiscard]] bool needs_wait() const noexcept { return rung == waitable_rung::waited; }
    };

    /// Called when the work has ended for good, or will not run again: gives back the place, lets waits for the
    /// group end, and releases the policy.
    virtual void let_go() noexcept = 0;

    /// The mutex is locked.
    [[nodiscard]] run* find(std::size_t index) noexcept {
        const auto found = std::ranges::find(running_, index, &run::index);
        return found == running_.end() ? nullptr : &*found;
    }

    /// Returns an attempt that needs a thread that waits for it; the caller waits. The mutex is locked.
    [[nodiscard]] std::optional<std::shared_ptr<Submission>> take_waited() noexcept {
        for (run& each : running_) {
            if (each.needs_wait() && each.submission && !each.is_waited_for) {
                each.is_waited_for = true;
                return each.submission;
            }
        }
        return {};
    }
    static void wait_quietly(const std::shared_ptr<Submission>& submission) noexcept {
        try {
            submission->wait();
        } catch (...) {  // the observer is told
        }
    }

    [[nodiscard]] attempt<Resource> last_attempt() const {
        const std::lock_guard lock{mutex_};
        return attempts_.back();
    }

    /// Makes the end known once the work is complete and no attempt begins.
    void settle() noexcept {
        bool is_awaited = false;
        {
            const std::lock_guard lock{mutex_};
            if (!is_complete_ || is_beginning_ || has_ended_) {
                return;
            }
            let_go();
            has_ended_ = true;
            is_awaited = is_awaited_;
            changed_.notify_all();
        }
        if (is_awaited) {
            resumer::instance().post(ref<awaitable_work>::share(this));
        }
    }

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    attempts attempts_;
    std::vector<run> running_;
    std::shared_ptr<Submission> last_;
    std::shared_ptr<Submission> handed_out_;
    std::exception_ptr error_;
    bool is_beginning_ = true;  // an attempt; the first one from the start
    bool is_complete_ = false;  // the result is known
    bool has_ended_ = false;    // it is complete, and no attempt begins
    bool is_stopped_ = false;
    bool is_awaited_ = false;
};

}  // namespace pointsman::detail
