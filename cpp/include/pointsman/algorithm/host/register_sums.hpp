// SPDX-License-Identifier: Apache-2.0
// Sums and prefix sums of numbers in vector registers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>

#include "pointsman/algorithm/detail/scan_kind.hpp"
#include "pointsman/algorithm/functors.hpp"

namespace pointsman::detail {

/// Sums numbers of 4 or 8 bytes in an unspecified order; integers wrap around.
template <class T>
class register_sums {
    /// The type of the sums: unsigned for integers, because partial sums may overflow even if the total
    /// does not.
    template <class Number>
    struct summed {
        using type = std::make_unsigned_t<Number>;
    };
    template <std::floating_point Number>
    struct summed<Number> {
        using type = Number;
    };
    using number = typename summed<T>::type;
    static constexpr std::size_t lanes = 16 / sizeof(T);
    using lanes_t __attribute__((vector_size(16))) = number;
    // As many as hide the latency of an addition. Without AVX compilers use two registers for each.
    static constexpr std::size_t summed_bytes = 32, summed_lanes = summed_bytes / sizeof(T);
    using summed_t __attribute__((vector_size(summed_bytes))) = number;

    static lanes_t load(const T* from) noexcept {
        lanes_t values;
        std::memcpy(&values, from, sizeof values);
        return values;
    }
    static void store(T* to, const lanes_t& values) noexcept {
        std::memcpy(to, &values, sizeof values);
    }

    /// Shifts each lane's value to the next lane; the first gets zero.
    static lanes_t moved_up(const lanes_t& values) noexcept {
        if constexpr (lanes == 4) {
            return __builtin_shufflevector(lanes_t{}, values, 0, 4, 5, 6);
        } else {
            return __builtin_shufflevector(lanes_t{}, values, 0, 2);
        }
    }
    /// Replaces each lane by the sum of the lanes up to it.
    static lanes_t scanned(const lanes_t& values) noexcept {
        const lanes_t pairs = values + moved_up(values);
        if constexpr (lanes == 4) {
            return pairs + __builtin_shufflevector(lanes_t{}, pairs, 0, 1, 4, 5);
        } else {
            return pairs;
        }
    }
    static lanes_t last_everywhere(const lanes_t& values) noexcept {
        if constexpr (lanes == 4) {
            return __builtin_shufflevector(values, values, 3, 3, 3, 3);
        } else {
            return __builtin_shufflevector(values, values, 1, 1);
        }
    }

  public:
    /// The sum of `count` values at `in`.
    [[nodiscard, gnu::always_inline]] static T sum(const T* in, std::size_t count) noexcept {
        constexpr std::size_t registers = 4;
        summed_t sums[registers] = {};
        std::size_t i = 0;
        for (; i + registers * summed_lanes <= count; i += registers * summed_lanes) {
            for (std::size_t r = 0; r < registers; ++r) {
                summed_t values;
                std::memcpy(&values, in + i + r * summed_lanes, sizeof values);
                sums[r] += values;
            }
        }
        const summed_t all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        number folded = 0;
        for (std::size_t lane = 0; lane < summed_lanes; ++lane) {
            folded += all[lane];
        }
        for (; i < count; ++i) {
            folded += static_cast<number>(in[i]);
        }
        return static_cast<T>(folded);
    }

    /// Writes the prefix sums of the `count` values at `in`, each plus `before`, to `out`, which may be
    /// the same array.
    static void scan(const T* in, std::size_t count, T before, T* out, scan_kind kind) noexcept {
        number carry = static_cast<number>(before);
        lanes_t carries = carry + lanes_t{};
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const lanes_t sums = scanned(load(in + i));
            store(out + i, carries + (kind == scan_kind::inclusive ? sums : moved_up(sums)));
            carries += last_everywhere(sums);
        }
        for (carry = carries[0]; i < count; ++i) {
            const number now = carry + static_cast<number>(in[i]);
            out[i] = static_cast<T>(kind == scan_kind::inclusive ? now : carry);
            carry = now;
        }
    }
};

/// True if a scan with `F` and `G` of values at an `In`, as `T`s, is one that `register_sums` can write to
/// an `Out`: prefix sums of numbers in contiguous memory.
template <class T, class In, class Out, class F, class G>
inline constexpr bool sums_in_registers = [] {
    if constexpr (std::contiguous_iterator<In> && std::contiguous_iterator<Out>) {
        constexpr bool is_number =
            (std::integral<T> && !std::same_as<T, bool>) || std::floating_point<T>;
        return is_number && (sizeof(T) == 4 || sizeof(T) == 8) &&
               std::same_as<std::iter_value_t<In>, T> && std::same_as<std::iter_value_t<Out>, T> &&
               (std::same_as<F, plus> || std::same_as<F, std::plus<>> ||
                std::same_as<F, std::plus<T>>) &&
               std::same_as<G, identity_value>;
    } else {
        return false;
    }
}();

}  // namespace pointsman::detail
