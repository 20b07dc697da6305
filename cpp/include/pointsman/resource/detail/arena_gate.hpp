// SPDX-License-Identifier: Apache-2.0
// Keeps the end of the process from ending TBB under threads that go into it or come out of it.
#pragma once

#include <atomic>
#include <chrono>
#include <climits>
#include <thread>

namespace pointsman::detail {

/// Through which the threads of arenas pass into TBB, and back when their tasks are over. It closes at the
/// end of the process, before TBB's library ends: once nobody is on the way. Threads that run tasks then
/// stay inside.
/// Exported from every shared library, as they share TBB.
/// **Thread safety**: all members from any thread.
class [[gnu::visibility("default")]] arena_gate {
  public:
    constexpr arena_gate() = default;
    arena_gate(const arena_gate&) = delete;
    arena_gate& operator=(const arena_gate&) = delete;

    /// That of the process.
    [[nodiscard]] static arena_gate& instance() noexcept {
        static constinit arena_gate only;
        return only;
    }

    /// False, and there is no way, when the gate is closed. Otherwise `arrive` is to follow.
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

    /// Sets out, or stays for ever when the gate is closed.
    void set_out_or_stay() noexcept {
        while (!set_out()) {
            std::this_thread::sleep_for(std::chrono::hours{1});
        }
    }

    /// Returns when nobody is on the way, and nobody will be.
    void close() noexcept {
        for (int now = on_the_way_.fetch_or(closed) | closed; now != closed;
             now = on_the_way_.load()) {
            on_the_way_.wait(now);
        }
    }

  private:
    static constexpr int closed = INT_MIN;
    std::atomic<int> on_the_way_{0};  // and the bit that says closed
};

}  // namespace pointsman::detail
