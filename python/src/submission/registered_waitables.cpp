// SPDX-License-Identifier: Apache-2.0
// Finds the stand-in of an object: by its registered type, or by the methods that its type has.
#include "submission/registered_waitables.hpp"

#include "kept_object.hpp"

namespace pointsman::python {
namespace {

/// A dictionary from each registered type to the callable that makes the stand-in of an object.
constinit kept_object registered_types{[] { return PyDict_New(); }};

/// Returns the value of `key`; null if there is none.
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

/// Returns the entry of `type` or of its nearest base class; null if there is none.
py::object registered_for(PyTypeObject* type) {
    PyObject* const types = registered_types.get();
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

/// Returns true if `pointsman._waitable` may recognise an object of the type by its methods: futures of
/// asyncio, other awaitables without `wait` and `result`, streams and events of a device.
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
            py::reinterpret_borrow<py::dict>(registered_types.get())[type] = make;
        },
        py::arg("type"), py::arg("make"),
        "_register_waitable(type, make)\n--\n\n"
        "Watch the objects of a class through the object that ``make(object)`` returns.");
}

}  // namespace pointsman::python
