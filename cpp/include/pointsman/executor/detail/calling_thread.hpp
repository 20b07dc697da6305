// SPDX-License-Identifier: Apache-2.0
// The execution context of executors that run their work on the calling thread.
#pragma once

namespace pointsman {

/// Represents the calling thread. Its work is complete when `execute` or `bulk_execute` returns.
struct calling_thread {
    void wait() const noexcept {}
    friend bool operator==(const calling_thread&, const calling_thread&) = default;
};

}  // namespace pointsman
