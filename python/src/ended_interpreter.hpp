// SPDX-License-Identifier: Apache-2.0
// Detects the end of the interpreter; threads that are in the engine then sleep until the process ends.
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

namespace pointsman::python {

/// Returns true once Py_FinalizeEx lets no other thread run Python code.
[[nodiscard]] inline bool has_interpreter_ended() noexcept {
#if PY_VERSION_HEX >= 0x030D0000
    const bool is_ending = Py_IsFinalizing() != 0;
#else
    const bool is_ending = _Py_IsFinalizing() != 0;
#endif
    return is_ending || Py_IsInitialized() == 0;
}

[[noreturn]] inline void sleep_for_ever() noexcept {
    while (true) {
        std::this_thread::sleep_for(std::chrono::hours{1});
    }
}

}  // namespace pointsman::python
