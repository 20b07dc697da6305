// SPDX-License-Identifier: Apache-2.0
// Prefetches memory that will soon be written, which shortens the following stores.
#pragma once

#include <cstddef>

namespace pointsman::detail {

/// A hint; `address` need not be valid. A store to a cache line that a driver call has evicted from the
/// nearest cache takes up to 30 ns, and the next atomic operation waits for it.
template <std::size_t Bytes>
[[gnu::always_inline]] inline void prefetch_for_write(const void* address) noexcept {
    constexpr std::size_t line = 64;
    for (std::size_t at = 0; at < Bytes; at += line) {
        __builtin_prefetch(static_cast<const std::byte*>(address) + at, 1);
    }
}

}  // namespace pointsman::detail
