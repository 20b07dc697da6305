// SPDX-License-Identifier: Apache-2.0
// Counts heap allocations: this program's operator new is a counting one.
#pragma once

#include <cstdint>

namespace bench {

/// Returns how often the calling thread has allocated with operator new so far.
[[nodiscard]] std::uint64_t allocations() noexcept;

}  // namespace bench
