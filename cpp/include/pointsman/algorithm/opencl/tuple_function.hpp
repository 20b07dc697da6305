// SPDX-License-Identifier: Apache-2.0
// Lets kernels call functions of structs, and comparisons, with tuples.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/opencl/engine/expression.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/type.hpp"
#include "pointsman/algorithm/structure.hpp"

namespace pointsman::detail {

/// The text of `count` values of the tuple `name`, from number `first` on.
[[nodiscard]] inline std::string values_of_tuple(const std::string& name, std::size_t count,
                                                 std::size_t first = 0) {
    std::string text;
    for (std::size_t k = first; k < first + count; ++k) {
        text += (k == first ? "" : ", ") + name + ".v" + std::to_string(k);
    }
    return text;
}

/// The values of two numbers or tuples `T`, one after the other.
template <device_element T>
[[nodiscard]] auto side_by_side(const T& a, const T& b) {
    const auto values = [](const T& each) {
        if constexpr (device_number<T>) {
            return std::tuple{static_cast<computed_t<T>>(each)};
        } else {
            return typename T::values(each);
        }
    };
    const auto all = std::tuple_cat(values(a), values(b));
    return computed_t<std::remove_const_t<decltype(all)>>{all};
}
template <device_element T>
using two_of_t = decltype(side_by_side(std::declval<T>(), std::declval<T>()));

/// The text of the first or second `T` in a constant made by `side_by_side`.
template <device_element T>
[[nodiscard]] std::string text_beside(std::size_t which) {
    if constexpr (device_number<T>) {
        return values_of_tuple("constant_value", 1, which);
    } else {
        return tuple_text(opencl_type<T>(),
                          values_of_tuple("constant_value", row_size<T>, which * row_size<T>));
    }
}

/// The text that declares the struct `to` with the values of the tuple `from`.
template <structure_type Struct>
[[nodiscard]] std::string struct_text(const std::string& to, const std::string& from) {
    const std::size_t count = row_size<Struct>;
    return "    " + Struct::opencl_struct_name() + " " + to + " = {" +
           values_of_tuple(from, count) + "};\n";
}

/// The text that declares the tuple `result.values` with the fields of `value`, an expression of type `Struct`. Values
/// of half precision are rounded.
template <structure_type Struct>
[[nodiscard]] std::string result_text(const std::string& value) {
    const std::string type{opencl_type<Struct>()};
    std::string text = "    union { " + Struct::opencl_struct_name() + " fields; " + type +
                       " values; } result;\n    result.fields = " + value + ";\n";
    const auto round = [&](const auto&... fields) {
        std::size_t k = 0;
        const auto round_one = [&](bool is_half) {
            const std::string field = "result.values.v" + std::to_string(k++);
            text += is_half ? "    " + field + " = from_half(to_half(" + field + "));\n" : "";
        };
        (round_one(is_half_v<std::remove_cvref_t<decltype(fields)>>), ...);
    };
    std::apply(round, fields_of(Struct{}));
    return text;
}

/// The text of a function that forwards its parameters to another one, which takes a struct for each tuple.
struct call_text {
    std::string parameters;
    std::string structs;
    std::string arguments;
    std::size_t count = 0;

    /// Adds an `Arg`, for a function that takes a `Parameter`.
    template <class Parameter, device_value Arg>
    void add() {
        const std::string number = std::to_string(count);
        const std::string comma = count == 0 ? "" : ", ";
        parameters += comma + "const " + std::string{opencl_type<Arg>()} + " v" + number;
        if constexpr (device_row<Arg>) {
            static_assert(structure_type<Parameter> && converts_on_device<Parameter, Arg>,
                          "a device calls the function with a tuple of a zip_iterator: declare its "
                          "parameter as a POINTSMAN_STRUCT of as many numbers");
            structs += struct_text<Parameter>("s" + number, "v" + number);
        }
        arguments += comma + (device_row<Arg> ? "s" : "v") + number;
        ++count;
    }
};

/// A name for `F` of `Args`.
template <device_function F, class... Args>
[[nodiscard]] std::string name_on_tuples() {
    std::string name = "on_tuples_" + name_of<F>();
    [[maybe_unused]] const auto add = [&](std::string_view type) {
        type.remove_prefix(type.starts_with(tuple_prefix) ? tuple_prefix.size() : 0);
        name.append("__").append(type);
    };
    (add(opencl_type<Args>()), ...);
    return name;
}

/// `F` for kernels that call it with `Args` where `F` takes structs in place of tuples, or returns one.
template <device_function F, class... Args>
struct tuple_function {
    static_assert(
        requires { typename signature_of<F>::result; },
        "a device calls this function with a tuple of a zip_iterator: pass a "
        "POINTSMAN_FUNCTION of a POINTSMAN_STRUCT");
    using result = typename signature_of<F>::result;
    using parameters = typename signature_of<F>::parameters;
    static_assert(std::tuple_size_v<parameters> == sizeof...(Args),
                  "a device calls this function with another number of values: the tuple of a "
                  "zip_iterator is one value, for one POINTSMAN_STRUCT");

    static std::string opencl_name() { return name_on_tuples<F, Args...>(); }
    static std::string opencl_source() {
        call_text text;
        [&]<std::size_t... Is>(std::index_sequence<Is...>) {
            (text.add<std::tuple_element_t<Is, parameters>, Args>(), ...);
        }(std::index_sequence_for<Args...>{});
        const std::string call = name_of<F>() + "(" + text.arguments + ")";
        return called_once() + "static inline __attribute__((always_inline)) " + result_type() +
               " " + opencl_name() + "(" + text.parameters + ") {\n" + text.structs +
               return_text(call) + "}\n";
    }
    static engine::function_definition definition() {
        return {opencl_name(), opencl_source(), name_of<F>(), std::string{F::opencl_source()},
                called_once()};
    }

  private:
    static std::string called_once() {
        return defined_once(name_of<F>(), std::string{F::opencl_source()});
    }
    static std::string result_type() {
        if constexpr (std::is_same_v<result, bool>) {
            return "int";
        } else {
            return std::string{opencl_type<result>()};
        }
    }
    static std::string return_text(const std::string& call) {
        if constexpr (structure_type<result>) {
            return result_text<result>(call) + "    return result.values;\n";
        } else {
            return "    return " + (is_half_v<result> ? "from_half(to_half(" + call + "))" : call) +
                   ";\n";
        }
    }
};

/// The functions of two values that compare tuples as `std::tuple` does.
template <class F>
concept tuple_comparison =
    std::same_as<F, equal_to> || std::same_as<F, less> || std::same_as<F, greater>;

template <tuple_comparison F, device_row A, device_row B>
struct tuple_function<F, A, B> {
    static_assert(row_size<A> == row_size<B>, "tuples are compared with tuples of as many numbers");

    static std::string opencl_name() { return name_on_tuples<F, A, B>(); }
    static std::string opencl_source() {
        std::string text = std::same_as<F, equal_to> ? "1" : "0";
        for (std::size_t k = row_size<A>; k-- != 0;) {
            const std::string number = std::to_string(k);
            std::string same{"((a).v"};
            same.append(number).append(" == (b).v").append(number).append(" && ");
            same.append(text).append(")");
            if constexpr (std::same_as<F, equal_to>) {
                text = same;
            } else {
                constexpr bool is_less = std::same_as<F, less>;
                text = is_less ? "((a).v" : "((b).v";
                text.append(number).append(is_less ? " < (b).v" : " < (a).v").append(number);
                text.append(" || ").append(same).append(")");
            }
        }
        return "#define " + opencl_name() + "(a, b) " + text + "\n";
    }
};

template <class F, class... Args>
inline constexpr bool returns_row = false;
template <class F, class... Args>
    requires std::invocable<const F&, const Args&...>
inline constexpr bool returns_row<F, Args...> = device_row<returned_t<F, Args...>>;

/// True for functions whose text is right for tuples as it is.
template <class F>
inline constexpr bool takes_tuples = std::same_as<F, identity_value>;

/// The function that kernels call to evaluate `F` for `Args`.
template <device_function F, class... Args>
struct called {
    using type = F;
};
template <device_function F, class... Args>
    requires(!takes_tuples<F> && ((device_row<Args> || ...) || returns_row<F, Args...>))
struct called<F, Args...> {
    using type = tuple_function<F, Args...>;
};
template <device_function F, class... Args>
using called_t = typename called<F, Args...>::type;

}  // namespace pointsman::detail
