// SPDX-License-Identifier: Apache-2.0
// Keeps CPython from unwinding frames of C++ when it ends a thread.
//
// Up to 3.13 CPython ends a daemon thread that wants the GIL of an interpreter that is being finalised by
// pthread_exit(). Where the C library unwinds the thread's stack for that, it runs destructors without
// the GIL, and ends the process at a function that is noexcept. Such a thread sleeps instead where the
// unwinding meets the first frame of ours, as CPython has it sleep from 3.14 on. That frame may be any
// that calls Python, in pybind11 too. The linker puts the function here in the place of the one that
// the compiler names in all frames that have something to do when they are unwound
// (--wrap=__gxx_personality_v0).
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
