// SPDX-License-Identifier: Apache-2.0
// Keeps a forked child from waiting for TBB threads that only its parent has.
#pragma once

#include <atomic>

#include "pointsman/base/fork_mark.hpp"

namespace pointsman::detail {

/// TBB, on which arenas run, starts its threads once per process. A child that is forked later lacks the
/// threads but inherits the bookkeeping about them: work of an arena, even of an arena that the child
/// made, would never start.
/// Exported from every shared library, because all of them share TBB.
/// **Thread safety**: all members from any thread.
/// **Cost**: two loads.
class [[gnu::visibility("default")]] tbb_threads {
  public:
    /// Called before each use of TBB's threads.
    /// **Throws**: `forked_process` in a child that was forked after the first use.
    static void use() { first_use().check(name); }

    /// Like `use`, for operations that do not use the threads themselves: does nothing before the first
    /// use of the threads.
    static void check() {
        if (in_use_.load(std::memory_order_relaxed)) {
            use();
        }
    }

    /// Records a use of the threads by work that can also run without them.
    static void note_use() noexcept { static_cast<void>(first_use()); }

    /// Returns true in a child that was forked after the first use.
    [[nodiscard]] static bool are_missing() noexcept {
        return in_use_.load(std::memory_order_relaxed) && first_use().is_stale();
    }

  private:
    static constexpr const char* name = "TBB, on which arenas run,";

    [[nodiscard]] static const fork_mark& first_use() noexcept {
        static const fork_mark mark = [] {
            in_use_.store(true, std::memory_order_relaxed);
            return fork_mark{};
        }();
        return mark;
    }

    static inline std::atomic<bool> in_use_{false};
};

}  // namespace pointsman::detail
