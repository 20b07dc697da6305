// SPDX-License-Identifier: Apache-2.0
// Copies results to memory that is too large to stay in a cache, without reading it first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace pointsman::python {

/// The bytes of the last cache as Linux tells them; unlimited if it does not. `sysconf` has a wrong size on some
/// virtual machines.
[[nodiscard]] inline std::size_t last_cache_bytes() {
    std::size_t kibibytes = 0;
    std::ifstream{"/sys/devices/system/cpu/cpu0/cache/index3/size"} >> kibibytes;
    return kibibytes > 0 ? kibibytes * 1024 : SIZE_MAX;
}

/// Returns true if an array of `bytes` does not fit into the last cache, and `streamed_copy` is therefore faster.
[[nodiscard]] inline bool exceeds_cache(std::size_t bytes) {
    static const std::size_t cache = last_cache_bytes();
    return bytes >= cache;
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
