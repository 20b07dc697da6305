// SPDX-License-Identifier: Apache-2.0
// Counts heap allocations: this program's operator new is a counting one.
#pragma once

#include <cstdint>

namespace bench {

/// How often the calling thread has asked operator new for memory so far.
[[nodiscard]] std::uint64_t allocations() noexcept;

}  // namespace bench
