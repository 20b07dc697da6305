// SPDX-License-Identifier: Apache-2.0
// Defines an extension module with the import checks and exit hooks that all modules share.
#pragma once

#include <pybind11/pybind11.h>

namespace pointsman::python {

/// Returns true in the main interpreter. In a sub-interpreter, sets ImportError and returns false:
/// pybind11 would wait there for a GIL that the thread already holds. Python before 3.12 does not
/// refuse such modules by itself.
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

/// Raises Python errors for misuse that would end the process: using an object before its `__init__`,
/// creating an object of a class without a constructor, and pickling an object of a class that does not
/// define how. At exit, lets no more threads into the interpreter and waits for the threads inside.
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

/// As PYBIND11_MODULE, and declares that the module does not need the GIL, which must be true of
/// everything that the module registers. pybind11 before 2.13 cannot declare this: a free-threaded
/// interpreter then enables the GIL when it imports the module, and warns.
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
