// SPDX-License-Identifier: Apache-2.0
// The execution context of executors that run their work on the calling thread.
#pragma once

namespace pointsman {

/// The calling thread. All work in it is complete when a call returns.
struct calling_thread {
    void wait() const noexcept {}
    friend bool operator==(const calling_thread&, const calling_thread&) = default;
};

}  // namespace pointsman
