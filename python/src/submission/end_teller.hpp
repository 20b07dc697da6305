// SPDX-License-Identifier: Apache-2.0
// What a future of Python's is given to call at the end of its work.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "no_gil_mutex.hpp"
#include "submission/returned_object.hpp"

namespace pointsman::python {

/// Tells the engine of the end once, however often the future calls: when it has taken the callable
/// over, since of a method that raises nobody can say whether it has kept what it was given; and at the
/// latest when the future releases the callable.
/// **Thread safety**: any thread; GIL held.
class end_teller {
  public:
    /// The work lives until the end is told.
    end_teller(pending_work& work, completion_callback callback) noexcept
        : work_{work}, callback_{callback} {}
    end_teller(const end_teller&) = delete;
    end_teller& operator=(const end_teller&) = delete;
    ~end_teller() {
        if (state_ == state::taken && !has_interpreter_ended()) {
            callback_(work_.end_untold());
        }
    }

    /// Returns true if a call still has an effect.
    [[nodiscard]] bool is_awaited() const noexcept {
        const std::lock_guard lock{mutex_};
        return state_ == state::taken || (state_ == state::offered && !early_);
    }
    /// The future calls.
    void tell(const completion& end) {
        {
            const std::lock_guard lock{mutex_};
            if (state_ == state::offered) {
                early_ = early_.value_or(end);
            }
            if (state_ != state::taken) {
                return;
            }
            state_ = state::told;
        }
        callback_(end);
    }
    /// The future has taken it over, and may have called already.
    void taken() {
        {
            const std::lock_guard lock{mutex_};
            state_ = early_ ? state::told : state::taken;
        }
        if (early_) {
            callback_(*early_);
        }
    }
    /// The future has raised instead: what it calls later changes nothing.
    void withdraw() noexcept {
        const std::lock_guard lock{mutex_};
        state_ = state::told;
    }

  private:
    enum class state : std::uint8_t { offered, taken, told };

    pending_work& work_;
    const completion_callback callback_;
    std::optional<completion> early_;
    state state_ = state::offered;
    [[no_unique_address]] mutable no_gil_mutex mutex_;
};

}  // namespace pointsman::python
