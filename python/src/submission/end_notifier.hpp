// SPDX-License-Identifier: Apache-2.0
// Receives the done callback of a Python future and notifies the engine exactly once.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "no_gil_mutex.hpp"
#include "submission/returned_object.hpp"

namespace pointsman::python {

/// Notifies the engine of the end once, however often the future calls: not before the future has
/// accepted the callable, since an `add_done_callback` that raises may or may not have kept it; and at
/// the latest when the future releases the callable.
/// **Thread safety**: any thread; GIL held.
class end_notifier {
  public:
    /// `work` must live until `callback` has been called.
    end_notifier(pending_work& work, completion_callback callback) noexcept
        : work_{work}, callback_{callback} {}
    end_notifier(const end_notifier&) = delete;
    end_notifier& operator=(const end_notifier&) = delete;
    ~end_notifier() {
        if (state_ == state::taken && !has_interpreter_ended()) {
            callback_(work_.end_without_callback());
        }
    }

    /// Returns true if a call still has an effect.
    [[nodiscard]] bool is_awaited() const noexcept {
        const std::lock_guard lock{mutex_};
        return state_ == state::taken || (state_ == state::offered && !early_);
    }
    /// Called by the future when its work is complete.
    void notify(const completion& end) {
        {
            const std::lock_guard lock{mutex_};
            if (state_ == state::offered) {
                early_ = early_.value_or(end);
            }
            if (state_ != state::taken) {
                return;
            }
            state_ = state::closed;
        }
        callback_(end);
    }
    /// Called when `add_done_callback` has returned; the future may have called `notify` already.
    void taken() {
        {
            const std::lock_guard lock{mutex_};
            state_ = early_ ? state::closed : state::taken;
        }
        if (early_) {
            callback_(*early_);
        }
    }
    /// Called when `add_done_callback` has raised: later calls of `notify` have no effect.
    void withdraw() noexcept {
        const std::lock_guard lock{mutex_};
        state_ = state::closed;
    }

  private:
    enum class state : std::uint8_t { offered, taken, closed };

    pending_work& work_;
    const completion_callback callback_;
    std::optional<completion> early_;
    state state_ = state::offered;
    [[no_unique_address]] mutable no_gil_mutex mutex_;
};

}  // namespace pointsman::python
