// SPDX-License-Identifier: Apache-2.0
// Keeps a forked child from waiting for the threads that TBB has in its parent.
#pragma once

#include <atomic>

#include "pointsman/base/fork_mark.hpp"

namespace pointsman::detail {

/// TBB starts its threads once for the process, and so do arenas. A child that was forked since lacks
/// them, but not what is remembered of them: work of an arena, also of one that the child made, would
/// never start.
/// Exported from every shared library, as they share TBB.
/// **Thread safety**: all members from any thread.
/// **Cost**: two loads.
class [[gnu::visibility("default")]] tbb_threads {
  public:
    /// To be called before each use of TBB's threads.
    /// **Throws**: `forked_process` in a child that was forked after the first use.
    static void use() { first_use().check(name); }

    /// The same for what is no use by itself: a process that was not forked yet may still be.
    static void check() {
        if (in_use_.load(std::memory_order_relaxed)) {
            use();
        }
    }

    /// Notes a use that goes on without the threads where they are missing.
    static void note_use() noexcept { static_cast<void>(first_use()); }

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
