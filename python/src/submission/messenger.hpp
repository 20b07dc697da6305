// SPDX-License-Identifier: Apache-2.0
// A thread that waits for the GIL in place of a driver's thread, which must not.
#pragma once

#include <condition_variable>
#include <mutex>

#include "pointsman/binding/base.hpp"
#include "submission/listeners.hpp"

namespace pointsman::python {

/// Notifies listeners one after another, in the order in which they were sent. Its thread never ends.
/// **Thread safety**: any thread, with or without the GIL.
class messenger {
  public:
    static messenger& instance();

    /// Starts the thread, which `send` needs, at the first call. **Throws**: `std::system_error`.
    void prepare();
    /// Notifies `listener` on the thread.
    void send(end_listener& listener) noexcept;
    /// Returns a gate that opens when all listeners sent so far have been notified.
    [[nodiscard]] binding::ref<gate> end_of_sent();

  private:
    messenger() = default;

    [[noreturn]] void run();
    end_listener* next();
    /// Returns true if the thread is running: a forked child lacks it.
    [[nodiscard]] bool is_running() const noexcept { return is_started_ && !mark_.is_stale(); }

    std::mutex mutex_;
    std::condition_variable sent_;
    end_listener* first_ = nullptr;
    end_listener** end_ = &first_;
    bool is_started_ = false;
    binding::fork_mark mark_;
};

}  // namespace pointsman::python
