// SPDX-License-Identifier: Apache-2.0
// Calls a policy's class and checks the new object, in place of pybind11's metaclass.
#include "policy/policy_metaclass.hpp"

#include <array>

#include "kept_object.hpp"

namespace pointsman::python {
namespace {

/// Returns true if the `__init__` of each base class from pybind11 has been called.
bool is_initialised(PyObject* object) {
    py::detail::values_and_holders bases{reinterpret_cast<py::detail::instance*>(object)};
    for (const auto& base : bases) {
        if (!base.holder_constructed()) {
            return false;
        }
    }
    return true;
}

/// Makes an object. pybind11's own check, which this replaces, names only the base class.
PyObject* make_policy(PyObject* type, PyObject* args, PyObject* kwargs) {
    PyObject* const made = PyType_Type.tp_call(type, args, kwargs);
    if (made == nullptr || PyObject_TypeCheck(made, reinterpret_cast<PyTypeObject*>(type)) == 0 ||
        is_initialised(made)) {
        return made;
    }
    PyErr_Format(PyExc_TypeError,
                 "%.200s.__init__() did not call super().__init__(): write "
                 "super().__init__(resources) in it, before the policy is used",
                 Py_TYPE(made)->tp_name);
    Py_DECREF(made);
    return nullptr;
}

PyObject* make_metaclass() {
    std::array slots{PyType_Slot{Py_tp_call, reinterpret_cast<void*>(&make_policy)},
                     PyType_Slot{0, nullptr}};
    PyType_Spec spec{"pointsman._core.policy_type", 0, 0, Py_TPFLAGS_DEFAULT, slots.data()};
    auto* const base = reinterpret_cast<PyObject*>(py::detail::get_internals().default_metaclass);
    return PyType_FromSpecWithBases(&spec, base);
}

constinit kept_object metaclass{&make_metaclass};

}  // namespace

py::handle policy_metaclass() { return metaclass.get(); }

}  // namespace pointsman::python
