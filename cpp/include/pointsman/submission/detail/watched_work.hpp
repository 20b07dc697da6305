// SPDX-License-Identifier: Apache-2.0
// State shared by a submission and the watchers of its work: the waitable and its accounting.
#pragma once

#include <algorithm>
#include <atomic>
#include <concepts>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

#include "pointsman/base/resumer.hpp"
#include "pointsman/info/report.hpp"
#include "pointsman/submission/default_submission_group.hpp"
#include "pointsman/submission/detail/block_pool.hpp"
#include "pointsman/submission/waitable.hpp"
#include "pointsman/trace/task_scope.hpp"
#include "pointsman/trace/wait_scope.hpp"

namespace pointsman::detail {

/// Thrown out of a wait that was interrupted while the work continues: nothing is accounted for.
struct interrupted_wait {
    std::exception_ptr cause;
};

/// Holds a waitable that a submitted function returned, and accounts for its end exactly once, whether a
/// callback, the watcher or a waiting thread notices the end first.
template <class T>
class watched_work : public kept_work, public pooled {
    /// Work that is `awaited` is running, and a coroutine waits for it.
    enum : std::uint8_t { running, awaited, finishing, over, taken };

  public:
    /// Constructs the work in place from the result of `start()`. A caller of `watch` holds a reference
    /// to the group.
    template <std::invocable Start>
    watched_work(Start&& start, submission_group_state& group)
        : work_(std::forward<Start>(start)()),
          rung_{rung_of(work_)},
          group_{&group},
          mark_{!is_complete_at_return()},
          state_{is_complete_at_return() ? over : running} {}

    /// Returns true if the work needs no watching and no accounting.
    [[nodiscard]] bool is_complete_at_return() const noexcept {
        return rung_ == waitable_rung::complete_at_return;
    }

    /// Starts watching; call it before another thread has access to this object. `key` identifies the
    /// resource if all its work shares one wait, otherwise null.
    void watch(const void* key) {
        key_ = key != nullptr ? key : this;
        if (rung_ == waitable_rung::waited) {
            kept_in_ = group_->kept();  // before other threads can find this there
        } else {
            phase_ = group_->enter();
        }
        try {
            find_watcher();
        } catch (...) {
            finish(completion::noticed_now(false));
            throw;
        }
    }

    /// Blocks until the work is complete and accounted for. Throws the work's error.
    void wait() {
        const trace::wait_scope waiting{mark_.task(), !is_over()};
        if constexpr (waits<T>) {
            if (!is_complete_at_return() && state_.load(std::memory_order_acquire) != taken) {
                try {
                    waitable_traits<T>::wait(work_);
                } catch (const interrupted_wait&) {
                    throw;
                } catch (...) {
                    if (!may_be_over()) {
                        throw;
                    }
                    finish(outcome_of(work_, false));
                    settle();
                    throw;
                }
                if (!is_over()) {
                    finish(outcome_of(work_, true));
                }
            }
        }
        settle();
    }

    bool wait_quietly() noexcept override {
        try {
            wait();
        } catch (...) {  // the error belongs to the submission, not to the group
        }
        return is_over();
    }

    poll_result poll() noexcept override {
        return look() ? poll_result::over : poll_result::nothing_new;
    }

    /// Resumes `coroutine` once the work is complete and accounted for. Returns false if the end is
    /// already known, or will be known only to a waiting thread.
    bool resume_when_complete(std::coroutine_handle<> coroutine) {
        if (rung_ == waitable_rung::waited || is_over()) {
            return false;
        }
        resumer::instance().prepare();
        this->leave(coroutine);
        std::uint8_t expected = running;
        return state_.compare_exchange_strong(expected, awaited);
    }
    /// Cancels the resumption, even if the work is complete and the coroutine is next.
    void cancel_resumption() noexcept {
        static_cast<void>(this->take_coroutine());
        std::uint8_t expected = awaited;
        state_.compare_exchange_strong(expected, running);
    }

    /// Returns the number of the task in a trace; 0 unless it is traced.
    [[nodiscard]] std::uint64_t traced_task() const noexcept { return mark_.task(); }

    /// Returns true if the end is known.
    [[nodiscard]] bool is_over() const noexcept {
        return state_.load(std::memory_order_acquire) > awaited;
    }
    /// Returns true if the end is known and accounted for.
    [[nodiscard]] bool is_settled() const noexcept {
        return state_.load(std::memory_order_acquire) > finishing;
    }
    /// As `is_over`; polls the work where possible.
    bool is_ready() noexcept {
        return is_over() || (rung_ != waitable_rung::waited && pollable<T> && look());
    }

    /// Called when the last submission handle is dropped. Work that has only a wait() releases its load
    /// now; the group still waits for it.
    void dropped() noexcept {
        if (rung_ == waitable_rung::waited) {
            account_once(nullptr);
            if (auto list = kept_in_.lock()) {
                list->freed().notify();
            }
        }
    }

    const T& work() const noexcept { return work_; }

    /// Moves the waitable out. Its end can no longer be noticed here, so it counts as complete.
    T take() {
        std::lock_guard lock{hand_over_};
        finish(nullptr);
        state_.store(taken, std::memory_order_release);
        return std::move(work_);
    }

  protected:
    /// Called once, by the thread that noticed the end; with null if the end will not be noticed.
    virtual void account(const completion*) noexcept {}
    /// Returns true if the accounting needs the time of the end.
    [[nodiscard]] virtual bool wants_time() const noexcept { return false; }

  private:
    /// Releases the work before it leaves the group, so that the work is gone when a wait for the group ends.
    static void called_back(void* context, const completion& end) noexcept {
        auto work = ref<watched_work>::adopt(static_cast<watched_work*>(context));
        if (work->has_ended(&end)) {
            submission_group_state& group = *work->group_;
            const auto phase = work->phase_;
            work = {};
            group.leave(phase);
        }
    }

    /// Returns true if an error thrown by a wait can be that of the work.
    bool may_be_over() {
        if constexpr (pollable<T>) {
            return rung_ == waitable_rung::waited || waitable_traits<T>::is_ready(work_);
        } else {
            return true;
        }
    }

    /// True if only `work_` itself holds the work, and no copy of `work_` does.
    static constexpr bool is_borrowed = requires { requires T::may_be_borrowed; };

    void find_watcher() {
        if (rung_ == waitable_rung::waited) {
            group_->kept()->keep(key_, ref<kept_work>::share(this));
            return;
        }
        if constexpr (calls_back<T>) {
            if (rung_ == waitable_rung::calls_back) {
                this->add_ref_unshared();
                auto self = ref<watched_work>::adopt(this);
                waitable_traits<T>::on_completion(
                    work_, {&called_back, self.get(), mark_ || wants_time(), is_borrowed});
                static_cast<void>(self.detach());  // called_back takes over ownership
                return;
            }
        }
        if constexpr (pollable<T>) {
            watcher::instance().watch(ref<pollable_work>::share(this));
        }
    }

    /// Returns true if the work is complete; polls it.
    bool look() noexcept {
        if constexpr (pollable<T>) {
            std::lock_guard lock{hand_over_};
            if (is_over()) {
                return true;
            }
            try {
                if (!waitable_traits<T>::is_ready(work_)) {
                    return false;
                }
            } catch (...) {
                finish(completion::noticed_now(false));
                return true;
            }
            finish(outcome_of(work_, true));
        }
        return true;
    }

    void finish(const completion& end) noexcept { finish(&end); }
    void finish(const completion* end) noexcept {
        if (!has_ended(end)) {
            return;
        }
        if (rung_ == waitable_rung::waited) {
            if (auto list = kept_in_.lock()) {
                list->remove(key_, this);
                list->freed().notify();
            }
        } else {
            group_->leave(phase_);
        }
    }

    /// Accounts for the end; returns true for the first caller.
    bool has_ended(const completion* end) noexcept {
        std::uint8_t before = running;
        while (!state_.compare_exchange_strong(before, finishing)) {
            if (before > awaited) {
                return false;
            }
        }
        account_once(end);
        if constexpr (requires { waitable_traits<T>::note_end(work_, end); }) {
            waitable_traits<T>::note_end(work_, end);  // before a wait can return
        }
        if (mark_) [[unlikely]] {
            const completion known = end != nullptr ? *end : completion::noticed_now();
            mark_.ended(known.end + known.excluded, known.succeeded, known.exact);
        }
        state_.store(over, std::memory_order_release);
        state_.notify_all();
        if constexpr (requires { waitable_traits<T>::ended(work_, end); }) {
            waitable_traits<T>::ended(work_, end);
        }
        if (before == awaited) [[unlikely]] {
            resumer::instance().post(ref<awaitable_work>::share(this));
        }
        return true;
    }

    /// Only work that has nothing but a wait() may have been accounted for already, by `dropped`.
    void account_once(const completion* end) noexcept {
        if (rung_ != waitable_rung::waited || !accounted_.exchange(true)) {
            account(end);
        }
    }

    /// Waits until the accounting is complete, which another thread may have begun. Waiting threads also
    /// poll work that can only be polled: the watcher may have been stopped.
    void settle() noexcept {
        clock::duration pause = watcher::shortest_pause;
        for (auto now = state_.load(std::memory_order_acquire); now <= finishing;
             now = state_.load(std::memory_order_acquire)) {
            if constexpr (pollable<T> && !waits<T>) {
                if (!look()) {
                    std::this_thread::sleep_for(pause);
                    pause = std::min<clock::duration>(2 * pause, watcher::longest_pause);
                    continue;
                }
            }
            state_.wait(now);
        }
    }

    T work_;
    waitable_rung rung_;
    submission_group_state* group_;  // alive while this is counted in it
    std::weak_ptr<kept_list> kept_in_;
    const void* key_ = nullptr;
    submission_group_state::phase phase_ = 0;
    const trace::watch_mark mark_;
    std::atomic<bool> accounted_{false};
    std::atomic<std::uint8_t> state_;
    std::mutex hand_over_;
};

}  // namespace pointsman::detail
