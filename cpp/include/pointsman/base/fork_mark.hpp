// SPDX-License-Identifier: Apache-2.0
// Distinguishes objects made before the process forked from objects made after.
#pragma once

#include <pthread.h>

#include <atomic>

#include "pointsman/error.hpp"

namespace pointsman::detail {

/// Stored in objects that own or wait for threads: a child that is forked later has none of these
/// threads and would wait forever. Exported from every shared library, so that all of them share one
/// count of forks.
/// **Thread safety**: any member from any thread.
/// **Cost**: one relaxed load for each check.
class [[gnu::visibility("default")]] fork_mark {
  public:
    fork_mark() noexcept : made_in_{current()} {}

    /// Returns true if this process was forked from the process in which the mark was made.
    [[nodiscard, gnu::always_inline]] bool is_stale() const noexcept {
        return generation_.load(std::memory_order_relaxed) !=
               made_in_.load(std::memory_order_relaxed);
    }

    /// **Throws**: `forked_process`, naming `what`, if the mark is stale.
    [[gnu::always_inline]] void check(const char* what) const {
        if (is_stale()) [[unlikely]] {
            refuse(what);
        }
    }

    /// Restarts the mark in this process, where the marked object starts afresh.
    void renew() noexcept { made_in_.store(current(), std::memory_order_relaxed); }

  private:
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse(const char* what) {
        throw forked_process{what};
    }

    [[nodiscard]] static unsigned current() noexcept {
        static const bool armed = pthread_atfork(nullptr, nullptr, [] {
                                      generation_.fetch_add(1, std::memory_order_relaxed);
                                  }) == 0;
        static_cast<void>(armed);  // out of memory: forks go unnoticed
        return generation_.load(std::memory_order_relaxed);
    }

    static inline std::atomic<unsigned> generation_{0};
    std::atomic<unsigned> made_in_;
};

}  // namespace pointsman::detail
