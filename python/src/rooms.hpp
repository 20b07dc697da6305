// SPDX-License-Identifier: Apache-2.0
// The functions by which each room of the bindings registers its classes with the module.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>

namespace pointsman::python {

/// Sets the Python exception for pointsman's own exceptions and rethrows all others.
void translate_error(std::exception_ptr thrown);

void register_errors(pybind11::module_& m);
void register_trace(pybind11::module_& m);
void register_replay(pybind11::module_& m);
void register_submission(pybind11::module_& m);
void register_submission_group(pybind11::module_& m);
void register_arena(pybind11::module_& m);
void register_selection(pybind11::module_& m);
void register_backend(pybind11::module_& m);
void register_task(pybind11::module_& m);
void register_statistics(pybind11::module_& m);
void register_policies(pybind11::module_& m);
void register_learnt(pybind11::module_& m);
void register_measured_policies(pybind11::module_& m);
void register_python_policy(pybind11::module_& m);
void register_plain_arrays(pybind11::module_& m);
void register_plain_arguments(pybind11::module_& m);

}  // namespace pointsman::python
