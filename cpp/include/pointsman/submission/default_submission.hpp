// SPDX-License-Identifier: Apache-2.0
// What submit returns: something to wait for that gives back what the function returned.
#pragma once

#include <coroutine>
#include <future>
#include <optional>
#include <type_traits>
#include <utility>

#include "pointsman/submission/detail/watched_work.hpp"
#include "pointsman/submission/submission.hpp"

namespace pointsman {

template <class T>
class default_submission;

namespace detail {
/// Awaits a submission that is complete.
template <class Submission>
struct no_awaiter {
    Submission& submission;
    static constexpr bool await_ready() noexcept { return true; }
    static constexpr void await_suspend(std::coroutine_handle<>) noexcept {}
    decltype(auto) await_resume() { return submission.unwrap(); }
};

/// Awaits the work of a submission.
template <class T>
class submission_awaiter {
  public:
    submission_awaiter(ref<watched_work<T>> work, default_submission<T>& submission)
        : work_{std::move(work)}, submission_{submission} {}
    submission_awaiter(const submission_awaiter&) = delete;
    submission_awaiter& operator=(const submission_awaiter&) = delete;
    ~submission_awaiter() {
        if (suspended_) {
            work_->forget_coroutine();  // it was destroyed while it waited
        }
    }

    bool await_ready() { return work_->is_ready(); }
    bool await_suspend(std::coroutine_handle<> coroutine) {
        suspended_ = true;
        return work_->resume_when_over(coroutine);
    }
    T await_resume() {
        suspended_ = false;
        submission_.wait();
        return submission_.unwrap();
    }

  private:
    ref<watched_work<T>> work_;
    default_submission<T>& submission_;
    bool suspended_ = false;
};
}  // namespace detail

/// A submission whose work was complete when the function returned; it holds the value.
template <class T>
class default_submission {
  public:
    explicit default_submission(T value) : value_(std::forward<T>(value)) {}

    void wait() const noexcept {}
    [[nodiscard]] bool is_ready() const noexcept { return true; }

    /// What the function returned. A value that cannot be copied is moved out.
    decltype(auto) unwrap() & {
        if constexpr (std::is_reference_v<T>) {
            return static_cast<T>(value_);
        } else if constexpr (std::is_copy_constructible_v<T>) {
            return static_cast<T&>(value_);
        } else {
            return T(std::move(value_));
        }
    }
    const T& unwrap() const& { return value_; }
    T unwrap() && { return std::forward<T>(value_); }

    /// `co_await` gives back what the function returned, at once.
    auto operator co_await() { return detail::no_awaiter<default_submission>{*this}; }

  private:
    T value_;
};

/// A submission of a function that returned nothing.
template <>
class default_submission<void> {
  public:
    void wait() const noexcept {}
    [[nodiscard]] bool is_ready() const noexcept { return true; }
    void unwrap() const noexcept {}

    auto operator co_await() const noexcept {
        return detail::no_awaiter<const default_submission>{*this};
    }
};

/// A submission whose function returned a waitable.
///
/// **Thread safety**: distinct copies may be used from several threads. It may outlive its policy.
/// Dropping it changes nothing for the work: its end is accounted for when it is seen.
template <waitable T>
class default_submission<T> {
  public:
    /// Shares work that somebody watches.
    explicit default_submission(detail::ref<detail::watched_work<T>> work)
        : work_{std::move(work)} {}
    /// Holds work that is complete already, without an allocation; other work is watched, for
    /// backends that keep no account of theirs.
    explicit default_submission(T work) {
        if constexpr (detail::dynamic_rung<T>) {
            if (rung_of(work) == waitable_rung::complete_at_return) {
                complete_.emplace(std::move(work));
                return;
            }
        }
        const auto group = detail::make_ref<detail::submission_group_state>();
        work_ = detail::make_ref<detail::watched_work<T>>([&] { return std::move(work); }, *group);
        work_->watch(nullptr);
    }
    default_submission(default_submission&&) noexcept = default;
    default_submission& operator=(default_submission&& other) noexcept {
        default_submission{std::move(other)}.swap(*this);
        return *this;
    }
    default_submission(const default_submission&) = delete;
    default_submission& operator=(const default_submission&) = delete;
    ~default_submission() {
        if (work_) {
            work_->dropped();
        }
    }

    /// Blocks until the work is complete; its load has then been given back.
    /// **Throws**: the error with which the work failed.
    void wait() {
        if (work_) {
            work_->wait();
        }
    }

    /// Whether the work is known to be complete. Never blocks.
    [[nodiscard]] bool is_ready() { return !work_ || work_->is_ready(); }

    /// Whether the end of the work has been seen, without asking the work.
    [[nodiscard]] bool is_over() const noexcept { return !work_ || work_->is_over(); }

    /// Whether the work was complete when the function returned, so that nobody watches it.
    [[nodiscard]] bool is_complete_at_return() const noexcept { return !work_; }

    /// Returns true if nobody else holds the work: no watcher, no callback, no group.
    [[nodiscard]] bool is_sole_owner() const noexcept { return !work_ || work_->has_references(1); }

    /// What the function returned, in its place: others may be watching it.
    [[nodiscard]] const T& returned() const noexcept {
        if constexpr (detail::dynamic_rung<T>) {
            if (!work_) {
                return *complete_;
            }
        }
        return work_->work();
    }

    /// What the function returned, as a copy: others may be watching it. A waitable that cannot be
    /// copied (`std::future`) is moved out; if it was not complete, its end can no longer be seen and
    /// its load is given back at once.
    T unwrap() & {
        if constexpr (detail::dynamic_rung<T>) {
            if (!work_) {
                if constexpr (std::is_copy_constructible_v<T>) {
                    return *complete_;
                } else {
                    return std::move(*complete_);
                }
            }
        }
        if constexpr (std::is_copy_constructible_v<T>) {
            return work_->work();
        } else {
            return work_->take();
        }
    }
    T unwrap() && { return static_cast<default_submission&>(*this).unwrap(); }

    /// `co_await submission` suspends a coroutine until the work is complete and its load given back,
    /// blocks no thread meanwhile, and gives back what the function returned. The coroutine goes on in a
    /// thread of pointsman's, one for all, which it must not hold up: `schedule` or `submit` what takes
    /// long. Work that has only a `wait()` blocks the coroutine's thread. A coroutine may be destroyed
    /// while it waits and until it goes on; whoever does it from another thread must know that the work
    /// is not over, or that the thread that resumes is busy with another coroutine.
    /// **Throws**: the error with which the work failed; `forked_process`.
    /// **Thread safety**: one coroutine awaits a submission at a time.
    /// **Example**: `auto image = (co_await submit(policy, blur, photograph)).get();`
    auto operator co_await() { return detail::submission_awaiter<T>{work_, *this}; }

  private:
    struct nothing {};

    void swap(default_submission& other) noexcept {
        std::swap(work_, other.work_);
        std::swap(complete_, other.complete_);
    }

    detail::ref<detail::watched_work<T>> work_;
    /// For types of which some objects need no watching.
    [[no_unique_address]] std::conditional_t<detail::dynamic_rung<T>, std::optional<T>, nothing>
        complete_{};
};

template <class T>
default_submission(T) -> default_submission<T>;

static_assert(submission<default_submission<int>> && submission<default_submission<void>> &&
              submission<default_submission<std::future<int>>>);

}  // namespace pointsman
