// SPDX-License-Identifier: Apache-2.0
// A wait during which TBB may let the thread run other tasks.
#pragma once

#include <tbb/task_group.h>

#include <thread>
#include <utility>

namespace pointsman::test {

/// Lets the calling thread run other tasks until another thread releases it.
inline void wait_for_another() {
    tbb::task_group group;
    std::thread other{[handle = group.defer([] {})]() mutable {
        for (int looks = 0; looks < 100; ++looks) {
            std::this_thread::yield();
        }
        handle = {};
    }};
    group.wait();
    other.join();
}

}  // namespace pointsman::test
