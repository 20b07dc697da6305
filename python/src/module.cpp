// SPDX-License-Identifier: Apache-2.0
// The extension module fairlead._core: it lists the rooms.
#include <pybind11/pybind11.h>

#include <string>

#include "fairlead/version.hpp"
#include "module_definition.hpp"
#include "rooms.hpp"

namespace {

/// Not a function of pybind11's, which looks for what a sub-interpreter does not have.
PyObject* check_interpreter(PyObject*, PyObject*) {
    return fairlead::python::is_in_main_interpreter() ? Py_NewRef(Py_None) : nullptr;
}

PyMethodDef functions[] = {
    {"_check_interpreter", &check_interpreter, METH_NOARGS,
     "_check_interpreter()\n--\n\nRaise ImportError in a sub-interpreter."},
    {},
};

}  // namespace

FAIRLEAD_PYTHON_MODULE(_core, m) {
    namespace py = pybind11;
    if (PyModule_AddFunctions(m.ptr(), functions) != 0) {
        throw py::error_already_set{};
    }
    py::options options;
    options.disable_function_signatures();  // docstrings have their own, which tools can read
    m.doc() = "The engine of fairlead; its names are public in the package fairlead.";
    m.attr("__version__") = std::to_string(FAIRLEAD_VERSION_MAJOR) + "." +
                            std::to_string(FAIRLEAD_VERSION_MINOR) + "." +
                            std::to_string(FAIRLEAD_VERSION_PATCH);
    fairlead::python::register_errors(m);
    fairlead::python::register_submission(m);
    fairlead::python::register_arena(m);
    fairlead::python::register_selection(m);
    fairlead::python::register_backend(m);
    fairlead::python::register_task(m);
    fairlead::python::register_policies(m);
    fairlead::python::register_measured_policies(m);
    fairlead::python::register_python_policy(m);
}
