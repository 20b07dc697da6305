// SPDX-License-Identifier: Apache-2.0
// Derives the key of a Python task.
#include "policy/task.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "fairlead/tuning/size_class.hpp"
#include "policy/call_with.hpp"
#include "rooms.hpp"

namespace fairlead::python {
namespace {

/// What the type of `work` offers under `name`; null for none, and at once for a plain function.
PyObject* hook_of(PyObject* work, PyObject* name) noexcept {
    return PyFunction_Check(work) ? nullptr : _PyType_Lookup(Py_TYPE(work), name);
}

PyObject* interned(const char* name) {
    PyObject* const string = PyUnicode_InternFromString(name);
    if (string == nullptr) {
        throw py::error_already_set{};
    }
    return string;
}

/// The name that a `fairlead.task` or `fairlead.variants` was given; 0 for none.
std::uint64_t name_of(PyObject* work) {
    static PyObject* const attribute = interned("__fairlead_name__");
    if (hook_of(work, attribute) == nullptr) {
        return 0;
    }
    return static_cast<std::uint64_t>(py::hash(py::handle{work}.attr(attribute)));
}

/// The function behind partials, bound methods and decorators, and the names met on the way to it.
/// Bounded, since a proxy may claim to wrap something for ever.
py::object innermost(py::object callable, std::uint64_t& names) {
    const py::object partial = py::module_::import("functools").attr("partial");
    for (int layers = 0; layers < 64; ++layers) {
        names = names * 67 + name_of(callable.ptr());
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
    std::uint64_t names = 0;
    const py::object callable = innermost(work, names);
    if (PyFunction_Check(callable.ptr())) {
        return names + static_cast<std::uint64_t>(py::hash(
                           py::reinterpret_borrow<py::object>(PyFunction_GetCode(callable.ptr()))));
    }
    const bool named = PyType_Check(callable.ptr()) || PyCFunction_Check(callable.ptr());
    const py::object named_by = named ? callable : py::type::of(callable);
    return names + static_cast<std::uint64_t>(py::hash(
                       py::make_tuple(py::getattr(named_by, "__module__", py::none()),
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

/// An integer counts by its power of two, as an argument does; anything else by its hash.
std::uint64_t stated_size(const py::object& stated) {
    return PyLong_Check(stated.ptr()) ? size_class_of_argument(stated)
                                      : static_cast<std::uint64_t>(py::hash(stated));
}

}  // namespace

void register_task(py::module_& m) {
    m.def("_task_identity", &identity, py::arg("work"),
          "Return what tells the callable from others in the key of a task.");
}

bool python_task::has_refusal(PyObject* work) noexcept {
    static PyObject* const attribute = PyUnicode_InternFromString("__fairlead_refusal__");
    return attribute != nullptr && hook_of(work, attribute) != nullptr;
}

bool python_task::accepts(const python_resource& resource) const {
    if (!may_refuse_) {
        return true;
    }
    const py::gil_scoped_acquire gil;
    return py::handle{work_}.attr("__fairlead_refusal__")(resource.object.get()).is_none();
}

std::string python_task::refusal(const python_resource& resource) const {
    const py::gil_scoped_acquire gil;
    return py::str(py::handle{work_}.attr("__fairlead_refusal__")(resource.object.get()));
}

fairlead::task_key python_task::task_key() const {
    static PyObject* const size_attribute = interned("__fairlead_size__");
    const auto callable = identity(py::reinterpret_borrow<py::object>(work_));
    if (hook_of(work_, size_attribute) != nullptr) {
        const py::object size = py::handle{work_}.attr(size_attribute);
        if (!size.is_none()) {
            return {callable, stated_size(call_with(size, {}, arguments_))};
        }
    }
    const auto& [values, by_position, keywords] = arguments_;
    auto sizes = static_cast<std::uint64_t>(by_position);
    for (Py_ssize_t i = 0; i < by_position; ++i) {
        sizes = sizes * 67 + size_class_of_argument(values[i]);
    }
    for (Py_ssize_t i = 0; i < arguments_.by_keyword(); ++i) {
        const py::handle name = PyTuple_GET_ITEM(keywords, i);
        sizes = sizes * 67 + static_cast<std::uint64_t>(py::hash(name)) * 131 +
                size_class_of_argument(values[by_position + i]);
    }
    return {callable, sizes};
}

/// The interpreter may use the place before the first argument, so that a bound method is called
/// without another copy.
py::object python_task::call(PyObject* resource) const {
    std::array<PyObject*, 10> few;
    std::vector<PyObject*> many;
    const auto given = static_cast<std::size_t>(arguments_.by_position + arguments_.by_keyword());
    PyObject** places = few.data();
    if (given + 2 > few.size()) {
        many.resize(given + 2);
        places = many.data();
    }
    places[1] = resource;
    std::copy_n(arguments_.values, given, places + 2);
    const auto by_position = static_cast<std::size_t>(arguments_.by_position) + 1;
    PyObject* const returned = PyObject_Vectorcall(
        work_, places + 1, by_position | PY_VECTORCALL_ARGUMENTS_OFFSET, arguments_.keywords);
    if (returned == nullptr) {
        throw py::error_already_set{};
    }
    return py::reinterpret_steal<py::object>(returned);
}

}  // namespace fairlead::python
