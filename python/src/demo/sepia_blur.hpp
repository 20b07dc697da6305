// SPDX-License-Identifier: Apache-2.0
// The demo's filters on the CPU: sepia, then a Gaussian blur, as loops over rows.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pointsman::demo {

/// Pixels of three interleaved bytes, row after row without gaps.
struct image_size {
    std::size_t height;
    std::size_t width;
    [[nodiscard]] std::size_t row() const noexcept { return 3 * width; }
};

/// `taps` is the one-dimensional kernel of the blur, of odd length; the border of the image is repeated
/// outside it. `sepia` is the matrix, row by row, that maps red, green and blue to the new values.
struct filter {
    std::vector<float> taps;
    std::array<float, 9> sepia;
    [[nodiscard]] std::size_t radius() const noexcept { return taps.size() / 2; }
};

namespace detail {

/// Number of sums computed at once, which fit in the first-level cache.
inline constexpr std::size_t strip = 512;

/// `sums[i] = sum of taps[k] * rows[k][at + i]` for every `i` below `count`, at most `strip`. Uses
/// four taps at a time, which saves three of four passes over the sums; the loops over `i` vectorise.
inline void weighted_sums(const std::vector<float>& taps, const std::vector<const float*>& rows,
                          std::size_t at, std::size_t count, float* __restrict sums) {
    std::fill_n(sums, count, 0.0F);
    std::size_t k = 0;
    for (; k + 4 <= taps.size(); k += 4) {
        const float t0 = taps[k];
        const float t1 = taps[k + 1];
        const float t2 = taps[k + 2];
        const float t3 = taps[k + 3];
        const float* const r0 = rows[k] + at;
        const float* const r1 = rows[k + 1] + at;
        const float* const r2 = rows[k + 2] + at;
        const float* const r3 = rows[k + 3] + at;
        for (std::size_t i = 0; i < count; ++i) {
            sums[i] += (t0 * r0[i] + t1 * r1[i]) + (t2 * r2[i] + t3 * r3[i]);
        }
    }
    for (; k < taps.size(); ++k) {
        const float tap = taps[k];
        const float* const row = rows[k] + at;
        for (std::size_t i = 0; i < count; ++i) {
            sums[i] += tap * row[i];
        }
    }
}

inline void sepia_row(const std::array<float, 9>& matrix, const std::uint8_t* from,
                      std::size_t width, float* __restrict to) {
    const std::array<float, 9> m = matrix;
    for (std::size_t x = 0; x < width; ++x) {
        const float r = from[3 * x];
        const float g = from[3 * x + 1];
        const float b = from[3 * x + 2];
        to[3 * x] = std::min(255.0F, m[0] * r + m[1] * g + m[2] * b);
        to[3 * x + 1] = std::min(255.0F, m[3] * r + m[4] * g + m[5] * b);
        to[3 * x + 2] = std::min(255.0F, m[6] * r + m[7] * g + m[8] * b);
    }
}

/// Copies the first and the last pixel of the image row in `padded` into the `radius` pixels beside it.
inline void extend_border(std::vector<float>& padded, std::size_t radius, image_size size) {
    float* const first = padded.data() + 3 * radius;
    float* const last = first + size.row() - 3;
    for (std::size_t i = 0; i < radius; ++i) {
        std::copy_n(first, 3, padded.data() + 3 * i);
        std::copy_n(last, 3, last + 3 * (i + 1));
    }
}

inline void sepia_and_horizontal(const filter& f, const std::uint8_t* source, image_size size,
                                 tbb::blocked_range<std::size_t> rows, float* to) {
    std::vector<float> padded(size.row() + 6 * f.radius());
    std::vector<const float*> shifted(f.taps.size());
    for (std::size_t k = 0; k < shifted.size(); ++k) {
        shifted[k] = padded.data() + 3 * k;
    }
    for (std::size_t y = rows.begin(); y != rows.end(); ++y) {
        sepia_row(f.sepia, source + y * size.row(), size.width, padded.data() + 3 * f.radius());
        extend_border(padded, f.radius(), size);
        for (std::size_t x = 0; x < size.row(); x += strip) {
            weighted_sums(f.taps, shifted, x, std::min(strip, size.row() - x),
                          to + y * size.row() + x);
        }
    }
}

inline void vertical(const filter& f, const float* source, image_size size,
                     tbb::blocked_range<std::size_t> rows, std::uint8_t* to) {
    std::array<float, strip> sums;
    std::vector<const float*> around(f.taps.size());
    for (std::size_t y = rows.begin(); y != rows.end(); ++y) {
        for (std::size_t k = 0; k < around.size(); ++k) {
            const std::size_t above = std::max(y + k, f.radius()) - f.radius();
            around[k] = source + std::min(above, size.height - 1) * size.row();
        }
        for (std::size_t x = 0; x < size.row(); x += strip) {
            const std::size_t count = std::min(strip, size.row() - x);
            weighted_sums(f.taps, around, x, count, sums.data());
            std::transform(sums.begin(), sums.begin() + count, to + y * size.row() + x,
                           [](float sum) { return static_cast<std::uint8_t>(sum + 0.5F); });
        }
    }
}

}  // namespace detail

/// Filters `source` into `target`, both of `size`, with the threads of the calling thread's arena.
/// Arithmetic is in `float`; only the result is rounded.
inline void sepia_blur(const filter& f, const std::uint8_t* source, image_size size,
                       std::uint8_t* target) {
    constexpr std::size_t least_rows = 16;
    const tbb::blocked_range<std::size_t> rows{0, size.height, least_rows};
    const auto between = std::make_unique_for_overwrite<float[]>(size.height * size.row());
    tbb::parallel_for(rows, [&](const auto& chunk) {
        detail::sepia_and_horizontal(f, source, size, chunk, between.get());
    });
    tbb::parallel_for(
        rows, [&](const auto& chunk) { detail::vertical(f, between.get(), size, chunk, target); });
}

}  // namespace pointsman::demo
