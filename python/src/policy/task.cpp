// SPDX-License-Identifier: Apache-2.0
// Derives the key of a Python task.
#include "policy/task.hpp"

#include <cstdint>
#include <functional>

#include "fairlead/tuning/size_class.hpp"

namespace fairlead::python {
namespace {

/// The function behind partials, bound methods and decorators. Bounded, since a proxy may claim to
/// wrap something for ever.
py::object innermost(py::object callable) {
    const py::object partial = py::module_::import("functools").attr("partial");
    for (int layers = 0; layers < 64; ++layers) {
        if (py::isinstance(callable, partial)) {
            callable = callable.attr("func");
        } else if (PyMethod_Check(callable.ptr())) {
            callable = py::reinterpret_borrow<py::object>(PyMethod_Function(callable.ptr()));
        } else if (PyObject_HasAttrString(callable.ptr(), "__wrapped__") == 1) {
            callable = callable.attr("__wrapped__");
        } else {
            break;
        }
    }
    return callable;
}

/// Code objects are hashed by their contents, types by their name: an address might be used again.
std::uint64_t identity(const py::object& work) {
    const py::object callable = innermost(work);
    if (PyFunction_Check(callable.ptr())) {
        return static_cast<std::uint64_t>(
            py::hash(py::reinterpret_borrow<py::object>(PyFunction_GetCode(callable.ptr()))));
    }
    const bool named = PyType_Check(callable.ptr()) || PyCFunction_Check(callable.ptr());
    const py::object named_by = named ? callable : py::type::of(callable);
    return static_cast<std::uint64_t>(
        py::hash(py::make_tuple(py::getattr(named_by, "__module__", py::none()),
                                py::getattr(named_by, "__qualname__", py::repr(named_by)))));
}

std::uint64_t magnitude(const py::handle& integer) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
    if (overflow != 0) {
        return UINT64_MAX;
    }
    return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                     : static_cast<std::uint64_t>(value);
}

std::uint8_t size_class_of_argument(const py::handle& argument) {
    if (PyBool_Check(argument.ptr()) || argument.is_none()) {
        return 0;
    }
    if (PyLong_Check(argument.ptr())) {
        return size_class_of(magnitude(argument));
    }
    if (const py::object bytes = py::getattr(argument, "nbytes", py::none());
        PyLong_Check(bytes.ptr())) {
        return size_class_of(magnitude(bytes));
    }
    if (const Py_ssize_t length = PyObject_Size(argument.ptr()); length >= 0) {
        return size_class_of(static_cast<std::uint64_t>(length));
    }
    PyErr_Clear();
    return 0;
}

}  // namespace

fairlead::task_key python_task::task_key() const {
    std::uint64_t sizes = py::len(args_);
    for (const auto& argument : args_) {
        sizes = sizes * 67 + size_class_of_argument(argument);
    }
    for (const auto& [name, argument] : kwargs_) {
        sizes = sizes * 67 + static_cast<std::uint64_t>(py::hash(name)) * 131 +
                size_class_of_argument(argument);
    }
    return {identity(work_), sizes};
}

}  // namespace fairlead::python
