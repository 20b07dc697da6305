// SPDX-License-Identifier: Apache-2.0
// Dispatches a Python Buffer to code for the C++ type of its elements.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "gil.hpp"
#include "pointsman/binding/opencl.hpp"
#include "pointsman/resource/opencl/buffer.hpp"
#include "resource/opencl/buffer.hpp"

namespace pointsman::python {

template <class... Ts>
struct device_types {};

/// The NumPy number types that devices support; bool is handled as bytes.
using device_numbers =
    device_types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                 std::uint32_t, std::uint64_t, float, double>;

template <class T>
[[nodiscard]] bool holds(const device_buffer& buffer) {
    const py::object& dtype = buffer.layout.dtype;
    return dtype.equal(py::dtype::of<T>()) ||
           (std::is_same_v<T, std::uint8_t> && dtype.equal(py::dtype::of<bool>()));
}

/// The values of `buffer`, which are of type `T`.
template <class T>
[[nodiscard]] opencl::buffer<T> values_in(const device_buffer& buffer) {
    return {buffer.memory, buffer.layout.size_bytes / sizeof(T)};
}

/// Calls `call(values)`, without the GIL; `values` is an `opencl::buffer` in the memory of `buffer`, with the
/// first of the types that matches its dtype.
/// **Throws**: `TypeError` if no type matches; `opencl::error` for a failed OpenCL call.
template <class... Ts, class Call>
void with_values(device_types<Ts...>, const device_buffer& buffer, const Call& call) {
    const auto called = [&]<class T>(device_types<T>) {
        if (!holds<T>(buffer)) {
            return false;
        }
        const gil_released others_may_run;
        binding::check_not_forked();
        binding::translated([&] { call(values_in<T>(buffer)); });
        return true;
    };
    if (!(called(device_types<Ts>{}) || ...)) {
        throw py::type_error{"values of dtype " + py::str(buffer.layout.dtype).cast<std::string>() +
                             " are not supported on devices: convert them with .astype()"};
    }
}

}  // namespace pointsman::python
