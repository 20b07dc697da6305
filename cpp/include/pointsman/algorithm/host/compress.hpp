// SPDX-License-Identifier: Apache-2.0
// Copies the values that satisfy a predicate, in vector registers if the processor has AVX2.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pointsman::detail {

/// As `compress`, one value after the other. A value is written before it is known whether it is kept, because no CPU
/// could predict a branch.
template <class Value, class Predicate>
std::remove_const_t<Value>* compress_singly(Value* values, std::size_t count, Predicate& keeps,
                                            std::remove_const_t<Value>* out) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        *out = values[i];
        out += keeps(values[i]) ? 1 : 0;
    }
    return out;
}

#if defined(__x86_64__)
/// `lane_orders[set]` lists the places of the elements of the lanes whose bits are 1 in `set`, in order, and then zeros.
/// Each lane has `Size` elements.
template <std::size_t Lanes, std::size_t Size>
inline constexpr auto lane_orders = [] {
    std::array<std::array<std::uint8_t, Lanes * Size>, std::size_t{1} << Lanes> all{};
    for (std::size_t set = 0; set < all.size(); ++set) {
        std::size_t end = 0;
        for (std::size_t place = 0; place < Lanes * Size; ++place) {
            if ((set >> (place / Size) & 1U) != 0) {
                all[set][end++] = static_cast<std::uint8_t>(place);
            }
        }
    }
    return all;
}();

/// A register of `lanes` values of `Size` bytes. `set_of(masks)` has a 1 for each lane whose mask is -1, and a 0 for
/// those whose mask is 0. `copy(values, set, out)` writes the values of the lanes in `set`, in order, and unspecified
/// values behind them, as many as there are lanes in all.
template <std::size_t Size>
struct compressing_register {
    static constexpr std::size_t lanes = 0;  // no such register
};

template <>
struct compressing_register<1> {
    static constexpr std::size_t lanes = 8;
    using mask = std::int8_t;

    [[gnu::target("avx2")]] static unsigned set_of(const void* masks) noexcept {
        const auto all = _mm_loadl_epi64(static_cast<const __m128i*>(masks));
        return static_cast<unsigned>(_mm_movemask_epi8(all)) & 0xFFU;
    }
    [[gnu::target("avx2")]] static void copy(const void* values, unsigned set, void* out) noexcept {
        const void* const places = lane_orders<lanes, 1>[set].data();
        const auto order = _mm_loadl_epi64(static_cast<const __m128i*>(places));
        const auto all = _mm_loadl_epi64(static_cast<const __m128i*>(values));
        _mm_storel_epi64(static_cast<__m128i*>(out), _mm_shuffle_epi8(all, order));
    }
};

template <>
struct compressing_register<2> {
    static constexpr std::size_t lanes = 8;
    using mask = std::int16_t;

    [[gnu::target("avx2")]] static unsigned set_of(const void* masks) noexcept {
        const auto all = _mm_loadu_si128(static_cast<const __m128i*>(masks));
        const auto bytes = _mm_packs_epi16(all, _mm_setzero_si128());
        return static_cast<unsigned>(_mm_movemask_epi8(bytes));
    }
    [[gnu::target("avx2")]] static void copy(const void* values, unsigned set, void* out) noexcept {
        const void* const places = lane_orders<lanes, 2>[set].data();
        const auto order = _mm_loadu_si128(static_cast<const __m128i*>(places));
        const auto all = _mm_loadu_si128(static_cast<const __m128i*>(values));
        _mm_storeu_si128(static_cast<__m128i*>(out), _mm_shuffle_epi8(all, order));
    }
};

/// Copies the 32-bit words of a register in `order`, eight bytes.
[[gnu::target("avx2")]] inline void copy_words(const void* values, const void* order,
                                               void* out) noexcept {
    const auto words = _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(order)));
    const auto all = _mm256_loadu_si256(static_cast<const __m256i*>(values));
    _mm256_storeu_si256(static_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(all, words));
}

template <>
struct compressing_register<4> {
    static constexpr std::size_t lanes = 8;
    using mask = std::int32_t;

    [[gnu::target("avx2")]] static unsigned set_of(const void* masks) noexcept {
        const auto all = _mm256_loadu_si256(static_cast<const __m256i*>(masks));
        return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(all)));
    }
    [[gnu::target("avx2")]] static void copy(const void* values, unsigned set, void* out) noexcept {
        copy_words(values, lane_orders<lanes, 1>[set].data(), out);
    }
};

template <>
struct compressing_register<8> {
    static constexpr std::size_t lanes = 4;
    using mask = std::int64_t;

    [[gnu::target("avx2")]] static unsigned set_of(const void* masks) noexcept {
        const auto all = _mm256_loadu_si256(static_cast<const __m256i*>(masks));
        return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(all)));
    }
    [[gnu::target("avx2")]] static void copy(const void* values, unsigned set, void* out) noexcept {
        copy_words(values, lane_orders<lanes, 2>[set].data(), out);
    }
};

/// As `compress`, of `Count` values, a multiple of the lanes of a register.
template <std::size_t Count, class Value, class Predicate>
[[gnu::target("avx2,popcnt")]] std::remove_const_t<Value>* compress_registers(
    Value* values, Predicate& keeps, std::remove_const_t<Value>* out) noexcept {
    using in_register = compressing_register<sizeof(Value)>;
    std::array<typename in_register::mask, Count> masks;
    for (std::size_t i = 0; i < Count; ++i) {  // several at once, if the compiler can
        masks[i] = keeps(values[i]) ? -1 : 0;
    }
    for (std::size_t i = 0; i < Count; i += in_register::lanes) {
        const unsigned set = in_register::set_of(&masks[i]);
        in_register::copy(values + i, set, out);
        out += std::popcount(set);
    }
    return out;
}

template <class Value, class Predicate>
[[gnu::target("avx2,popcnt")]] std::remove_const_t<Value>* compress_with_avx2(
    Value* values, std::size_t count, Predicate& keeps, std::remove_const_t<Value>* out) noexcept {
    constexpr std::size_t lanes = compressing_register<sizeof(Value)>::lanes;
    constexpr std::size_t block = 64;
    for (; count >= block; values += block, count -= block) {
        out = compress_registers<block>(values, keeps, out);
    }
    for (; count >= lanes; values += lanes, count -= lanes) {
        out = compress_registers<lanes>(values, keeps, out);
    }
    return compress_singly(values, count, keeps, out);
}
#endif

/// Copies those of `count` values for which `keeps` holds to `out`, in their order, and returns the end of the copies.
/// What is behind them may be overwritten, up to `count` values in all.
template <class Value, class Predicate>
std::remove_const_t<Value>* compress(Value* values, std::size_t count, Predicate& keeps,
                                     std::remove_const_t<Value>* out) noexcept {
#if defined(__x86_64__)
    if constexpr (compressing_register<sizeof(Value)>::lanes != 0) {
        if (__builtin_cpu_supports("avx2") != 0) {
            return compress_with_avx2(values, count, keeps, out);
        }
    }
#endif
    return compress_singly(values, count, keeps, out);
}

}  // namespace pointsman::detail
