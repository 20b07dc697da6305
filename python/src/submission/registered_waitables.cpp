// SPDX-License-Identifier: Apache-2.0
// Finds the object that stands for the work behind another one.
#include "submission/registered_waitables.hpp"

#include "kept_object.hpp"

namespace pointsman::python {
namespace {

/// A dictionary of the registered types, each with the callable that makes what stands for an object
/// of it.
constinit kept_object registered{[] { return PyDict_New(); }};

/// The value of `key`; null without one.
py::object find_in(PyObject* dictionary, py::handle key) {
#if PY_VERSION_HEX >= 0x030D0000
    PyObject* found = nullptr;
    static_cast<void>(PyDict_GetItemRef(dictionary, key.ptr(), &found));
    auto value = py::reinterpret_steal<py::object>(found);
#else
    auto value = py::reinterpret_borrow<py::object>(PyDict_GetItemWithError(dictionary, key.ptr()));
#endif
    if (!value && PyErr_Occurred() != nullptr) {
        throw py::error_already_set{};
    }
    return value;
}

/// The entry of the object's type or of its nearest base; null without one.
py::object registered_for(PyTypeObject* type) {
    PyObject* const types = registered.get();
    if (PyDict_GET_SIZE(types) == 0) {
        return {};
    }
    for (const py::handle& base : py::reinterpret_borrow<py::tuple>(type->tp_mro)) {
        if (py::object entry = find_in(types, base)) {
            return entry;
        }
    }
    return {};
}

constinit kept_object asyncio_future_name{
    [] { return PyUnicode_InternFromString("_asyncio_future_blocking"); }};
constinit kept_object synchronize_name{[] { return PyUnicode_InternFromString("synchronize"); }};
constinit kept_object wait_name{[] { return PyUnicode_InternFromString("wait"); }};
constinit kept_object result_name{[] { return PyUnicode_InternFromString("result"); }};

bool type_has(PyTypeObject* type, kept_object& name) {
    return _PyType_Lookup(type, name.get()) != nullptr;
}

/// Whether the object may be one of those that `pointsman._waitable` knows by what they offer: futures
/// of asyncio, other awaitables that nobody can wait for, streams and events of a device.
bool is_known_by_shape(PyTypeObject* type) {
    if (type_has(type, asyncio_future_name) || type_has(type, synchronize_name)) {
        return true;
    }
    const bool is_awaitable =
        type->tp_as_async != nullptr && type->tp_as_async->am_await != nullptr;
    return is_awaitable && !type_has(type, wait_name) && !type_has(type, result_name);
}

}  // namespace

py::object stand_in_for(const py::object& object) {
    PyTypeObject* const type = Py_TYPE(object.ptr());
    py::object found;
    if (const py::object make = registered_for(type)) {
        found = make(object);
    } else if (is_known_by_shape(type)) {
        found = py::module_::import("pointsman._waitable").attr("stand_in_for")(object);
    }
    return found && found.is_none() ? py::object{} : found;
}

void register_waitables(py::module_& m) {
    m.def(
        "_register_waitable",
        [](const py::type& type, const py::object& make) {
            py::reinterpret_borrow<py::dict>(registered.get())[type] = make;
        },
        py::arg("type"), py::arg("make"),
        "_register_waitable(type, make)\n--\n\n"
        "Have objects of a class seen through what ``make(object)`` returns.");
}

}  // namespace pointsman::python
