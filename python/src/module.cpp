// SPDX-License-Identifier: Apache-2.0
// The extension module fairlead._core: it lists the rooms.
#include <pybind11/pybind11.h>

#include <string>

#include "fairlead/version.hpp"
#include "gil.hpp"
#include "module_definition.hpp"
#include "rooms.hpp"

FAIRLEAD_PYTHON_MODULE(_core, m) {
    namespace py = pybind11;
    py::options options;
    options.disable_function_signatures();  // docstrings have their own, which tools can read
    m.doc() = "The engine of fairlead; its names are public in the package fairlead.";
    m.attr("__version__") = std::to_string(FAIRLEAD_VERSION_MAJOR) + "." +
                            std::to_string(FAIRLEAD_VERSION_MINOR) + "." +
                            std::to_string(FAIRLEAD_VERSION_PATCH);
    py::module_::import("atexit").attr("register")(py::cpp_function{[] {
        fairlead::python::interpreter_gate::close();
        fairlead::python::retired_references::instance().close();
    }});
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
