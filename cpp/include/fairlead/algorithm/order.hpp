// SPDX-License-Identifier: Apache-2.0
// The orders of numbers that algorithms know, and the place of NaN in them.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>

#include "fairlead/algorithm/function.hpp"
#include "fairlead/algorithm/functors.hpp"
#include "fairlead/algorithm/half.hpp"

namespace fairlead::detail {

template <class Compare, class T>
concept rising = std::same_as<Compare, less> || std::same_as<Compare, std::less<>> ||
                 std::same_as<Compare, std::less<T>> || std::same_as<Compare, std::ranges::less>;
template <class Compare, class T>
concept falling =
    std::same_as<Compare, greater> || std::same_as<Compare, std::greater<>> ||
    std::same_as<Compare, std::greater<T>> || std::same_as<Compare, std::ranges::greater>;

/// `Compare` is `<` or `>` of the numbers `T`.
template <class Compare, class T>
concept number_order =
    (std::is_arithmetic_v<T> || floating_number<T>) && (rising<Compare, T> || falling<Compare, T>);

/// The order `Compare` of floating values, with NaN behind all others: a strict weak order.
template <class Compare>
struct nan_last {
    static std::string opencl_name()
        requires device_function<Compare>
    {
        return "nan_last_" + std::string{Compare::opencl_name()};
    }
    static std::string opencl_source()
        requires device_function<Compare>
    {
        return "#define " + opencl_name() + "(a, b) (!((b) " +
               (rising<Compare, float> ? "<=" : ">=") + " (a)) & ((a) == (a)))\n";
    }
    template <class T>
    constexpr bool operator()(const T& a, const T& b) const {
        return Compare{}(a, b) || (b != b && a == a);
    }
};

/// `compare`, in which NaN comes last where it is an order of floating `T`.
template <class T, class Compare>
[[nodiscard]] constexpr auto with_nan_last([[maybe_unused]] Compare compare) {
    if constexpr (floating_number<T> && number_order<Compare, T>) {
        return nan_last<Compare>{};
    } else {
        return compare;
    }
}

}  // namespace fairlead::detail
