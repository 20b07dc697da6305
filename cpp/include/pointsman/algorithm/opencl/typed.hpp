// SPDX-License-Identifier: Apache-2.0
// Converts C++ types, functions and arrays to the engine's descriptions of them.
#pragma once

#include <array>
#include <concepts>
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

/// The `count` values beginning at `first` as an input.
template <device_iterator It>
[[nodiscard]] device_values<It> input_values(const opencl::queue& where, It first,
                                             std::size_t count) {
    return {where, first, count, device_values<It>::use::input};
}

/// Refers to `values` from index `from` on.
template <device_iterator It>
[[nodiscard]] engine::array array_from(const device_values<It>& values, std::size_t from = 0) {
    return {values.memory(), values.offset() + from};
}

/// The text of a call of `F` with the texts `values`.
template <device_function F, class... Texts>
[[nodiscard]] std::string call_of(const std::string& first, const Texts&... others) {
    return name_of<F>() + "(" + (first + ... + (", " + std::string{others})) + ")";
}

/// The text of the value at index `index` of `array`, the name of an array of `T`.
template <device_value T>
[[nodiscard]] std::string value_at(const std::string& array, const std::string& index) {
    return engine::element_of<T>().loaded(array + "[" + index + "]");
}

/// The type in which a device receives a `T` that it compares with values of type `Value`. C++ converts
/// integers to `half` for that.
template <class Value, class T>
using compared_t = std::conditional_t<is_half_v<Value> && std::integral<T>, Value, T>;

/// The expression that is true of values of type `Value` that equal the constant, a `T`.
template <device_value Value, device_value T>
[[nodiscard]] engine::expression equals_constant() {
    return {"", {engine::element_of<Value>()}, "", "v0 == constant_value", engine::element_of<T>()};
}

/// The expression that is true of values of type `Value` that do not equal the constant, a `T`.
template <device_value Value, device_value T>
[[nodiscard]] engine::expression differs_from_constant() {
    engine::expression differs = equals_constant<Value, T>();
    differs.value = "!(" + differs.value + ")";
    return differs;
}

/// The expression that is true of values of type `Value` for which `F` does not hold.
template <device_function F, device_value Value>
[[nodiscard]] engine::expression fails() {
    return {F::opencl_source(), {engine::element_of<Value>()}, "", "!" + call_of<F>("v0")};
}

}  // namespace pointsman::detail
