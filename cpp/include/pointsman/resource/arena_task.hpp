// SPDX-License-Identifier: Apache-2.0
// The handle to one task of an arena, through which its result or exception is retrieved.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/error.hpp"
#include "pointsman/resource/detail/arena_core.hpp"
#include "pointsman/submission/completion.hpp"
#include "pointsman/submission/waitable.hpp"

namespace pointsman {

namespace detail {

/// State of a task with its result or exception. A reference is stored as a pointer.
template <class T>
class arena_result : public arena_work {
  public:
    explicit arena_result(ref<arena_core> core) noexcept : core_{std::move(core)} {}

    void wait() {
        core_->await(*this);
        if (error_) {
            std::rethrow_exception(error_);
        }
    }

    bool cancel() { return core_->cancel(*this); }

    /// Only after `wait()` has returned.
    [[nodiscard]] decltype(auto) value() noexcept {
        if constexpr (std::is_reference_v<T>) {
            return static_cast<T>(**value_);
        } else {
            return static_cast<T&>(*value_);
        }
    }

  protected:
    template <class F>
    void fill(F&& function) noexcept {
        try {
            if constexpr (std::is_void_v<T>) {
                std::invoke(std::forward<F>(function));
            } else if constexpr (std::is_reference_v<T>) {
                value_.emplace(std::addressof(std::invoke(std::forward<F>(function))));
            } else {
                value_.emplace(std::invoke(std::forward<F>(function)));
            }
        } catch (...) {
            error_ = std::current_exception();
        }
        this->note_end(error_ == nullptr);
    }

    void give_up() noexcept {
        error_ = std::make_exception_ptr(work_cancelled{});
        this->note_end(false);
    }

  private:
    struct nothing {};
    using stored =
        std::conditional_t<std::is_void_v<T>, nothing,
                           std::conditional_t<std::is_reference_v<T>,
                                              std::add_pointer_t<std::remove_reference_t<T>>, T>>;

    ref<arena_core> core_;
    std::optional<stored> value_;
    std::exception_ptr error_;
};

/// A task with its function, which is destroyed as soon as it has run: its captured objects are gone when
/// a wait returns.
template <class T, class F>
class arena_job : public arena_result<T> {
  public:
    template <class G>
    arena_job(ref<arena_core> core, G&& function)
        : arena_result<T>{std::move(core)}, function_{std::in_place, std::forward<G>(function)} {}

    void call() noexcept override {
        this->fill(std::move(*function_));
        function_.reset();
    }
    void drop() noexcept override {
        this->give_up();
        function_.reset();
    }

  private:
    std::optional<F> function_;
};

}  // namespace detail

/// A handle to work that `arena::run` started. Copies refer to the same task; dropping a handle leaves
/// its task running. `T` is the result type of the function; it may be `void` or move-only.
/// **Thread safety**: all members may be called from any thread, also on copies, except that
/// `get() &&` moves the result out for all handles.
/// **Example**:
///
///     pointsman::arena cores;
///     auto task = cores.run([&] { return histogram(image); });
///     use(task.get());
template <class T>
class arena_task {
  public:
    using value_type = T;

    /// Blocks until the task is complete. A waiting thread may run the task itself. **Throws**: what
    /// the function threw.
    void wait() const { state_->wait(); }

    /// Waits, and returns a reference to the result, valid while a handle to the task exists.
    /// **Throws**: what the function threw.
    decltype(auto) get() const& {
        wait();
        if constexpr (std::is_reference_v<T>) {
            return state_->value();
        } else if constexpr (!std::is_void_v<T>) {
            return std::as_const(state_->value());
        }
    }

    /// Waits, and moves the result out. **Throws**: what the function threw.
    T get() && {
        wait();
        if constexpr (!std::is_void_v<T>) {
            return static_cast<T&&>(state_->value());
        }
    }

    [[nodiscard]] bool is_ready() const noexcept { return state_->is_ready(); }

    /// Cancels the task if it has not started. Returns true if it was cancelled: the task is then complete,
    /// and its waits throw `work_cancelled`.
    bool cancel() const { return state_->cancel(); }

    /// Calls `callback` exactly once: immediately if the task is complete, otherwise on the thread
    /// that ran it, before any `wait()` returns. `callback` must not wait for the task.
    void on_completion(completion_callback callback) const { state_->on_completion(callback); }

    /// When and how the task ended; only once `is_ready()`. The time is read when the function returns,
    /// so it is exact.
    [[nodiscard]] completion outcome() const noexcept { return state_->outcome(); }

    /// Returns true if both refer to the same task.
    friend bool operator==(const arena_task& a, const arena_task& b) noexcept {
        return a.state_.get() == b.state_.get();
    }

  private:
    friend class arena;
    explicit arena_task(detail::ref<detail::arena_result<T>> state) noexcept
        : state_{std::move(state)} {}

    detail::ref<detail::arena_result<T>> state_;
};

static_assert(waitable<arena_task<void>> && waitable<arena_task<int>>);

}  // namespace pointsman
