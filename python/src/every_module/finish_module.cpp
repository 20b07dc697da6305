// SPDX-License-Identifier: Apache-2.0
// Makes the classes of a module raise errors when misused, and registers the module's exit hooks.
#include <cstddef>
#include <string>

#include "gil.hpp"
#include "module_definition.hpp"
#include "submission/interruptible.hpp"

namespace pointsman::python {
namespace {

namespace py = pybind11;

/// Replaces the allocation that pybind11 makes when a method is called on an object without a value:
/// pybind11 would pass the uninitialised memory to the method.
void* refuse_uninitialized(std::size_t) {
    throw py::type_error{
        "the object was not made: call super().__init__() in its __init__(), before its methods"};
}

PyObject* refuse_creation(PyTypeObject* type, PyObject*, PyObject*) {
    PyErr_Format(PyExc_TypeError, "cannot create '%s' instances", type->tp_name);
    return nullptr;
}

[[noreturn]] void refuse_pickling(const py::object& self) {
    throw py::type_error{"cannot pickle or copy '" +
                         py::type::of(self).attr("__name__").cast<std::string>() +
                         "': it belongs to this process; make another one there"};
}

bool has_own(const py::handle& cls, const char* name) {
    return cls.attr("__dict__").contains(name);
}

/// Returns true if the class defines an `__init__`: pybind11 gives every other class one that raises.
bool has_constructor(const py::handle& cls) {
    return !PyObject_TypeCheck(py::object{cls.attr("__dict__")["__init__"]}.ptr(),
                               &PyWrapperDescr_Type);
}

void refuse_uninitialized_objects(py::detail::type_info& info, const py::handle& cls) {
    info.operator_new = &refuse_uninitialized;
    if (!has_constructor(cls)) {
        info.type->tp_new = &refuse_creation;
    }
}

void finish_class(const py::object& cls) {
    auto* const type = reinterpret_cast<PyTypeObject*>(cls.ptr());
    auto* const info = py::detail::get_type_info(type);
    if (info != nullptr && info->type == type) {
        refuse_uninitialized_objects(*info, cls);
    }
    if (!has_own(cls, "__reduce__") && !has_own(cls, "__reduce_ex__")) {
        cls.attr("__reduce__") =
            py::cpp_function{&refuse_pickling, py::name("__reduce__"), py::is_method(cls),
                             "__reduce__(self)\n--\n\nRaise TypeError."};
    }
}

bool is_class_of(const py::module_& m, const py::handle& value) {
    return PyType_Check(value.ptr()) && !PyExceptionClass_Check(value.ptr()) &&
           value.attr("__module__").equal(m.attr("__name__"));
}

void finish_classes(const py::module_& m) {
    for (const auto& [name, value] : m.attr("__dict__").cast<py::dict>()) {
        if (is_class_of(m, value)) {
            finish_class(py::reinterpret_borrow<py::object>(value));
        }
    }
}

/// Waits until the threads inside the interpreter have left it, unless Ctrl-C ends the wait.
void close_gate() {
    interpreter_gate::close();
    static_cast<void>(wait_by_asking({}, &interpreter_gate::is_empty));
}

}  // namespace

void finish_module(const py::module_& m) {
    finish_classes(m);
    const auto at_exit =
        py::module_::import("atexit").attr("register");  // the hook registered last runs first
    at_exit(py::cpp_function{[] { retired_references::instance().close(); }});
    at_exit(py::cpp_function{&close_gate});
}

}  // namespace pointsman::python
