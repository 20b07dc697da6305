// SPDX-License-Identifier: Apache-2.0
// Keeps CPython from unwinding frames of C++ when it ends a thread.
//
// Up to 3.13, CPython calls pthread_exit() in a daemon thread that requests the GIL of an interpreter that
// is being finalised. A C library that unwinds the thread's stack for this runs destructors without the
// GIL, and ends the process at a noexcept function. Here, such a thread sleeps instead as soon as the
// unwinding reaches the first C++ frame of this module, as it does in CPython from 3.14 on. This can be
// any frame that calls Python, also one of pybind11. The linker (--wrap=__gxx_personality_v0) replaces the
// personality function, which the compiler names in every frame that needs cleanup when it is unwound.
#include <unwind.h>

#include "ended_interpreter.hpp"

extern "C" {

_Unwind_Reason_Code __real___gxx_personality_v0(int version, _Unwind_Action actions,
                                                _Unwind_Exception_Class thrown_by,
                                                _Unwind_Exception* thrown, _Unwind_Context* frame);

_Unwind_Reason_Code __wrap___gxx_personality_v0(int version, _Unwind_Action actions,
                                                _Unwind_Exception_Class thrown_by,
                                                _Unwind_Exception* thrown, _Unwind_Context* frame) {
    if ((actions & _UA_FORCE_UNWIND) != 0 && pointsman::python::has_interpreter_ended()) {
        pointsman::python::sleep_for_ever();
    }
    return __real___gxx_personality_v0(version, actions, thrown_by, thrown, frame);
}

}  // extern "C"
