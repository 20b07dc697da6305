// SPDX-License-Identifier: Apache-2.0
// Waits in a test for a condition that another thread will make true.
#pragma once

#include <chrono>
#include <thread>

namespace pointsman::test {

/// Yields until `condition()` holds; returns false if it does not within half a minute, which is
/// far longer than any machine needs.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) {
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

}  // namespace pointsman::test
