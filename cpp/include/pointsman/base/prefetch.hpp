// SPDX-License-Identifier: Apache-2.0
// Has the processor load memory that will be written to soon.
#pragma once

#include <cstddef>

namespace pointsman::detail {

/// A hint: `address` may be any. What a driver's call pushes out of the nearest cache takes a store up to
/// 30 ns to get back, for which the next atomic step waits.
template <std::size_t Bytes>
[[gnu::always_inline]] inline void prefetch_for_write(const void* address) noexcept {
    constexpr std::size_t line = 64;
    for (std::size_t at = 0; at < Bytes; at += line) {
        __builtin_prefetch(static_cast<const std::byte*>(address) + at, 1);
    }
}

}  // namespace pointsman::detail
