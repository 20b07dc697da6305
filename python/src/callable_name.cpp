// SPDX-License-Identifier: Apache-2.0
// Finds the function inside partials, bound methods and wrappers, and its name.
#include "callable_name.hpp"

#include "kept_object.hpp"

namespace pointsman::python {

namespace py = pybind11;

namespace {

constinit kept_object partial_class{[] { return imported("functools", "partial"); }};
constinit kept_object wrapped_slot{[] { return PyUnicode_InternFromString("__wrapped__"); }};
constinit kept_object qualified_name{[] { return PyUnicode_InternFromString("__qualname__"); }};

/// Returns the function inside partials, bound methods and callables that wrap it in a slot
/// `__wrapped__`. The number of layers is limited, since a proxy may wrap another without end.
py::object function_inside(py::object callable) {
    constexpr int most_layers = 16;
    for (int layer = 0; layer < most_layers && !PyFunction_Check(callable.ptr()); ++layer) {
        PyTypeObject* const type = Py_TYPE(callable.ptr());
        if (PyMethod_Check(callable.ptr())) {
            callable = py::reinterpret_borrow<py::object>(PyMethod_Function(callable.ptr()));
        } else if (PyObject_TypeCheck(callable.ptr(),
                                      reinterpret_cast<PyTypeObject*>(partial_class.get())) != 0) {
            callable = callable.attr("func");
        } else if (_PyType_Lookup(type, wrapped_slot.get()) != nullptr) {
            callable = callable.attr(wrapped_slot.get());
        } else {
            break;
        }
    }
    return callable;
}

}  // namespace

py::object qualified_name_of(const py::object& callable) {
    const py::object function = function_inside(callable);
    if (PyFunction_Check(function.ptr())) {
        return py::reinterpret_borrow<py::object>(
            reinterpret_cast<PyFunctionObject*>(function.ptr())->func_qualname);
    }
    py::object name = py::getattr(function, qualified_name.get(), py::none());
    return PyUnicode_Check(name.ptr()) ? name : py::type::of(function).attr("__qualname__");
}

}  // namespace pointsman::python
