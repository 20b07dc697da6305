// SPDX-License-Identifier: Apache-2.0
// Keeps process exit from tearing down TBB while threads are entering or leaving it.
#pragma once

#include <atomic>
#include <chrono>
#include <climits>
#include <thread>

namespace pointsman::detail {

/// The gate through which arena threads enter TBB, and return when their tasks are complete. It closes
/// at process exit, before TBB's library is torn down, once no thread is passing through. Threads that
/// are then running tasks stay inside.
/// Exported from every shared library, because all of them share TBB.
/// **Thread safety**: all members from any thread.
class [[gnu::visibility("default")]] arena_gate {
  public:
    constexpr arena_gate() = default;
    arena_gate(const arena_gate&) = delete;
    arena_gate& operator=(const arena_gate&) = delete;

    /// The gate of the process.
    [[nodiscard]] static arena_gate& instance() noexcept {
        static constinit arena_gate only;
        return only;
    }

    /// Starts a passage, which `arrive` must end; returns false if the gate is closed.
    [[nodiscard]] bool set_out() noexcept {
        if (on_the_way_.fetch_add(1) >= 0) {
            return true;
        }
        arrive();
        return false;
    }
    void arrive() noexcept {
        if (on_the_way_.fetch_sub(1) == closed + 1) {
            on_the_way_.notify_all();
        }
    }

    /// Starts a passage, or blocks forever if the gate is closed.
    void set_out_or_stay() noexcept {
        while (!set_out()) {
            std::this_thread::sleep_for(std::chrono::hours{1});
        }
    }

    /// Closes the gate, and returns when no thread is passing through.
    void close() noexcept {
        for (int now = on_the_way_.fetch_or(closed) | closed; now != closed;
             now = on_the_way_.load()) {
            on_the_way_.wait(now);
        }
    }

  private:
    static constexpr int closed = INT_MIN;
    std::atomic<int> on_the_way_{0};  // threads passing through, and the bit `closed`
};

}  // namespace pointsman::detail
