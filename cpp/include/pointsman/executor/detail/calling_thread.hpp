// SPDX-License-Identifier: Apache-2.0
// The execution context of executors that run their work where they are called.
#pragma once

namespace pointsman {

/// The thread that calls. All work in it is over when a call returns.
struct calling_thread {
    void wait() const noexcept {}
    friend bool operator==(const calling_thread&, const calling_thread&) = default;
};

}  // namespace pointsman
