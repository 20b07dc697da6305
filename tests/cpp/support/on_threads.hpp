// SPDX-License-Identifier: Apache-2.0
// The same from many threads at once.
#pragma once

#include <barrier>
#include <thread>
#include <vector>

namespace pointsman::test {

/// Calls `f(0)` to `f(count - 1)`, each on a thread of its own; none begins before all are there.
/// Comes back when all are over.
template <class F>
void on_threads(int count, F f) {
    std::barrier start{count};
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
            start.arrive_and_wait();
            f(i);
        });
    }
}

/// How many threads a test of concurrency runs with.
inline constexpr int thread_counts[] = {1, 2, 7, 16};

}  // namespace pointsman::test
