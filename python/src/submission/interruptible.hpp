// SPDX-License-Identifier: Apache-2.0
// Waits that Ctrl-C interrupts, and the conversion of Python's timeouts to deadlines.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <thread>

#include "gil.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"

namespace pointsman::python {

/// The time at which a wait ends; empty for no limit.
using deadline_t = std::optional<clock::time_point>;

/// Returns `timeout`, the only argument of a method; null if it is not given. GIL held.
/// **Throws**: `TypeError`.
[[nodiscard]] inline PyObject* timeout_argument(const char* method, PyObject* const* values,
                                                Py_ssize_t given, PyObject* keywords) {
    const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
    if (given + named > 1) {
        throw py::type_error{std::string{method} + "() takes one argument, timeout"};
    }
    if (named == 1 &&
        PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), "timeout") != 0) {
        throw py::type_error{std::string{method} + "() takes no argument but timeout"};
    }
    return given + named == 1 ? values[0] : nullptr;
}

/// Converts a timeout in seconds, or None, to a deadline. GIL held.
/// **Throws**: `invalid_option` for a negative number or NaN, `TypeError` for anything but a number.
inline deadline_t to_deadline(PyObject* timeout) {
    if (timeout == nullptr || timeout == Py_None) {
        return std::nullopt;
    }
    const double seconds = PyFloat_AsDouble(timeout);
    const bool is_number = seconds != -1.0 || PyErr_Occurred() == nullptr;
    if (!is_number || std::isnan(seconds) || seconds < 0) {
        PyErr_Clear();
        const auto text = "timeout is " + py::repr(timeout).cast<std::string>() +
                          ": pass a number of seconds from 0, or None for no limit";
        if (is_number) {
            throw invalid_option{text};
        }
        throw py::type_error{text};
    }
    constexpr double longest = 9e8;
    if (seconds > longest) {
        return std::nullopt;
    }
    return clock::now() +
           std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>{seconds});
}

/// **Throws**: `py::error_already_set`, with WaitTimeoutError. GIL held.
[[noreturn]] inline void throw_wait_timeout(PyObject* timeout) {
    const py::object error = py::module_::import("pointsman.error").attr("WaitTimeoutError");
    const py::object text = py::str("the work was not complete within {} s: wait again, or longer")
                                .format(py::handle{timeout});
    PyErr_SetObject(error.ptr(), text.ptr());
    throw py::error_already_set{};
}

/// How long a thread may sleep before it checks for signals: Python's handlers run only in a check.
inline constexpr clock::duration between_signals = std::chrono::milliseconds{50};

/// Runs the handlers of pending signals. GIL held. **Throws**: what a handler raises.
inline void handle_signals() {
    if (PyErr_CheckSignals() != 0) {
        throw py::error_already_set{};
    }
}

/// Calls `wait_for(pause)` without the GIL until it returns true. Returns false if `deadline` passed.
/// GIL held before and after. **Throws**: what a signal handler raises.
template <class WaitFor>
bool wait_interruptibly(const deadline_t& deadline, WaitFor&& wait_for) {
    while (true) {
        clock::duration pause = between_signals;
        if (deadline) {
            pause = std::clamp(*deadline - clock::now(), clock::duration::zero(), pause);
        }
        bool is_over = false;
        {
            const gil_released others_may_run;
            is_over = wait_for(pause);
        }
        if (is_over) {
            return true;
        }
        handle_signals();
        if (deadline && clock::now() >= *deadline) {
            return false;
        }
    }
}

/// Returns how long to sleep before the next poll, after waiting for `elapsed`.
inline clock::duration pause_after(clock::duration elapsed) {
    using namespace std::chrono_literals;
    return std::clamp<clock::duration>(elapsed / 8, 20us, 1ms);
}

/// Polls `is_over()` without the GIL until it returns true, at first without a pause and then less and
/// less often. Returns false if `deadline` passed. GIL held before and after. For work whose completion
/// may be notified late. **Throws**: what `is_over` and signal handlers raise.
template <class IsOver>
bool wait_by_asking(const deadline_t& deadline, IsOver&& is_over) {
    constexpr auto without_sleep = std::chrono::microseconds{50};
    const auto began = clock::now();
    return wait_interruptibly(deadline, [&](clock::duration longest) {
        const auto end = clock::now() + longest;
        while (!is_over()) {
            const auto now = clock::now();
            if (now >= end) {
                return false;
            }
            if (now - began < without_sleep) {
                std::this_thread::yield();
            } else {
                std::this_thread::sleep_for(std::min(pause_after(now - began), end - now));
            }
        }
        return true;
    });
}

}  // namespace pointsman::python
