// SPDX-License-Identifier: Apache-2.0
// Defines an extension module that leaves the GIL off where the interpreter has it off.
#pragma once

#include <pybind11/pybind11.h>

/// As PYBIND11_MODULE, and tells an interpreter without the GIL that the module does not need it; so
/// it has to be true of what the module registers. pybind11 before 2.13 cannot tell: the interpreter
/// then takes the GIL back when it imports the module, and warns of that.
#if PYBIND11_VERSION_HEX >= 0x020D0000
#define FAIRLEAD_PYTHON_MODULE(name, variable) \
    PYBIND11_MODULE(name, variable, pybind11::mod_gil_not_used())
#else
#define FAIRLEAD_PYTHON_MODULE(name, variable) PYBIND11_MODULE(name, variable)
#endif
