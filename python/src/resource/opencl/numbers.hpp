// SPDX-License-Identifier: Apache-2.0
// From a buffer of Python's to one of a C++ type.
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

/// The types of NumPy's numbers that devices have; values of bool are bytes there.
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

/// Calls `call(values)`, without the GIL, with an `opencl::buffer` of one of the types in the memory of
/// `buffer`. **Throws**: `TypeError` where its values are of none; what an OpenCL call throws as `opencl::error`.
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
                             " are not for devices: convert them with .astype()"};
    }
}

}  // namespace pointsman::python
