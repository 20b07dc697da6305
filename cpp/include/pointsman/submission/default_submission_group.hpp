// SPDX-License-Identifier: Apache-2.0
// Waits for everything that one policy has submitted.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "pointsman/base/eventcount.hpp"
#include "pointsman/base/fork_mark.hpp"
#include "pointsman/base/resumer.hpp"
#include "pointsman/base/watcher.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/submission/submission_group.hpp"
#include "pointsman/trace/wait_scope.hpp"

namespace pointsman {
namespace detail {

/// Work that completes only when a thread waits for it.
class kept_work : public awaitable_work {
  public:
    /// Returns true if the work is complete: a wait may be interrupted.
    virtual bool wait_quietly() noexcept = 0;
};

/// The kept work of a group, and the threads that wait for a free resource: a separate object, so that
/// group and work do not form a reference cycle.
class kept_list {
  public:
    /// Notifies that a resource may have become free.
    [[nodiscard]] eventcount& freed() noexcept { return freed_; }

    /// Replaces earlier work with the same key: work with one key shares one wait (all work of one
    /// resource).
    void keep(const void* key, ref<kept_work> work) {
        std::lock_guard lock{mutex_};
        std::swap(kept_[key], work);  // the replaced work is released without the lock
    }

    void remove(const void* key, const kept_work* work) noexcept {
        ref<kept_work> last;
        std::lock_guard lock{mutex_};
        if (auto found = kept_.find(key); found != kept_.end() && found->second.get() == work) {
            last = std::move(found->second);
            kept_.erase(found);
        }
    }

    using kept_map = std::unordered_map<const void*, ref<kept_work>>;

    /// Removes and returns all kept work, for a caller that waits for it. If there is any, calls
    /// `before()` under the same lock.
    template <class Before>
    [[nodiscard]] kept_map take(Before&& before) {
        std::lock_guard lock{mutex_};
        if (!kept_.empty()) {
            std::forward<Before>(before)();
        }
        return std::exchange(kept_, {});
    }

    /// Puts back work that is still running, unless it has been replaced.
    void put_back(kept_map&& unfinished) {
        std::lock_guard lock{mutex_};
        kept_.merge(unfinished);
    }

    [[nodiscard]] bool empty() {
        std::lock_guard lock{mutex_};
        return kept_.empty();
    }

  private:
    eventcount freed_;
    std::mutex mutex_;
    kept_map kept_;
};

/// Counts the outstanding submissions of one policy.
///
/// Submissions are counted in one of two phases. A wait switches the phase and waits until the old one
/// has drained, so it ends even if others keep submitting: it waits only for what was submitted before
/// it began.
///
/// A phase with submissions holds a reference to the group, so that the submissions need none.
class submission_group_state : public ref_counted {
  public:
    using phase = unsigned;

    /// Counts one submission, for a caller with a reference; the result must be passed to `leave`.
    [[nodiscard]] phase enter() noexcept {
        if (mark_.is_stale() && !has_pending()) [[unlikely]] {
            mark_.renew();  // in a child that inherited nothing unfinished
        }
        const phase now = phase_.load() & 1U;
        if (pending_[now].fetch_add(1) == 0) {
            add_ref();
        }
        return now;
    }

    /// The caller needs no reference; the group may be destroyed by this call.
    void leave(phase entered) noexcept {
        std::atomic_thread_fence(std::memory_order_seq_cst);  // after the resource was freed
        freed().notify();
        if (pending_[entered].fetch_sub(1) == 1) {
            if (waiting_.load() != 0) {
                {
                    std::lock_guard lock{mutex_};
                }
                drained_.notify_all();
            }
            release();
        }
    }

    /// Notifies that a resource may have become free.
    [[nodiscard]] eventcount& freed() noexcept { return kept_->freed(); }

    /// Keeps work that has only a `wait()` until a thread waits for it.
    [[nodiscard]] const std::shared_ptr<kept_list>& kept() const noexcept { return kept_; }

    /// **Throws**: `forked_process` in a child, where the parent's submissions never complete.
    void wait() {
        wait_for_kept();
        group_wait all{*this};
        while (!all.wait_for(std::chrono::hours{1})) {
        }
    }

    /// Returns true if there is work that completes only when a thread waits for it.
    [[nodiscard]] bool keeps_work() const { return !kept_->empty(); }

    /// A wait in several steps, by one thread, for all work submitted before the first step, except kept
    /// work.
    class group_wait {
      public:
        /// **Throws**: `forked_process`, as `wait`.
        explicit group_wait(submission_group_state& group) : group_{&group} {
            if (group.has_pending()) {
                group.mark_.check("A policy with outstanding submissions");
            }
        }

        group_wait(const group_wait&) = delete;
        group_wait& operator=(const group_wait&) = delete;
        ~group_wait() {
            if (has_turn_) {
                group_->give_turn_back();
            }
        }

        /// Waits at most `pause`; returns true when everything is complete.
        bool wait_for(clock::duration pause) {
            const auto deadline = clock::now() + pause;
            has_turn_ = has_turn_ || group_->take_turn(deadline);
            if (!has_turn_) {
                return false;
            }
            if (!is_turned_over_) {
                // Submissions may have entered this phase while the last wait switched phases.
                old_ = group_->phase_.load() & 1U;
                if (!group_->drain(1U - old_, deadline)) {
                    return false;
                }
                group_->phase_.store(1U - old_);
                is_turned_over_ = true;
            }
            return group_->drain(old_, deadline);
        }

      private:
        submission_group_state* group_;
        bool has_turn_ = false;
        bool is_turned_over_ = false;
        phase old_ = 0;
        trace::wait_scope waiting_{0, group_->has_pending()};
    };

  private:
    [[nodiscard]] bool has_pending() const noexcept {
        return pending_[0].load() + pending_[1].load() != 0;
    }

    /// Longest sleep between checks whether the watcher was stopped, which sends no notification.
    static constexpr std::chrono::microseconds longest_nap{100'000};

    /// Work taken by one wait counts as a submission, so that another wait, which does not find the
    /// work, does not return before it is complete.
    void wait_for_kept() {
        phase entered = 0;
        auto taken = kept_->take([&] { entered = enter(); });
        if (taken.empty()) {
            return;
        }
        std::erase_if(taken, [](auto& kept) { return kept.second->wait_quietly(); });
        kept_->put_back(std::move(taken));
        leave(entered);
    }

    /// Only one wait at a time switches the phase.
    bool take_turn(clock::time_point deadline) {
        std::unique_lock lock{mutex_};
        if (!drained_.wait_until(lock, deadline, [this] { return !is_turn_taken_; })) {
            return false;
        }
        is_turn_taken_ = true;
        return true;
    }
    void give_turn_back() noexcept {
        {
            std::lock_guard lock{mutex_};
            is_turn_taken_ = false;
        }
        drained_.notify_all();
    }

    bool drain(phase which, clock::time_point deadline) {
        const auto is_drained = [&] { return pending_[which].load() == 0; };
        std::unique_lock lock{mutex_};
        waiting_.fetch_add(1);
        const auto pause = [] {
            return watcher::instance().is_stopped() ? watcher::longest_pause : longest_nap;
        };
        while (!drained_.wait_until(lock, std::min(deadline, clock::now() + pause()), is_drained) &&
               clock::now() < deadline) {
            lock.unlock();
            watcher::instance().look_in_its_place();
            lock.lock();
        }
        waiting_.fetch_sub(1);
        return is_drained();
    }

    fork_mark mark_;
    std::atomic<phase> phase_{0};
    std::atomic<std::size_t> pending_[2]{};
    std::atomic<unsigned> waiting_{0};
    std::mutex mutex_;
    bool is_turn_taken_ = false;
    std::condition_variable drained_;
    const std::shared_ptr<kept_list> kept_ = std::make_shared<kept_list>();
};

/// Makes waits for a group wait until `release` is called, for code that submits more work when the work of
/// the group completes. **Thread safety**: any thread.
class group_hold {
  public:
    explicit group_hold(ref<submission_group_state> group)
        : group_{std::move(group)}, phase_{group_->enter()} {}
    group_hold(const group_hold&) = delete;
    group_hold& operator=(const group_hold&) = delete;
    ~group_hold() { release(); }

    /// Further calls have no effect.
    void release() noexcept {
        if (!is_released_.exchange(true)) {
            group_->leave(phase_);
        }
    }

  private:
    ref<submission_group_state> group_;
    submission_group_state::phase phase_;
    std::atomic<bool> is_released_{false};
};
}  // namespace detail

/// All submissions of a policy so far. `wait()` blocks until each of them is complete; it does not
/// throw their errors, which belong to their submissions.
/// **Thread safety**: any thread. A group may outlive its policy.
/// Source: *Named Requirements, Backend*, in the dynamic selection document.
class default_submission_group {
  public:
    explicit default_submission_group(detail::ref<detail::submission_group_state> state)
        : state_{std::move(state)} {}

    /// **Throws**: `forked_process` in a child if something was not complete at the fork.
    void wait() const { state_->wait(); }

    /// Returns true if there is work that completes only when a thread waits for it.
    [[nodiscard]] bool keeps_work() const { return state_->keeps_work(); }

    /// Begins a wait in several steps for all work except that of `keeps_work`: `wait_for(pause)` of the
    /// result returns true when everything is complete. The result belongs to one thread and refers to the
    /// group.
    /// **Throws**: `forked_process`, as `wait`.
    [[nodiscard]] auto begin_wait() const {
        return detail::submission_group_state::group_wait{*state_};
    }

    /// Makes waits for the group wait until the result is released or destroyed.
    [[nodiscard]] std::unique_ptr<detail::group_hold> hold() const {
        return std::make_unique<detail::group_hold>(state_);
    }

  private:
    detail::ref<detail::submission_group_state> state_;
};

static_assert(submission_group<default_submission_group>);

}  // namespace pointsman
