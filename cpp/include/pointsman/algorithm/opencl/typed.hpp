// SPDX-License-Identifier: Apache-2.0
// Converts C++ types, functions and arrays to the engine's descriptions of them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/opencl/engine/expression.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"

namespace pointsman::detail {

/// The type in which kernels compute with a `T`.
template <class T>
using computed_t = std::conditional_t<is_half_v<T>, float, T>;

/// Returns true if `F` returns `half` for values of types `Ins`; kernels must then round the `float` that
/// they compute.
template <class F, class... Ins>
[[nodiscard]] consteval bool returns_half() {
    if constexpr (std::is_invocable_v<const F&, const Ins&...>) {
        return is_half_v<returned_t<F, Ins...>>;
    } else {
        return false;
    }
}

/// The expression that calls `F` with one value of each input.
template <device_function F, device_value... Ins>
[[nodiscard]] engine::expression expression_of() {
    std::string values;
    for (std::size_t k = 0; k < sizeof...(Ins); ++k) {
        values += (k == 0 ? "v" : ", v") + std::to_string(k);
    }
    const std::string call = name_of<F>() + "(" + values + ")";
    return {F::opencl_source(),
            {engine::element_of<Ins>()...},
            "",
            returns_half<F, Ins...>() ? "from_half(to_half(" + call + "))" : call};
}

/// References to the memory of `arrays`, which must outlive them.
template <class... Its>
[[nodiscard]] std::array<engine::array, sizeof...(Its)> arrays_of(
    const std::tuple<device_values<Its>...>& arrays) {
    return std::apply(
        [](const auto&... each) {
            return std::array<engine::array, sizeof...(Its)>{
                engine::array{each.memory(), each.offset()}...};
        },
        arrays);
}

}  // namespace pointsman::detail
