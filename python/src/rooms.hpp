// SPDX-License-Identifier: Apache-2.0
// What each room of the bindings registers with the module.
#pragma once

#include <pybind11/pybind11.h>

namespace fairlead::python {

void register_errors(pybind11::module_& m);
void register_submission(pybind11::module_& m);
void register_arena(pybind11::module_& m);
void register_policies(pybind11::module_& m);
void register_measured_policies(pybind11::module_& m);

}  // namespace fairlead::python
