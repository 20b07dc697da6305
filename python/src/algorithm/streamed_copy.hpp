// SPDX-License-Identifier: Apache-2.0
// Copies results to memory that is too large to stay in a cache, without reading it first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#include <unistd.h>
#endif

namespace pointsman::python {

/// Returns true if an array of `bytes` is larger than the last cache, and `streamed_copy` therefore faster.
[[nodiscard]] inline bool exceeds_cache(std::size_t bytes) noexcept {
#if defined(__x86_64__) && defined(_SC_LEVEL3_CACHE_SIZE)
    static const long cache = ::sysconf(_SC_LEVEL3_CACHE_SIZE);  // 0 if the system does not tell
    return cache > 0 && bytes >= static_cast<std::size_t>(cache);
#else
    return bytes == SIZE_MAX;
#endif
}

/// Copies `bytes` from `from`, which is aligned to 16 bytes, past the caches. Other threads see the values after
/// `end_streams`.
inline void streamed_copy(char* to, const char* from, std::size_t bytes) noexcept {
#if defined(__x86_64__)
    constexpr std::size_t width = sizeof(__m128i);
    if (reinterpret_cast<std::uintptr_t>(to) % width == 0) {
        const std::size_t end = bytes / width * width;
        for (std::size_t at = 0; at < end; at += width) {
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                             _mm_load_si128(reinterpret_cast<const __m128i*>(from + at)));
        }
        to += end;
        from += end;
        bytes -= end;
    }
#endif
    std::memcpy(to, from, bytes);
}
inline void end_streams() noexcept {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

}  // namespace pointsman::python
