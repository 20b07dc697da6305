// SPDX-License-Identifier: Apache-2.0
// Hands work to the main thread from threads that must not wait for the GIL.
#pragma once

#include <Python.h>

#if PY_VERSION_HEX < 0x030C0000
// Exported by CPython, and declared in one of its internal headers.
extern "C" int _PyEval_AddPendingCall(PyInterpreterState*, int (*)(void*), void*);
#endif

namespace pointsman::python {

/// Lets the main thread call `function(nullptr)` when it next runs Python code. Returns false if the queue
/// of pending calls is full. Any thread, with or without the GIL.
///
/// Before CPython 3.12 `Py_AddPendingCall` finds the interpreter through the state of the thread that holds
/// the GIL, which another thread may be freeing at that moment. So the interpreter is named here.
inline bool add_pending_call(int (*function)(void*)) noexcept {
#if PY_VERSION_HEX < 0x030C0000
    return _PyEval_AddPendingCall(PyInterpreterState_Main(), function, nullptr) == 0;
#else
    return Py_AddPendingCall(function, nullptr) == 0;
#endif
}

}  // namespace pointsman::python
