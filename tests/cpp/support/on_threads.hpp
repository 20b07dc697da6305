// SPDX-License-Identifier: Apache-2.0
// Runs one function on many threads at the same time.
#pragma once

#include <barrier>
#include <thread>
#include <vector>

namespace pointsman::test {

/// Calls `f(0)` to `f(count - 1)`, each on its own thread; none begins before all are ready.
/// Returns when all have finished.
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

/// The thread counts of concurrency tests.
inline constexpr int thread_counts[] = {1, 2, 7, 16};

}  // namespace pointsman::test
