// SPDX-License-Identifier: Apache-2.0
// Types of values on a device that are known at run time only.
#pragma once

#include <cstddef>
#include <string>

#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/opencl/type.hpp"

namespace pointsman::detail::engine {

/// A type of values: kernels compute with `computed`, and memory holds `stored`. They differ for half precision
/// alone, which kernels compute as `float` and round when they store it, with or without `cl_khr_fp16`.
struct element {
    std::string computed;
    std::string stored;
    std::size_t size_bytes;  ///< in memory

    [[nodiscard]] bool is_half() const { return computed != stored; }
    friend bool operator==(const element&, const element&) = default;

    /// A value from memory as one to compute with.
    [[nodiscard]] std::string loaded(const std::string& value) const {
        return is_half() ? "from_half(" + value + ")" : value;
    }
    /// A computed value as memory holds it.
    [[nodiscard]] std::string to_store(const std::string& value) const {
        return is_half() ? "to_half(" + value + ")" : value;
    }
};

/// The type that OpenCL C calls `name`.
[[nodiscard]] inline element plain_element(const std::string& name, std::size_t size_bytes) {
    return {name, name, size_bytes};
}
[[nodiscard]] inline element half_element() { return {"float", "ushort", 2}; }

template <device_value T>
[[nodiscard]] element element_of() {
    if constexpr (is_half_v<T>) {
        return half_element();
    } else {
        return plain_element(opencl_type<T>(), sizeof(T));
    }
}

}  // namespace pointsman::detail::engine
