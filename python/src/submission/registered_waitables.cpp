// SPDX-License-Identifier: Apache-2.0
// Finds what stands for the work behind an object.
#include "submission/registered_waitables.hpp"

namespace fairlead::python {
namespace {

/// Registered types, each with the callable that makes what stands for an object of it.
py::dict& registered() {
    static auto* const only = new py::dict;  // never destroyed: it holds types
    return *only;
}

/// The entry of the object's type or of its nearest base; null without one.
PyObject* registered_for(PyTypeObject* type) {
    if (registered().empty()) {
        return nullptr;
    }
    for (const py::handle& base : py::reinterpret_borrow<py::tuple>(type->tp_mro)) {
        PyObject* const entry = PyDict_GetItemWithError(registered().ptr(), base.ptr());
        if (entry != nullptr) {
            return entry;
        }
        if (PyErr_Occurred() != nullptr) {
            throw py::error_already_set{};
        }
    }
    return nullptr;
}

/// Names that are looked up for each object that a callable returns.
struct known_names {
    PyObject* asyncio_future = PyUnicode_InternFromString("_asyncio_future_blocking");
    PyObject* synchronize = PyUnicode_InternFromString("synchronize");
    PyObject* wait = PyUnicode_InternFromString("wait");
    PyObject* result = PyUnicode_InternFromString("result");

    static const known_names& instance() {
        static const known_names* const only = new known_names;
        return *only;
    }
};

bool type_has(PyTypeObject* type, PyObject* name) { return _PyType_Lookup(type, name) != nullptr; }

/// Whether the object may be one of those that `fairlead.waitable` knows by what they offer: futures
/// of asyncio, other awaitables that nobody can wait for, streams and events of a device.
bool is_known_by_shape(PyTypeObject* type) {
    const auto& names = known_names::instance();
    if (type_has(type, names.asyncio_future) || type_has(type, names.synchronize)) {
        return true;
    }
    const bool is_awaitable =
        type->tp_as_async != nullptr && type->tp_as_async->am_await != nullptr;
    return is_awaitable && !type_has(type, names.wait) && !type_has(type, names.result);
}

}  // namespace

py::object stand_in_for(const py::object& object) {
    PyTypeObject* const type = Py_TYPE(object.ptr());
    py::object found;
    if (PyObject* const make = registered_for(type)) {
        found = py::handle{make}(object);
    } else if (is_known_by_shape(type)) {
        found = py::module_::import("fairlead.waitable").attr("stand_in_for")(object);
    }
    return found && found.is_none() ? py::object{} : found;
}

void register_waitables(py::module_& m) {
    m.def(
        "_register_waitable",
        [](const py::type& type, const py::object& make) { registered()[type] = make; },
        py::arg("type"), py::arg("make"),
        "Have objects of a class seen through what ``make(object)`` returns.");
}

}  // namespace fairlead::python
