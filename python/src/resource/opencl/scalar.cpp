// SPDX-License-Identifier: Apache-2.0
// Packs Python numbers into the bytes of OpenCL scalars, rejecting values out of range.
#include "resource/opencl/scalar.hpp"

#include "pointsman/resource/opencl/api.hpp"

#include <CL/cl_half.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

namespace pointsman::python {
namespace {

using outcome = scalar_type::outcome;

template <class T>
outcome store(T value, scalar_bytes& bytes) {
    std::memcpy(bytes.data(), &value, sizeof value);
    return outcome::packed;
}

/// Returns true if the conversion that returned `value` failed; clears the Python exception.
template <class T>
bool has_failed(T value) {
    const bool failed = value == static_cast<T>(-1) && PyErr_Occurred() != nullptr;
    if (failed) {
        PyErr_Clear();
    }
    return failed;
}

template <class T>
outcome pack_integer(PyObject* number, scalar_bytes& bytes) {
    if (PyLong_Check(number) == 0) {
        return outcome::not_an_integer;
    }
    if constexpr (std::is_same_v<T, std::uint64_t>) {
        const auto value = PyLong_AsUnsignedLongLong(number);
        return has_failed(value) ? outcome::out_of_range : store<T>(value, bytes);
    } else {
        const auto value = PyLong_AsLongLong(number);
        return has_failed(value) || value < std::numeric_limits<T>::min() ||
                       value > std::numeric_limits<T>::max()
                   ? outcome::out_of_range
                   : store(static_cast<T>(value), bytes);
    }
}

/// Stores `convert(number)`. A finite number that `convert` makes infinite is out of range; `widen` turns
/// the converted value back into a number that `std::isfinite` takes.
template <class Convert, class Widen>
outcome pack_real(PyObject* number, scalar_bytes& bytes, Convert convert, Widen widen) {
    const double value = PyFloat_AsDouble(number);
    if (has_failed(value)) {
        return outcome::out_of_range;
    }
    const auto converted = convert(value);
    return std::isfinite(value) && !std::isfinite(widen(converted)) ? outcome::out_of_range
                                                                    : store(converted, bytes);
}

template <class T>
outcome pack_float(PyObject* number, scalar_bytes& bytes) {
    return pack_real(
        number, bytes, [](double value) { return static_cast<T>(value); },
        [](T value) { return value; });
}

outcome pack_half(PyObject* number, scalar_bytes& bytes) {
    return pack_real(
        number, bytes, [](double value) { return cl_half_from_double(value, CL_HALF_RTE); },
        &cl_half_to_float);
}

constexpr scalar_type types[] = {
    {"char", "int8", 1, &pack_integer<std::int8_t>},
    {"uchar", "uint8", 1, &pack_integer<std::uint8_t>},
    {"short", "int16", 2, &pack_integer<std::int16_t>},
    {"ushort", "uint16", 2, &pack_integer<std::uint16_t>},
    {"int", "int32", 4, &pack_integer<std::int32_t>},
    {"uint", "uint32", 4, &pack_integer<std::uint32_t>},
    {"long", "int64", 8, &pack_integer<std::int64_t>},
    {"ulong", "uint64", 8, &pack_integer<std::uint64_t>},
    {"half", "float16", 2, &pack_half},
    {"float", "float32", 4, &pack_float<float>},
    {"double", "float64", 8, &pack_float<double>},
};

}  // namespace

const scalar_type* scalar_type::find(std::string name) {
    if (name.starts_with("unsigned ")) {
        name.replace(0, 9, 1, 'u');
    }
    const auto* const found =
        std::ranges::find_if(types, [&](const scalar_type& known) { return name == known.name; });
    return found == std::end(types) ? nullptr : found;
}

}  // namespace pointsman::python
