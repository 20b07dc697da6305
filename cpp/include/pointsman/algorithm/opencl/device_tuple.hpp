// SPDX-License-Identifier: Apache-2.0
// Tuples in the memory of a device: a struct of OpenCL C whose name lists its types, so that any program can define it.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/structure.hpp"

namespace pointsman {

/// An integer of 8 to 64 bits, `float`, `half` or `double`, which not every device supports.
template <class T>
concept device_number = std::same_as<T, std::remove_cv_t<T>> && !std::same_as<T, bool> &&
                        ((std::integral<T> && sizeof(T) <= 8) || std::same_as<T, float> ||
                         std::same_as<T, double> || is_half_v<T>);

namespace detail {

/// Numbers laid out as the fields of a struct in OpenCL C, and of C. It converts from and to tuples and structs of as
/// many numbers.
template <device_number... Ts>
class device_tuple {
  public:
    using values = std::tuple<Ts...>;

    device_tuple() = default;
    template <class... Values>
        requires(sizeof...(Values) == sizeof...(Ts))
    device_tuple(const std::tuple<Values...>& from) {
        write(from, std::index_sequence_for<Ts...>{});
    }
    template <structure_type T>
    device_tuple(const T& from) : device_tuple{static_cast<values>(from)} {}

    operator values() const { return read(std::index_sequence_for<Ts...>{}); }
    template <class T>
        requires(structure_type<T> && std::constructible_from<T, const values&>)
    operator T() const {
        return T(values(*this));
    }

    friend bool operator==(const device_tuple& a, const device_tuple& b) {
        return values(a) == values(b);
    }
    friend auto operator<=>(const device_tuple& a, const device_tuple& b) {
        return values(a) <=> values(b);
    }

  private:
    static constexpr std::size_t alignment = std::max({alignof(Ts)...});
    static constexpr std::size_t past(std::size_t offset, std::size_t to) {
        return (offset + to - 1) / to * to;
    }
    /// The offsets of the numbers, and the size of all.
    static constexpr std::array<std::size_t, sizeof...(Ts) + 1> offsets = [] {
        std::array<std::size_t, sizeof...(Ts) + 1> found{};
        std::size_t end = 0;
        std::size_t k = 0;
        ((found[k++] = past(end, alignof(Ts)), end = past(end, alignof(Ts)) + sizeof(Ts)), ...);
        found[k] = past(end, alignment);
        return found;
    }();

    template <class Values, std::size_t... Is>
    void write(const Values& from, std::index_sequence<Is...>) {
        const auto put = [this]<class T>(std::size_t offset, const T& value) {
            std::memcpy(bytes_.data() + offset, &value, sizeof value);
        };
        (put(offsets[Is], static_cast<Ts>(std::get<Is>(from))), ...);
    }
    template <std::size_t... Is>
    [[nodiscard]] values read(std::index_sequence<Is...>) const {
        values all;
        const auto get = [this]<class T>(std::size_t offset, T& value) {
            std::memcpy(&value, bytes_.data() + offset, sizeof value);
        };
        (get(offsets[Is], std::get<Is>(all)), ...);
        return all;
    }

    alignas(alignment) std::array<std::byte, offsets.back()> bytes_{};
};

/// The type in which kernels compute with a number.
template <class T>
using computed_number_t = std::conditional_t<is_half_v<T>, float, T>;

/// `type` is the `device_tuple` that has the values of a tuple or a struct of numbers; `half` becomes `float`.
template <class T>
struct in_device_tuple {};
template <device_number... Ts>
    requires(sizeof...(Ts) > 0)
struct in_device_tuple<std::tuple<Ts...>> {
    using type = device_tuple<computed_number_t<Ts>...>;
};
template <device_number... Ts>
struct in_device_tuple<device_tuple<Ts...>> : in_device_tuple<std::tuple<Ts...>> {};
template <structure_type T>
struct in_device_tuple<T>
    : in_device_tuple<typename values_of<decltype(fields_of(std::declval<const T&>()))>::type> {};

/// A tuple or a struct of numbers.
template <class T>
concept device_row = requires { typename in_device_tuple<T>::type; };

template <class T>
inline constexpr bool is_device_tuple = false;
template <class... Ts>
inline constexpr bool is_device_tuple<device_tuple<Ts...>> = true;

template <class... Ts>
[[nodiscard]] consteval std::size_t size_of(std::type_identity<device_tuple<Ts...>>) {
    return sizeof...(Ts);
}
/// The number of values of a tuple or a struct.
template <device_row T>
inline constexpr std::size_t row_size =
    size_of(std::type_identity<typename in_device_tuple<T>::type>{});

/// Kernels can convert an `A` to a `B`: both are numbers, or tuples of as many.
template <class A, class B>
inline constexpr bool converts_on_device = !device_row<A> && !device_row<B>;
template <device_row A, device_row B>
inline constexpr bool converts_on_device<A, B> = row_size<A> == row_size<B>;

/// The beginning of the names of tuples in OpenCL C, which their types follow: "pointsman_tuple_float_int".
inline constexpr std::string_view tuple_prefix = "pointsman_tuple_";

/// The number of values of the tuple that is called `name`.
[[nodiscard]] inline std::size_t size_of_tuple(std::string_view name) {
    return static_cast<std::size_t>(
        std::count(name.begin() + std::ptrdiff_t{tuple_prefix.size()} - 1, name.end(), '_'));
}

/// The text that makes a tuple `name` of `values`, separated by commas.
[[nodiscard]] inline std::string tuple_text(std::string_view name, const std::string& values) {
    return "make_" + std::string{name} + "(" + values + ")";
}

/// The definition of the tuple `name`, with the values `v0`, `v1` and so on, and of a function that makes one.
[[nodiscard]] inline std::string tuple_definition(const std::string& name) {
    std::string fields;
    std::string parameters;
    std::string values;
    std::size_t at = tuple_prefix.size();
    for (std::size_t k = 0; at <= name.size(); ++k) {
        const std::size_t end = std::min(name.find('_', at), name.size());
        std::string value{'v'};
        value += std::to_string(k);
        std::string declared = name.substr(at, end - at);
        declared.append(" ").append(value);
        const std::string_view comma = k == 0 ? "" : ", ";
        fields.append(declared).append("; ");
        parameters.append(comma).append("const ").append(declared);
        values.append(comma).append(value);
        at = end + 1;
    }
    return "typedef struct { " + fields + "} " + name +
           ";\nstatic inline __attribute__((always_inline, unused)) " + name + " make_" + name +
           "(" + parameters + ") {\n    const " + name + " made = {" + values +
           "};\n    return made;\n}\n";
}

/// The definitions of all tuples that `text` mentions.
[[nodiscard]] inline std::string tuple_definitions(std::string_view text) {
    const auto is_of_name = [](char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    };
    std::string definitions;
    for (auto at = text.find(tuple_prefix); at != text.npos;) {
        const auto end = static_cast<std::size_t>(
            std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                             is_of_name) -
            text.begin());
        const std::string name{text.substr(at, end - at)};
        if (definitions.find(" " + name + ";") == definitions.npos) {
            definitions += tuple_definition(name);
        }
        at = text.find(tuple_prefix, end);
    }
    return definitions;
}

}  // namespace detail
}  // namespace pointsman
