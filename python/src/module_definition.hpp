// SPDX-License-Identifier: Apache-2.0
// Defines an extension module, and what holds for all its classes.
#pragma once

#include <pybind11/pybind11.h>

namespace pointsman::python {

/// False, with an ImportError set, in a sub-interpreter: pybind11 would wait there for a GIL that the
/// thread has already. Python before 3.12 does not refuse such modules by itself.
inline bool is_in_main_interpreter() noexcept {
    if (PyInterpreterState_Get() == PyInterpreterState_Main()) {
        return true;
    }
    PyErr_SetString(PyExc_ImportError,
                    "pointsman cannot be imported in a sub-interpreter: its threads and those of "
                    "pybind11 belong to the main interpreter; import it there, or in a process of "
                    "its own");
    return false;
}

/// Makes errors of what would end the process: the use of objects before their `__init__`, the creation
/// of objects of classes without a constructor, and the pickling of those that do not say how. At exit
/// threads are let into the interpreter no more, and those inside waited for.
void finish_module(const pybind11::module_& m);

}  // namespace pointsman::python

#undef PYBIND11_PLUGIN_IMPL
/// The function that Python calls to import a module.
#define PYBIND11_PLUGIN_IMPL(name)                                                                \
    static PyObject* pointsman_import_##name();                                                   \
    extern "C" PYBIND11_EXPORT PyObject* PyInit_##name();                                         \
    extern "C" PYBIND11_EXPORT PyObject* PyInit_##name() {                                        \
        return pointsman::python::is_in_main_interpreter() ? pointsman_import_##name() : nullptr; \
    }                                                                                             \
    PyObject* pointsman_import_##name()

/// As PYBIND11_MODULE, and tells an interpreter without the GIL that the module does not need it; so
/// it has to be true of what the module registers. pybind11 before 2.13 cannot tell: the interpreter
/// then takes the GIL back when it imports the module, and warns of that.
#if PYBIND11_VERSION_HEX >= 0x020D0000
#define POINTSMAN_PYBIND11_MODULE(name, variable) \
    PYBIND11_MODULE(name, variable, pybind11::mod_gil_not_used())
#else
#define POINTSMAN_PYBIND11_MODULE(name, variable) PYBIND11_MODULE(name, variable)
#endif
#define POINTSMAN_PYTHON_MODULE(name, variable)                \
    static void pointsman_register_##name(pybind11::module_&); \
    POINTSMAN_PYBIND11_MODULE(name, variable) {                \
        pointsman_register_##name(variable);                   \
        pointsman::python::finish_module(variable);            \
    }                                                          \
    void pointsman_register_##name(pybind11::module_&(variable))
