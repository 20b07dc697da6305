// SPDX-License-Identifier: Apache-2.0
// Defines the extension module pointsman._core, in which every room registers its classes.
#include <pybind11/pybind11.h>

#include <string>

#include "module_definition.hpp"
#include "pointsman/version.hpp"
#include "rooms.hpp"

namespace {

/// Not a pybind11 function: calling one needs pybind11's state, which a sub-interpreter lacks.
PyObject* check_interpreter(PyObject*, PyObject*) {
    return pointsman::python::is_in_main_interpreter() ? Py_NewRef(Py_None) : nullptr;
}

PyMethodDef functions[] = {
    {"_check_interpreter", &check_interpreter, METH_NOARGS,
     "_check_interpreter()\n--\n\nRaise ImportError in a sub-interpreter."},
    {},
};

}  // namespace

POINTSMAN_PYTHON_MODULE(_core, m) {
    namespace py = pybind11;
    if (PyModule_AddFunctions(m.ptr(), functions) != 0) {
        throw py::error_already_set{};
    }
    py::options options;
    options.disable_function_signatures();  // the docstrings contain signatures that tools can read
    m.doc() = "The engine of pointsman; its names are public in the package pointsman.";
    m.attr("__version__") = std::to_string(POINTSMAN_VERSION_MAJOR) + "." +
                            std::to_string(POINTSMAN_VERSION_MINOR) + "." +
                            std::to_string(POINTSMAN_VERSION_PATCH);
    pointsman::python::register_errors(m);
    pointsman::python::register_trace(m);
    pointsman::python::register_replay(m);
    pointsman::python::register_submission(m);
    pointsman::python::register_submission_group(m);
    pointsman::python::register_arena(m);
    pointsman::python::register_selection(m);
    pointsman::python::register_backend(m);
    pointsman::python::register_task(m);
    pointsman::python::register_statistics(m);
    pointsman::python::register_policies(m);
    pointsman::python::register_learnt(m);
    pointsman::python::register_measured_policies(m);
    pointsman::python::register_python_policy(m);
    pointsman::python::register_plain_arrays(m);
    pointsman::python::register_plain_arguments(m);
}
