// SPDX-License-Identifier: Apache-2.0
// Counts truth values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pointsman::python {

/// The number of bytes that are not 0.
struct set_bytes {
    [[gnu::always_inline]] static std::size_t run(const char* bytes, std::size_t size) noexcept {
        constexpr std::size_t width = 32;
        constexpr std::size_t most = 255;  // so that no byte of their sum overflows
        using lanes __attribute__((vector_size(width))) = std::uint8_t;
        std::size_t sum = 0, i = 0;
        while (i + width <= size) {
            lanes sums{};
            for (const std::size_t end = i + std::min(most, (size - i) / width) * width; i < end;
                 i += width) {
                lanes values;
                std::memcpy(&values, bytes + i, width);
                sums -= static_cast<lanes>(values != 0);
            }
            for (std::size_t lane = 0; lane < width; ++lane) {
                sum += sums[lane];
            }
        }
        for (; i < size; ++i) {
            sum += bytes[i] != 0 ? 1 : 0;
        }
        return sum;
    }
};

}  // namespace pointsman::python
