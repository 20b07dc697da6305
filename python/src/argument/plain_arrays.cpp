// SPDX-License-Identifier: Apache-2.0
// Registers questions about NumPy arrays that every call of an algorithm asks: in Python they take longer than the work
// on a hundred values. They are plain functions of CPython, for pybind11's dispatch would take as long.
#include "argument/arrays.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string_view>

#include "guarded.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

/// Returns true only for equal dtypes; also false for some that are.
bool are_alike(const PyObject* a, const PyObject* b) {
    return a == b || (type_of(a).type_num == type_of(b).type_num &&
                      type_of(a).byteorder == type_of(b).byteorder &&
                      std::string_view{"biufc"}.find(type_of(a).kind) != std::string_view::npos);
}

PyObject* are_plain(PyObject*, PyObject* const* given, Py_ssize_t count) {
    return guarded<&translate_error>([&]() -> PyObject* {
        if (count < 1 || count > 2) {
            throw py::type_error{"pass one array or two"};
        }
        PyObject* const b = count == 2 ? given[1] : Py_None;
        return PyBool_FromLong(are_contiguous_arrays_of_numbers(given[0], b) ? 1 : 0);
    });
}

/// The number of values.
Py_ssize_t size_of(const array& a) {
    return std::accumulate(a.dimensions, a.dimensions + a.nd, Py_ssize_t{1}, std::multiplies<>{});
}

/// Returns true if NumPy broadcasts `a` to the shape of `b`.
bool can_become(const array& a, const array& b) {
    const auto fits = [](Py_ssize_t length, Py_ssize_t other) {
        return length == other || length == 1;
    };
    return a.nd <= b.nd &&
           std::equal(a.dimensions, a.dimensions + a.nd, b.dimensions + (b.nd - a.nd), fits);
}

PyObject* shape_of_both(PyObject*, PyObject* const* given, Py_ssize_t count) {
    return guarded<&translate_error>([&]() -> PyObject* {
        const array* const a = count == 2 ? array_of(given[0]) : nullptr;
        const array* const b = count == 2 ? array_of(given[1]) : nullptr;
        if (a == nullptr || b == nullptr || !is_array_of_numbers(*a) || !is_array_of_numbers(*b)) {
            Py_RETURN_NONE;
        }
        const array* const full = can_become(*b, *a) ? a : can_become(*a, *b) ? b : nullptr;
        if (full == nullptr) {
            Py_RETURN_NONE;
        }
        py::tuple shape{full->nd};
        for (int i = 0; i < full->nd; ++i) {
            shape[static_cast<std::size_t>(i)] = py::int_{full->dimensions[i]};
        }
        return shape.release().ptr();
    });
}

PyObject* broadcast_size(PyObject*, PyObject* const* given, Py_ssize_t count) {
    return guarded<&translate_error>([&]() -> PyObject* {
        if (count != 2) {
            throw py::type_error{"pass two arrays"};
        }
        const array* const a = array_of(given[0]);
        const array* const b = array_of(given[1]);
        if (a == nullptr || b == nullptr || !is_array_of_numbers(*a) || !is_array_of_numbers(*b)) {
            return PyLong_FromLong(0);
        }
        if (is_contiguous(*a) && is_contiguous(*b) && have_one_shape(*a, *b)) {
            return PyLong_FromLong(0);
        }
        const array* const full = can_become(*b, *a) ? a : can_become(*a, *b) ? b : nullptr;
        return PyLong_FromSsize_t(full == nullptr ? 0 : size_of(*full));
    });
}

/// Returns true if `axis` is the last one of `a`, or None for the only one.
bool is_last_axis(PyObject* axis, const array& a) {
    if (axis == Py_None || !PyLong_CheckExact(axis)) {
        return axis == Py_None && a.nd == 1;
    }
    int overflow = 0;
    const long number = PyLong_AsLongAndOverflow(axis, &overflow);
    return number == -1 ? overflow == 0 : number == a.nd - 1;
}

PyObject* line_kind(PyObject*, PyObject* const* given, Py_ssize_t count) {
    return guarded<&translate_error>([&]() -> PyObject* {
        if (count != 2) {
            throw py::type_error{"pass an array and an axis"};
        }
        constexpr int flags = npy_api::NPY_ARRAY_C_CONTIGUOUS_ | npy_api::NPY_ARRAY_ALIGNED_ |
                              npy_api::NPY_ARRAY_WRITEABLE_;
        constexpr char swapped = std::endian::native == std::endian::little ? '>' : '<';
        constexpr std::size_t half = 23;  // NPY_HALF
        constexpr std::size_t most_of_lines = 262'144;
        const array* const lines = array_of(given[0]);
        if (lines == nullptr || lines->nd == 0 || (lines->flags & flags) != flags ||
            !is_last_axis(given[1], *lines)) {
            return PyLong_FromLong(0);
        }
        const auto& type = type_of(lines->descr);
        const bool is_number = type.type_num <= npy_api::NPY_DOUBLE_ || type.type_num == half;
        if (!is_number || type.byteorder == swapped) {
            return PyLong_FromLong(0);
        }
        const auto size = static_cast<std::size_t>(size_of(*lines));
        if (lines->nd > 1 && size > most_of_lines) {
            return PyLong_FromLong(0);
        }
        const auto length = static_cast<std::size_t>(lines->dimensions[lines->nd - 1]);
        const std::size_t most = 33;
        const std::size_t about = size <= 1024          ? std::bit_width(size)
                                  : size <= most * 1024 ? 10 + (size + 1023) / 1024
                                                        : 11 + most + std::bit_width(size / 1024);
        const std::size_t about_length = lines->nd == 1 ? 0 : 1 + std::bit_width(length);
        return PyLong_FromSize_t((about_length * 128 + about) * (half + 1) +
                                 static_cast<std::size_t>(type.type_num) + 1);
    });
}

PyObject* is_target(PyObject*, PyObject* const* given, Py_ssize_t count) {
    return guarded<&translate_error>([&]() -> PyObject* {
        if (count != 3 || !npy_api::get().PyArrayDescr_Check_(given[2])) {
            throw py::type_error{"pass an array, another one and a dtype"};
        }
        constexpr int flags = npy_api::NPY_ARRAY_C_CONTIGUOUS_ | npy_api::NPY_ARRAY_ALIGNED_ |
                              npy_api::NPY_ARRAY_WRITEABLE_;
        const array* const out = array_of(given[0]);
        const array* const a = array_of(given[1]);
        return PyBool_FromLong(out != nullptr && a != nullptr && (out->flags & flags) == flags &&
                                       are_alike(out->descr, given[2]) && have_one_shape(*out, *a)
                                   ? 1
                                   : 0);
    });
}

/// The address after the last value of a contiguous array.
const char* end_of(const array& a) {
    const auto type = py::reinterpret_borrow<py::dtype>(a.descr);
    return a.data + size_of(a) * type.itemsize();
}

PyObject* are_apart(PyObject*, PyObject* const* given, Py_ssize_t count) {
    return guarded<&translate_error>([&]() -> PyObject* {
        const array* const a = count == 2 ? array_of(given[0]) : nullptr;
        const array* const b = count == 2 ? array_of(given[1]) : nullptr;
        if (a == nullptr || b == nullptr) {
            throw py::type_error{"pass two arrays"};
        }
        return PyBool_FromLong(end_of(*a) <= b->data || end_of(*b) <= a->data ? 1 : 0);
    });
}

PyMethodDef functions[] = {
    {"_are_plain", fast(&are_plain), METH_FASTCALL,
     R"(_are_plain(a, b=None, /)
--

Return True if the arrays are contiguous ones of NumPy, of numbers and of one shape with at least one
dimension. ``b`` may be None.)"},
    {"_shape_of_both", fast(&shape_of_both), METH_FASTCALL,
     R"(_shape_of_both(a, b, /)
--

Return the shape of one of two arrays of numbers of at least one dimension, to which NumPy broadcasts the
other one; else None.)"},
    {"_broadcast_size", fast(&broadcast_size), METH_FASTCALL,
     R"(_broadcast_size(a, b, /)
--

Return the number of values of one of two arrays of numbers of at least one dimension, to whose shape NumPy
broadcasts the other one; 0 if there is none, and for contiguous arrays of one shape.)"},
    {"_line_kind", fast(&line_kind), METH_FASTCALL,
     R"(_line_kind(a, axis, /)
--

Return a number of the type of ``a``, of about how many values it has, and of about how long its lines are
if it has several; 0 unless ``a`` is an array, writable, contiguous and aligned, of bool, integers, float16,
float32 or float64 of this machine's byte order, and ``axis`` its last one, or None for the only one. Also 0
for several lines of more than 262,144 values.)"},
    {"_is_target", fast(&is_target), METH_FASTCALL,
     R"(_is_target(out, a, dtype, /)
--

Return True if ``out`` is an array to which NumPy may write results directly: writable, contiguous,
aligned, of the number type ``dtype`` and of the shape of ``a``.)"},
    {"_are_apart", fast(&are_apart), METH_FASTCALL,
     R"(_are_apart(a, b, /)
--

Return True if two contiguous arrays share no memory.)"},
    {},
};

}  // namespace

void register_plain_arrays(py::module_& m) {
    if (PyModule_AddFunctions(m.ptr(), functions) != 0) {
        throw py::error_already_set{};
    }
}

}  // namespace pointsman::python
