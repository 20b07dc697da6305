// SPDX-License-Identifier: Apache-2.0
// Describes a type of values on a device that is known only at run time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/opencl/type.hpp"

namespace pointsman::detail::engine {

/// How kernels read an input: the value at the index, the whole array, or no memory but consecutive numbers.
enum class element_access : unsigned char { value, array, counted };

/// A type of values: kernels compute with the OpenCL type `computed`, and memory holds the type `stored`.
/// They differ only for half precision: kernels compute in `float` and round when they store, with or without
/// `cl_khr_fp16`.
struct element {
    std::string computed;
    std::string stored;
    std::size_t size_bytes;  ///< in memory
    element_access access = element_access::value;

    [[nodiscard]] bool is_half() const { return computed != stored; }
    [[nodiscard]] bool is_array() const { return access == element_access::array; }
    [[nodiscard]] bool is_tuple() const { return stored.starts_with(tuple_prefix); }
    friend bool operator==(const element&, const element&) = default;

    /// The expression that converts `value` from its stored to its computed type.
    [[nodiscard]] std::string loaded(const std::string& value) const {
        return is_half() ? "from_half(" + value + ")" : value;
    }
    /// The expression that converts `value` from its computed to its stored type.
    [[nodiscard]] std::string to_store(const std::string& value) const {
        return is_half() ? "to_half(" + value + ")" : value;
    }
};

/// The type `name` of OpenCL C, stored as it is computed.
[[nodiscard]] inline element plain_element(std::string_view name, std::size_t size_bytes) {
    return {std::string{name}, std::string{name}, size_bytes};
}
[[nodiscard]] inline element half_element() { return {"float", "ushort", 2}; }

template <device_value T>
[[nodiscard]] element element_of() {
    if constexpr (is_half_v<T>) {
        return half_element();
    } else {
        return plain_element(opencl_type<T>(), sizeof(computed_t<T>));
    }
}

/// The expression that converts `value`, which may be evaluated several times, from the computed type of `from` to that
/// of `to`; OpenCL C converts numbers itself.
[[nodiscard]] inline std::string converted(const element& from, const element& to,
                                           const std::string& value) {
    if (!to.is_tuple() || from.computed == to.computed) {
        return value;
    }
    std::string values;
    for (std::size_t k = 0; k < size_of_tuple(to.computed); ++k) {
        values += (k == 0 ? "(" : ", (") + value + ").v" + std::to_string(k);
    }
    return tuple_text(to.computed, values);
}

}  // namespace pointsman::detail::engine
