// SPDX-License-Identifier: Apache-2.0
// What submit returns: something to wait for that gives back what the function returned.
#pragma once

#include <future>
#include <optional>
#include <type_traits>
#include <utility>

#include "fairlead/submission/submission.hpp"
#include "fairlead/submission/watched_work.hpp"

namespace fairlead {

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
        work_ = detail::make_ref<detail::watched_work<T>>(
            std::move(work), detail::make_ref<detail::submission_group_state>());
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

}  // namespace fairlead
