// SPDX-License-Identifier: Apache-2.0
// The submission of a recovering_policy: waits for work that may run again.
#pragma once

#include <concepts>
#include <coroutine>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/recovery/attempt.hpp"
#include "pointsman/recovery/detail/observed_work.hpp"
#include "pointsman/recovery/detail/repeated_work.hpp"

namespace pointsman {

namespace detail {
template <class T>
inline constexpr bool is_observed_v = false;
template <class T>
inline constexpr bool is_observed_v<observed_work<T>> = true;

/// Holds what `make()` returns, constructed in place: it may be a type that cannot be moved.
template <class T>
struct made_in_place {
    template <class Make>
    [[gnu::always_inline]] explicit made_in_place(Make&& make)
        : value(std::forward<Make>(make)()) {}

    T value;
};

/// Unwraps the submission of a guarded task: what the user's function returned.
template <class Submission>
decltype(auto) unwrap_observed(Submission& submission) {
    using returned = std::remove_cvref_t<decltype(submission.unwrap())>;
    if constexpr (is_observed_v<returned>) {
        returned observed = submission.unwrap();
        return decltype(observed.work)(std::move(observed.work));
    } else {
        return submission.unwrap();
    }
}

/// Awaiter of work that may run again, or of a single attempt.
template <class Submission, class Single, class Repeated>
class recovering_awaiter {
    using single_awaiter = decltype(std::declval<Single&>().operator co_await());

  public:
    recovering_awaiter(Submission& submission, ref<Repeated> repeated, Single* single)
        : submission_{submission}, repeated_{std::move(repeated)} {
        if (single != nullptr) {
            single_.emplace([&] { return single->operator co_await(); });
        }
    }
    recovering_awaiter(const recovering_awaiter&) = delete;
    recovering_awaiter& operator=(const recovering_awaiter&) = delete;
    ~recovering_awaiter() {
        if (is_suspended_) {
            repeated_->cancel_resumption();  // destroyed while it waited
        }
    }

    bool await_ready() { return single_ ? single_->value.await_ready() : repeated_->has_ended(); }
    bool await_suspend(std::coroutine_handle<> coroutine) {
        if (!single_) {
            is_suspended_ = true;
            return repeated_->resume_when_ended(coroutine);  // may destroy this
        }
        using suspended = decltype(single_->value.await_suspend(coroutine));
        if constexpr (std::is_void_v<suspended>) {
            single_->value.await_suspend(coroutine);
            return true;
        } else {
            return single_->value.await_suspend(coroutine);
        }
    }
    decltype(auto) await_resume() {
        is_suspended_ = false;
        submission_.wait();
        return submission_.unwrap();
    }

  private:
    Submission& submission_;
    const ref<Repeated> repeated_;
    std::optional<made_in_place<single_awaiter>> single_;
    bool is_suspended_ = false;
};
}  // namespace detail

/// What `recovering_policy::submit` returns. `Single` is the submission of one attempt, `Resource` the type of
/// the policy's resources.
///
/// **Thread safety**: one thread at a time, except `request_stop`. A submission may outlive its policy. Dropping
/// it does not affect the work, which still runs again as its options allow.
template <class Single, class Resource>
class recovering_submission {
    using repeated = detail::repeated_work<Single, Resource>;

  public:
    /// Work with a single attempt, whose submission `submit()` returns.
    template <std::invocable Submit>
    [[gnu::always_inline]] explicit recovering_submission(const Submit& submit)
        : single(submit()) {}
    /// Work that may run again.
    explicit recovering_submission(detail::ref<repeated> work) noexcept
        : repeated_{std::move(work)}, is_single_{false} {}
    [[gnu::always_inline]] recovering_submission(recovering_submission&& other) noexcept
        : repeated_{std::move(other.repeated_)}, is_single_{other.is_single_} {
        if (is_single_) {
            std::construct_at(&single, std::move(other.single));
        }
    }
    recovering_submission& operator=(recovering_submission&& other) noexcept {
        if (this != &other) {
            std::destroy_at(this);
            std::construct_at(this, std::move(other));
        }
        return *this;
    }
    recovering_submission(const recovering_submission&) = delete;
    recovering_submission& operator=(const recovering_submission&) = delete;
    [[gnu::always_inline]] ~recovering_submission() {
        if (is_single_) [[likely]] {
            std::destroy_at(&single);
        } else if (repeated_) {  // not moved from
            repeated_->dropped();
        }
    }

    /// Blocks until the work has ended for good. **Throws**: the error of its last attempt.
    void wait() {
        if (repeated_) {
            repeated_->wait();
        } else {
            single.wait();
        }
    }

    /// Returns true if the work is known to have ended for good. Never blocks.
    [[nodiscard]] bool is_ready() {
        if (repeated_) {
            return repeated_->has_ended();
        }
        if constexpr (requires { single.is_ready(); }) {
            return single.is_ready();
        } else {
            return false;
        }
    }

    /// Returns what the function returned in the attempt that succeeded, or in the last one so far.
    /// **Throws**: what the function threw, if it threw in each attempt so far.
    decltype(auto) unwrap() {
        if (repeated_) {
            return detail::unwrap_observed(repeated_->last());
        }
        return detail::unwrap_observed(single);
    }

    /// Returns the runs of the work, in the order in which they began. The run without an error shows where the
    /// work succeeded; the others show why it failed elsewhere. Empty under options that let work run once,
    /// without a limit: then nothing is noted.
    [[nodiscard]] std::vector<attempt<Resource>> attempts() const {
        return repeated_ ? repeated_->all_attempts() : std::vector<attempt<Resource>>{};
    }

    /// Drops work that has not begun, and does not run the work again; a function that took a stop token is asked
    /// to stop. Has no effect under options that let work run once, without a limit.
    void request_stop() {
        if (repeated_) {
            repeated_->request_stop();
        }
    }

    /// `co_await` suspends a coroutine until the work has ended for good, and returns what `unwrap` does; see
    /// `default_submission`.
    auto operator co_await()
        requires requires(Single& single) { single.operator co_await(); }
    {
        return detail::recovering_awaiter<recovering_submission, Single, repeated>{
            *this, repeated_, is_single_ ? &single : nullptr};
    }

  private:
    detail::ref<repeated> repeated_;
    union {
        Single single;  // if there is one
    };
    bool is_single_ = true;
};

}  // namespace pointsman
