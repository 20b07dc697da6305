// SPDX-License-Identifier: Apache-2.0
// Counts the heap allocations of each thread in this program's operator new.
#pragma once

#include <cstdint>

namespace bench {

/// Returns how often the calling thread has allocated with operator new so far.
[[nodiscard]] std::uint64_t allocations() noexcept;

}  // namespace bench
