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
#include "pointsman/algorithm/opencl/tuple_function.hpp"

namespace pointsman::detail {

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

/// The text of a call of `F` with the texts `first` and `others`.
template <device_function F, class... Texts>
[[nodiscard]] std::string call_of(const std::string& first, const Texts&... others) {
    return name_of<F>() + "(" + (first + ... + (", " + std::string{others})) + ")";
}

/// `F` as kernels call it with one value of each of `Its`.
template <device_function F, device_iterator... Its>
using called_for = called_t<F, iterated_t<Its>...>;

/// True if kernels need not convert tuples to use an `A` as a `B`.
template <class A, class B>
concept alike = device_number<A> == device_number<B> &&
                (device_number<A> || std::same_as<computed_t<A>, computed_t<B>>);

template <device_function F>
[[nodiscard]] engine::function_definition definition_of() {
    if constexpr (requires { F::definition(); }) {
        return F::definition();
    } else {
        return {name_of<F>(), std::string{F::opencl_source()}};
    }
}

/// The text of a call of `F`, whose name is followed by `ending`, with the result rounded if it is `half`.
template <device_function F, device_value... Ins>
[[nodiscard]] std::string rounded_call(const std::string& values, const std::string& ending = {}) {
    const std::string call = name_of<F>() + ending + "(" + values + ")";
    return returns_half<F, Ins...>() ? "from_half(to_half(" + call + "))" : call;
}

/// The expression that calls `F` with one value of each input.
template <device_function F, device_value... Ins>
[[nodiscard]] engine::expression expression_of() {
    using function = called_t<F, Ins...>;
    std::string values;
    for (std::size_t k = 0; k < sizeof...(Ins); ++k) {
        values += (k == 0 ? "v" : ", v") + std::to_string(k);
    }
    return {function::opencl_source(),
            {engine::element_of<Ins>()...},
            "",
            rounded_call<function, Ins...>(values)};
}

/// The text `value` of a `T`, which may be evaluated several times, as that of an `Out`.
template <class T, class Out>
[[nodiscard]] std::string as_text(const std::string& value) {
    static_assert(
        converts_on_device<T, Out>,
        "tuples, and structs that a function returns, are written to a zip_iterator of as "
        "many iterators, and numbers are not: pass another output");
    if constexpr (device_row<T>) {
        return engine::converted(engine::element_of<T>(), engine::element_of<Out>(), value);
    } else {
        return value;
    }
}

/// `as_text` of the result of `F` for `Ins`.
template <class Out, device_function F, class... Ins>
[[nodiscard]] std::string returned_as_text(const std::string& value) {
    if constexpr (device_row<Out> || returns_row<F, Ins...>) {
        return as_text<returned_t<F, Ins...>, Out>(value);
    } else {
        return value;
    }
}

/// Like `expression_of`, with the value as an `Out`: a tuple is converted to another of as many values.
template <device_value Out, device_function F, device_value... Ins>
[[nodiscard]] engine::expression expression_as() {
    engine::expression made = expression_of<F, Ins...>();
    if constexpr (returns_row<F, Ins...>) {
        made.statements = "    const " + std::string{opencl_type<returned_t<F, Ins...>>()} +
                          " result = " + made.value + ";\n";
        made.value = "result";
    }
    made.value = returned_as_text<Out, F, Ins...>(made.value);
    return made;
}

/// `F` of two tuples `T`, with the result as a `T`.
template <device_function F, device_row T>
struct tuple_fold {
    using function = called_t<F, T, T>;

    static std::string opencl_name() { return "fold_" + name_of<function>(); }
    static std::string opencl_source() {
        const std::string type{opencl_type<T>()};
        const std::string result{opencl_type<returned_t<F, T, T>>()};
        return function::opencl_source() + "static inline __attribute__((always_inline)) " + type +
               " " + opencl_name() + "(const " + type + " a, const " + type + " b) {\n    const " +
               result + " result = " + call_of<function>("a", "b") + ";\n    return " +
               returned_as_text<T, F, T, T>("result") + ";\n}\n";
    }
};

/// `F` as kernels call it to fold values of type `T`.
template <device_function F, class T>
struct folding_function {
    using type = F;
};
template <device_function F, device_row T>
struct folding_function<F, T> {
    using type = tuple_fold<F, T>;
};
template <device_function F, class T>
using fold_t = typename folding_function<F, T>::type;

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

/// The text of the value at index `index` of `array`, the name of an array of `T`.
template <device_value T>
[[nodiscard]] std::string value_at(const std::string& array, const std::string& index) {
    return engine::element_of<T>().loaded(array + "[" + index + "]");
}

/// The type in which a device receives a `T` that it compares with values of type `Value`. C++ converts
/// integers to `half` for that.
template <class Value, class T>
using compared_t = std::conditional_t<is_half_v<Value> && std::integral<T>, Value, in_memory_t<T>>;

/// The expression that is true of values of type `Value` that equal the constant, a `T`.
template <device_value Value, device_value T>
[[nodiscard]] engine::expression equals_constant() {
    using same = called_t<equal_to, Value, T>;
    return {same::opencl_source(),
            {engine::element_of<Value>()},
            "",
            call_of<same>("v0", "constant_value"),
            engine::element_of<T>()};
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
    using function = called_t<F, Value>;
    return {function::opencl_source(),
            {engine::element_of<Value>()},
            "",
            "!" + call_of<function>("v0")};
}

}  // namespace pointsman::detail
