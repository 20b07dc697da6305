// SPDX-License-Identifier: Apache-2.0
// Makes structs for host and device from one source text, and converts them from and to tuples.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pointsman/algorithm/half.hpp"

namespace pointsman {
namespace detail {

/// An initialiser of any number, for counting the fields of a struct.
struct any_number {
    template <class T>
    constexpr operator T() const noexcept;
};

/// The number of fields of the struct `Fields`, at most eight.
template <class Fields, class... Initialisers>
[[nodiscard]] consteval std::size_t field_count() {
    if constexpr (requires { Fields{Initialisers{}..., any_number{}}; }) {
        return field_count<Fields, Initialisers..., any_number>();
    } else {
        return sizeof...(Initialisers);
    }
}

/// References to the fields.
template <class Fields>
[[nodiscard]] constexpr auto tied(const Fields& fields) {
    constexpr std::size_t count = field_count<Fields>();
    static_assert(count >= 1 && count <= 8, "a POINTSMAN_STRUCT has one to eight fields");
    if constexpr (count == 1) {
        const auto& [a] = fields;
        return std::tie(a);
    } else if constexpr (count == 2) {
        const auto& [a, b] = fields;
        return std::tie(a, b);
    } else if constexpr (count == 3) {
        const auto& [a, b, c] = fields;
        return std::tie(a, b, c);
    } else if constexpr (count == 4) {
        const auto& [a, b, c, d] = fields;
        return std::tie(a, b, c, d);
    } else if constexpr (count == 5) {
        const auto& [a, b, c, d, e] = fields;
        return std::tie(a, b, c, d, e);
    } else if constexpr (count == 6) {
        const auto& [a, b, c, d, e, f] = fields;
        return std::tie(a, b, c, d, e, f);
    } else if constexpr (count == 7) {
        const auto& [a, b, c, d, e, f, g] = fields;
        return std::tie(a, b, c, d, e, f, g);
    } else {
        const auto& [a, b, c, d, e, f, g, h] = fields;
        return std::tie(a, b, c, d, e, f, g, h);
    }
}

template <class References>
struct values_of;
template <class... References>
struct values_of<std::tuple<References...>> {
    using type = std::tuple<std::remove_cvref_t<References>...>;
};
/// The tuple of the types of the fields.
template <class Fields>
using field_tuple_t = typename values_of<decltype(tied(std::declval<const Fields&>()))>::type;

template <class T>
concept field_value =
    std::is_arithmetic_v<std::remove_cvref_t<T>> || is_half_v<std::remove_cvref_t<T>>;

/// The base of each POINTSMAN_STRUCT: its fields, and conversions from and to tuples of as many numbers.
template <class Fields>
struct structure : Fields {
    constexpr structure() : Fields{} {}
    template <field_value... Values>
        requires(sizeof...(Values) >= 1 && sizeof...(Values) <= field_count<Fields>())
    constexpr structure(Values... values)
        : structure{std::tuple{values...}, std::index_sequence_for<Values...>{}} {}
    template <field_value... Values>
        requires(sizeof...(Values) == field_count<Fields>())
    constexpr structure(const std::tuple<Values...>& values)
        : structure{values, std::index_sequence_for<Values...>{}} {}

    template <field_value... Values>
        requires(sizeof...(Values) == field_count<Fields>())
    constexpr operator std::tuple<Values...>() const {
        const auto convert = [](const auto&... each) {
            return std::tuple<Values...>{static_cast<Values>(each)...};
        };
        return std::apply(convert, tied<Fields>(*this));
    }
    friend constexpr bool operator==(const structure& a, const structure& b) {
        return tied<Fields>(a) == tied<Fields>(b);
    }

  private:
    template <class Values, std::size_t... Is>
    constexpr structure(const Values& values, std::index_sequence<Is...>)
        : Fields{static_cast<std::tuple_element_t<Is, field_tuple_t<Fields>>>(
              std::get<Is>(values))...} {}
};

/// References to the fields of a POINTSMAN_STRUCT, in their order.
template <class Fields>
[[nodiscard]] constexpr auto fields_of(const structure<Fields>& made) {
    return tied<Fields>(made);
}

/// A type that POINTSMAN_STRUCT has made.
template <class T>
concept structure_type = requires {
    { T::opencl_struct_source() } -> std::convertible_to<std::string>;
};

/// The definitions in OpenCL C of the structs among `Ts`, which may be pointers to structs.
template <class... Ts>
[[nodiscard]] std::string struct_sources() {
    std::string text;
    const auto add = [&]<class T>(std::type_identity<T>) {
        if constexpr (structure_type<T>) {
            text += T::opencl_struct_source();
        }
    };
    (add(std::type_identity<std::remove_cvref_t<std::remove_pointer_t<Ts>>>{}), ...);
    return text;
}

/// `definition` of `name`, in which a program may have it several times. Another definition of the name is an error.
[[nodiscard]] inline std::string defined_once(std::string_view name,
                                              const std::string& definition) {
    std::string mark{"POINTSMAN_HAS_"};
    mark.append(name).append("_").append(std::to_string(std::hash<std::string>{}(definition)));
    std::string text{"#ifndef "};
    return text.append(mark)
        .append("\n#define ")
        .append(mark)
        .append("\n")
        .append(definition)
        .append("#endif\n");
}

}  // namespace detail
}  // namespace pointsman

/// Declares the struct `name`, with one to eight fields that are numbers, for functions on host and device of
/// the tuples of a `zip_iterator`, at namespace scope:
///
///     POINTSMAN_STRUCT(particle, { float mass; float speed; });
///     POINTSMAN_FUNCTION(float, momentum, (particle p), { return p.mass * p.speed; });
///     const pointsman::zip_iterator particles{masses.begin(), speeds.begin()};
///     pointsman::transform(policy, particles, particles + n, out, momentum);
///
/// A tuple of as many numbers converts to it, each to the type of its field, and it converts to such tuples. In the
/// body of a function, `particle p = {m, v};` makes one in both languages.
#define POINTSMAN_STRUCT(name, ...)                                     \
    struct name##_fields __VA_ARGS__;                                   \
    struct name : ::pointsman::detail::structure<name##_fields> {       \
        using structure::structure;                                     \
        static std::string opencl_struct_name() { return #name; }       \
        static std::string opencl_struct_source() {                     \
            return ::pointsman::detail::defined_once(                   \
                #name, "typedef struct " #__VA_ARGS__ " " #name ";\n"); \
        }                                                               \
    }
