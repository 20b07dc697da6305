// SPDX-License-Identifier: Apache-2.0
// The return type of submit: waits for the work and unwraps what the function returned.
#pragma once

#include <coroutine>
#include <cstdint>
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
/// Awaiter of a submission that is complete.
template <class Submission>
struct no_awaiter {
    Submission& submission;
    static constexpr bool await_ready() noexcept { return true; }
    static constexpr void await_suspend(std::coroutine_handle<>) noexcept {}
    decltype(auto) await_resume() { return submission.unwrap(); }
};

/// Awaiter of the work of a submission.
template <class T>
class submission_awaiter {
  public:
    submission_awaiter(ref<watched_work<T>> work, default_submission<T>& submission)
        : work_{std::move(work)}, submission_{submission} {}
    submission_awaiter(const submission_awaiter&) = delete;
    submission_awaiter& operator=(const submission_awaiter&) = delete;
    ~submission_awaiter() {
        if (suspended_) {
            work_->cancel_resumption();  // destroyed while it waited
        }
    }

    bool await_ready() { return work_->is_ready(); }
    bool await_suspend(std::coroutine_handle<> coroutine) {
        suspended_ = true;
        return work_->resume_when_complete(coroutine);
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

    /// Returns what the function returned. A value that cannot be copied is moved out.
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

    /// `co_await` returns the value at once.
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
/// **Thread safety**: distinct copies may be used from several threads. A submission may outlive its
/// policy. Dropping it does not affect the work, whose end is still accounted for when noticed.
template <waitable T>
class default_submission<T> {
  public:
    /// Shares work that is watched.
    explicit default_submission(detail::ref<detail::watched_work<T>> work)
        : work_{std::move(work)} {}
    /// Holds work that is already complete, without an allocation; other work is watched, for backends
    /// that do not account for their work.
    [[gnu::always_inline]] explicit default_submission(T work) {
        if constexpr (detail::dynamic_rung<T>) {
            if (rung_of(work) == waitable_rung::complete_at_return) [[likely]] {
                complete_.emplace(std::move(work));
                return;
            }
        }
        watch(std::move(work));
    }
    [[gnu::always_inline]] default_submission(default_submission&&) noexcept = default;
    default_submission& operator=(default_submission&& other) noexcept {
        default_submission{std::move(other)}.swap(*this);
        return *this;
    }
    default_submission(const default_submission&) = delete;
    default_submission& operator=(const default_submission&) = delete;
    [[gnu::always_inline]] ~default_submission() {
        if (work_) [[unlikely]] {
            drop();
        }
    }

    /// Blocks until the work is complete and its load has been released.
    /// **Throws**: the error with which the work failed.
    void wait() {
        if (work_) {
            work_->wait();
        }
    }

    /// Returns true if the work is known to be complete. Never blocks.
    [[nodiscard]] bool is_ready() { return !work_ || work_->is_ready(); }

    /// Returns true if the end of the work has been noticed, without polling the work.
    [[nodiscard]] bool is_over() const noexcept { return !work_ || work_->is_over(); }
    /// Returns true if the end has been noticed and accounted for.
    [[nodiscard]] bool is_settled() const noexcept { return !work_ || work_->is_settled(); }

    /// Returns true if the work was complete when the function returned, so that it is not watched.
    [[nodiscard]] bool is_complete_at_return() const noexcept { return !work_; }

    /// Returns the number of the task in a trace; 0 unless it is traced and watched.
    [[nodiscard]] std::uint64_t traced_task() const noexcept {
        return work_ ? work_->traced_task() : 0;
    }

    /// Returns true if no watcher, callback or group holds the work.
    [[nodiscard]] bool is_sole_owner() const noexcept { return !work_ || work_->has_references(1); }

    /// Returns a reference to what the function returned, which a watcher may still use.
    [[nodiscard]] const T& returned() const noexcept {
        if constexpr (detail::dynamic_rung<T>) {
            if (!work_) {
                return *complete_;
            }
        }
        return work_->work();
    }

    /// Returns a copy of what the function returned, since a watcher may still use it. A waitable that
    /// cannot be copied (`std::future`) is moved out; if it was not complete, its end can no longer be
    /// noticed and its load is released at once.
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

    /// `co_await submission` suspends a coroutine, without blocking a thread, until the work is
    /// complete and its load released, and returns what the function returned. The coroutine resumes on
    /// a pointsman thread shared by all coroutines, which it must not block: pass long work to `schedule`
    /// or `submit`. Work that has only a `wait()` blocks the coroutine's thread. A coroutine may be
    /// destroyed while it waits and until it resumes; a thread that destroys it from outside must ensure
    /// that the work is not complete, or that the resuming thread is busy with another coroutine.
    /// **Throws**: the error with which the work failed; `forked_process`.
    /// **Thread safety**: one coroutine awaits a submission at a time.
    /// **Example**: `auto image = (co_await submit(policy, blur, photograph)).get();`
    auto operator co_await() { return detail::submission_awaiter<T>{work_, *this}; }

  private:
    struct nothing {};

    [[gnu::noinline]] void watch(T work) {
        const auto group = detail::make_ref<detail::submission_group_state>();
        work_ = detail::make_ref<detail::watched_work<T>>([&] { return std::move(work); }, *group);
        work_->watch(nullptr);
    }
    [[gnu::noinline]] void drop() noexcept { work_->dropped(); }
    void swap(default_submission& other) noexcept {
        std::swap(work_, other.work_);
        std::swap(complete_, other.complete_);
    }

    detail::ref<detail::watched_work<T>> work_;
    /// Holds work that need not be watched, for types that may be complete at return.
    [[no_unique_address]] std::conditional_t<detail::dynamic_rung<T>, std::optional<T>, nothing>
        complete_{};
};

template <class T>
default_submission(T) -> default_submission<T>;

static_assert(submission<default_submission<int>> && submission<default_submission<void>> &&
              submission<default_submission<std::future<int>>>);

}  // namespace pointsman
