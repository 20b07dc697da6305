// SPDX-License-Identifier: Apache-2.0
// Looks an object's type up among the adopted types of the packages that the user has imported.
#include "submission/adopted_waitables.hpp"

namespace pointsman::python {

adopted_waitables& adopted_waitables::instance() {
    static adopted_waitables* const only =
        new adopted_waitables;  // never destroyed: it holds Python strings
    return *only;
}

void adopted_waitables::adopt(const std::string& module, const std::string& type,
                              const native_waitable* functions) {
    auto* const added = new adopted_type{py::str{module}, py::str{type}, functions, first_.load()};
    while (!first_.compare_exchange_weak(added->next, added)) {
    }
}

const native_waitable* adopted_waitables::find(PyObject* object) const {
    for (const auto* adopted = first_.load(); adopted != nullptr; adopted = adopted->next) {
        const auto module =
            py::reinterpret_steal<py::object>(PyImport_GetModule(adopted->module.ptr()));
        if (!module) {
            PyErr_Clear();
            continue;
        }
        const py::object type = py::getattr(module, adopted->type, py::none());
        if (PyType_Check(type.ptr()) &&
            PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(type.ptr()))) {
            return adopted->functions;
        }
    }
    return nullptr;
}

}  // namespace pointsman::python
