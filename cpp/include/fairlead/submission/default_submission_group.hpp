// SPDX-License-Identifier: Apache-2.0
// Waiting for everything that one policy has submitted.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "fairlead/submission/eventcount.hpp"
#include "fairlead/submission/fork_mark.hpp"
#include "fairlead/submission/submission_group.hpp"
#include "fairlead/submission/watcher.hpp"

namespace fairlead {
namespace detail {

/// Work that is complete only when somebody waits for it.
class kept_work : public pollable_work {
  public:
    virtual void wait_quietly() noexcept = 0;
};

/// The kept works of a group, and who waits for a free resource: an object of their own, so that no
/// cycle joins group and work.
class kept_list {
  public:
    /// Tells that a resource may have become free.
    [[nodiscard]] eventcount& freed() noexcept { return freed_; }

    /// A second piece under the same key takes the place of the first, for works whose waits are
    /// the same (all of one resource).
    void keep(const void* key, ref<kept_work> work) {
        std::lock_guard lock{mutex_};
        kept_[key] = std::move(work);
    }

    void forget(const void* key, const kept_work* work) noexcept {
        ref<kept_work> last;
        std::lock_guard lock{mutex_};
        if (auto found = kept_.find(key); found != kept_.end() && found->second.get() == work) {
            last = std::move(found->second);
            kept_.erase(found);
        }
    }

    void wait_for_all() {
        for (auto& [key, work] : take()) {
            work->wait_quietly();
        }
    }

  private:
    using kept_map = std::unordered_map<const void*, ref<kept_work>>;

    kept_map take() {
        std::lock_guard lock{mutex_};
        return std::exchange(kept_, {});
    }

    eventcount freed_;
    std::mutex mutex_;
    kept_map kept_;
};

/// Counts the submissions of one policy that are still going on.
///
/// Submissions are counted in one of two phases. A wait turns the phase over and waits until the
/// old one has drained, so it ends although others go on submitting: it waits for what was
/// submitted before it began, and for nothing else.
class submission_group_state : public ref_counted {
  public:
    using phase = unsigned;

    /// Counts one submission; hand the result to `leave`.
    [[nodiscard]] phase enter() noexcept {
        if (mark_.is_stale() && pending_[0].load() + pending_[1].load() == 0) [[unlikely]] {
            mark_.renew();  // in a child that inherited nothing unfinished
        }
        const phase now = phase_.load() & 1U;
        pending_[now].fetch_add(1);
        return now;
    }

    void leave(phase entered) noexcept {
        if (pending_[entered].fetch_sub(1) == 1 && waiting_.load() != 0) {
            {
                std::lock_guard lock{mutex_};
            }
            drained_.notify_all();
        }
        freed().notify();
    }

    /// Tells that a resource may have become free.
    [[nodiscard]] eventcount& freed() noexcept { return kept_->freed(); }

    /// Keeps work that has only a `wait()` until somebody waits for it.
    [[nodiscard]] std::weak_ptr<kept_list> keep(const void* key, ref<kept_work> work) {
        kept_->keep(key, std::move(work));
        return kept_;
    }

    /// **Throws**: `forked_process` in a child, where what its parent submitted never ends.
    void wait() {
        if (pending_[0].load() + pending_[1].load() != 0) {
            mark_.check("A policy with submissions that are not over");
        }
        std::lock_guard one_at_a_time{turn_};
        kept_->wait_for_all();
        const phase now = phase_.load() & 1U;
        drain(1U - now);  // entered with an old phase in hand while the last wait turned it over
        phase_.store(1U - now);
        drain(now);
    }

  private:
    void drain(phase which) {
        std::unique_lock lock{mutex_};
        waiting_.fetch_add(1);
        drained_.wait(lock, [&] { return pending_[which].load() == 0; });
        waiting_.fetch_sub(1);
    }

    fork_mark mark_;
    std::atomic<phase> phase_{0};
    std::atomic<std::size_t> pending_[2]{};
    std::atomic<unsigned> waiting_{0};
    std::mutex turn_;
    std::mutex mutex_;
    std::condition_variable drained_;
    const std::shared_ptr<kept_list> kept_ = std::make_shared<kept_list>();
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

    /// **Throws**: `forked_process` in a child when something was not over at the fork.
    void wait() const { state_->wait(); }

  private:
    detail::ref<detail::submission_group_state> state_;
};

static_assert(submission_group<default_submission_group>);

}  // namespace fairlead
