// SPDX-License-Identifier: Apache-2.0
// A thread that waits for a context, and a check that a tracked executor prolongs the wait.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>
#include <thread>
#include <utility>

#include "pointsman/property/outstanding_work.hpp"
#include "pointsman/property/require.hpp"

namespace pointsman::test {

/// Waits for a context on its own thread.
template <class Context>
class waiting_thread {
  public:
    explicit waiting_thread(Context context)
        : thread_{[this, context] {
              begun_.count_down();
              context.wait();
              over_ = true;
          }} {
        begun_.wait();
    }
    [[nodiscard]] bool is_over() const { return over_; }
    void join() { thread_.join(); }

  private:
    std::atomic<bool> over_{false};
    std::latch begun_{1};
    std::jthread thread_;
};

/// Expects the wait to continue while `tracked` or a copy exists, and then to end.
template <class Executor>
void expect_wait_for_last_copy(Executor tracked) {
    waiting_thread waiter{tracked.context()};
    std::optional<Executor> copy{tracked};
    std::optional<Executor> moved{std::move(tracked)};
    copy = std::nullopt;
    for (int turn = 0; turn < 50; ++turn) {
        std::this_thread::yield();
    }
    EXPECT_FALSE(waiter.is_over());
    moved = require(*moved, outstanding_work.untracked);
    waiter.join();
    EXPECT_TRUE(waiter.is_over());
}

}  // namespace pointsman::test
