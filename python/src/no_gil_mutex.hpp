// SPDX-License-Identifier: Apache-2.0
// A mutex for state that the GIL protects in an interpreter that has one.
#pragma once

#include <Python.h>

namespace pointsman::python {

/// A mutex in an interpreter without the GIL; with a GIL, which its users hold, it is empty and does
/// nothing. A thread that waits for it is detached from the interpreter, so the garbage collector need
/// not wait for the thread. Run no Python code while holding it.
class no_gil_mutex {
  public:
    no_gil_mutex() = default;
    no_gil_mutex(const no_gil_mutex&) = delete;
    no_gil_mutex& operator=(const no_gil_mutex&) = delete;

#ifdef Py_GIL_DISABLED
    void lock() noexcept { PyMutex_Lock(&mutex_); }
    void unlock() noexcept { PyMutex_Unlock(&mutex_); }

  private:
    PyMutex mutex_{};
#else
    void lock() noexcept {}
    void unlock() noexcept {}
#endif
};

}  // namespace pointsman::python
