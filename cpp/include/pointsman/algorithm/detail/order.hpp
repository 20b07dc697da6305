// SPDX-License-Identifier: Apache-2.0
// The orders of numbers that algorithms support, with the position of NaN in them.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>

#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/half.hpp"

namespace pointsman::detail {

template <class Compare, class T>
concept rising = std::same_as<Compare, less> || std::same_as<Compare, std::less<>> ||
                 std::same_as<Compare, std::less<T>> || std::same_as<Compare, std::ranges::less>;
template <class Compare, class T>
concept falling =
    std::same_as<Compare, greater> || std::same_as<Compare, std::greater<>> ||
    std::same_as<Compare, std::greater<T>> || std::same_as<Compare, std::ranges::greater>;

/// `Compare` is `<` or `>`, for numbers of type `T`.
template <class Compare, class T>
concept number_order =
    (std::is_arithmetic_v<T> || floating_number<T>) && (rising<Compare, T> || falling<Compare, T>);

/// `total` distinguishes zeros of different signs, and NaN of different bits; `weak` treats zeros of both
/// signs as equal, and all NaN as equal.
enum class order_kind : bool { total, weak };

/// The order `Compare` of floating values with NaN after all other values, which is a strict weak order.
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
    template <class A, class B>
    constexpr bool operator()(const A& a, const B& b) const {
        return Compare{}(a, b) || (b != b && a == a);
    }
};

/// `compare`, or `nan_last` of it if it orders numbers and `A` or `B` is floating.
template <class A, class B = A, class Compare>
[[nodiscard]] constexpr auto with_nan_last([[maybe_unused]] Compare compare) {
    if constexpr ((floating_number<A> || floating_number<B>) &&
                  (number_order<Compare, A> || number_order<Compare, B>)) {
        return nan_last<Compare>{};
    } else {
        return compare;
    }
}

}  // namespace pointsman::detail
