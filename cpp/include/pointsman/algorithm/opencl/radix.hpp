// SPDX-License-Identifier: Apache-2.0
// The macros of a radix sort's kernels, and their text for devices whose work items work alone.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/type.hpp"

namespace pointsman::detail {

/// The order in which keys are sorted.
struct radix_order {
    bool is_rising;
    order_kind kind = order_kind::weak;  // of floating keys
};

/// The OpenCL type in which a kernel moves a `T` without computing with it; every device supports this type.
template <device_value T>
[[nodiscard]] constexpr std::string_view moved_type() {
    if constexpr (floating_number<T>) {
        return opencl_type<unsigned_of_size<sizeof(T)>>();
    } else {
        return opencl_type<T>();
    }
}

/// `bits` as a constant of `bits_t`, the kernel's type for the bits of keys.
template <std::unsigned_integral Bits>
[[nodiscard]] std::string bits_constant(Bits bits) {
    return "((bits_t)" + std::to_string(bits) + "ul)";
}

/// The macros of `BITS(key)` for floating keys, which kernels hold as integers with the same bits: see
/// `sort_image`.
template <floating_number Key>
[[nodiscard]] std::string bits_text(const radix_order& order) {
    using image = sort_image<Key, less>;
    using bits = typename image::bits;
    constexpr auto greatest = std::numeric_limits<typename image::type>::max();
    const bits turn = order.is_rising ? bits{0} : image::sign;
    const auto last = static_cast<bits>(image::back(greatest) ^ turn);
    return definitions({{"bits_t", moved_type<Key>()},
                        {"SIGN", bits_constant(image::sign)},
                        {"TURN", bits_constant(turn)},
                        {"BELOW", bits_constant(image::below)},
                        {"INFINITE", bits_constant(infinity_bits<Key>)},
                        {"IS_WEAK", order.kind == order_kind::weak ? "1" : "0"},
                        {"LAST_KEY", bits_constant(last)},
                        {"BITS(key)", "image_of(key)"}}) +
           kernels::floating_bits;
}

/// The macros `BITS(key)`, which maps keys to unsigned numbers in the order of the keys, and `LAST_KEY`, the
/// key that it maps to only ones.
template <std::integral Key>
[[nodiscard]] std::string bits_text(const radix_order& order) {
    using bits = std::make_unsigned_t<Key>;
    constexpr bits sign = std::is_signed_v<Key> ? bits{1} << (sizeof(Key) * 8 - 1) : bits{0};
    const auto turn = static_cast<bits>(order.is_rising ? sign : ~sign);
    const auto last = static_cast<bits>(~turn);
    return definitions({{"bits_t", opencl_type<bits>()},
                        {"LAST_KEY", "((key_t)" + bits_constant(last) + ")"},
                        {"BITS(key)", "((bits_t)((bits_t)(key) ^ " + bits_constant(turn) + "))"}});
}

/// The macros that kernels need to move the values of each key, which are of `types`.
[[nodiscard]] inline std::string values_text(std::initializer_list<std::string_view> types) {
    std::string parameters;
    std::string each;
    std::size_t index = 0;
    for (const std::string_view type : types) {
        const std::string from = "values" + std::to_string(index);
        const std::string to = "out_values" + std::to_string(index);
        ++index;
        const auto add_parameter = [&](std::string_view qualified, const std::string& name) {
            parameters.append(qualified).append(type).append("* ").append(name);
            parameters.append(", ulong at_").append(name);
        };
        add_parameter(", global const ", from);
        add_parameter(", global ", to);
        each.append("DO(").append(type).append(", ").append(from).append(", ").append(to);
        each.append(") ");
    }
    return definitions({{"VALUE_PARAMETERS", parameters},
                        {"FOR_VALUES(DO)", each},
                        {"HAS_VALUES", std::to_string(types.size())}});
}

/// The macros for the types of the arrays, and for the parameters and statements of `move_keys` that move
/// values.
template <device_value Key, device_value... Values>
[[nodiscard]] std::string types_text(const radix_order& order) {
    return definitions({{"key_t", moved_type<Key>()}}) + bits_text<Key>(order) +
           values_text({moved_type<Values>()...});
}

template <device_value Key, device_value... Values>
[[nodiscard]] std::string radix_text_alone(const radix_order& order) {
    return program_text({}, types_text<Key, Values...>(order) + kernels::radix);
}

}  // namespace pointsman::detail
