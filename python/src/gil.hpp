// SPDX-License-Identifier: Apache-2.0
// Holding Python objects and the GIL from threads that Python does not know.
#pragma once

#include <cxxabi.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "fairlead/submission/fork_mark.hpp"
#include "retired_references.hpp"

namespace fairlead::python {

namespace py = pybind11;

/// Runs what takes the GIL or runs Python code. CPython up to 3.13 ends a daemon thread that wants the
/// GIL of an interpreter that is being finalised, and what it uses for that ends the process where it
/// meets a destructor. Here the thread sleeps to the end of the process, as from 3.14 on.
/// The C++ library catches such an end with a reference to nothing.
template <class Call>
[[gnu::no_sanitize("null")]] decltype(auto) outliving_interpreter(Call&& call) {
    try {
        return std::forward<Call>(call)();
    } catch (const abi::__forced_unwind&) {
        while (true) {
            std::this_thread::sleep_for(std::chrono::hours{1});
        }
    }
}

/// Gives up the GIL for a scope.
class gil_released {
  public:
    gil_released() noexcept : thread_{PyEval_SaveThread()} {}
    gil_released(const gil_released&) = delete;
    gil_released& operator=(const gil_released&) = delete;
    ~gil_released() {
        outliving_interpreter([this] { PyEval_RestoreThread(thread_); });
    }

  private:
    PyThreadState* thread_;
};

/// Lets native threads into the interpreter until it begins to shut down.
///
/// A thread that asks for the GIL of an interpreter that is being finalised is killed by CPython,
/// which in C++ ends the process. So an atexit hook closes the gate and waits for those inside.
class interpreter_gate {
  public:
    static bool enter() noexcept {
        inside_.fetch_add(1);
        if (closed_.load()) {
            inside_.fetch_sub(1);
            return false;
        }
        return true;
    }
    static void leave() noexcept { inside_.fetch_sub(1); }

    /// Call with the GIL held. A forked child lacks the threads that were inside.
    static void close() {
        closed_.store(true);
        const gil_released others_may_finish;
        while (inside_.load() != 0 && !made_.is_stale()) {
            std::this_thread::yield();
        }
    }

  private:
    static inline std::atomic<bool> closed_{false};
    static inline std::atomic<int> inside_{0};
    static inline const fairlead::detail::fork_mark made_;
};

/// Holds the GIL for a scope, unless the interpreter is shutting down.
class gil_if_alive {
  public:
    gil_if_alive() : has_gil_already_{Py_IsInitialized() != 0 && PyGILState_Check() == 1} {
        if (!has_gil_already_ && interpreter_gate::enter()) {
            state_ = PyGILState_Ensure();
            entered_ = true;
        }
    }
    gil_if_alive(const gil_if_alive&) = delete;
    gil_if_alive& operator=(const gil_if_alive&) = delete;
    ~gil_if_alive() {
        if (entered_) {
            PyGILState_Release(state_);
            interpreter_gate::leave();
        }
    }
    explicit operator bool() const noexcept { return has_gil_already_ || entered_; }

  private:
    bool has_gil_already_;
    bool entered_ = false;
    PyGILState_STATE state_{};
};

/// A reference to a Python object that may be copied and dropped by any thread. Dropping it in a
/// driver's callback leaves the object to a thread that has the GIL. When the interpreter is gone
/// the reference is left to the end of the process.
class shared_object {
  public:
    shared_object() = default;
    explicit shared_object(py::object object) noexcept : object_{object.release().ptr()} {}
    shared_object(const shared_object& other) : object_{other.object_} {
        if (object_ != nullptr) {
            if (const gil_if_alive gil; gil) {
                Py_INCREF(object_);
            }
        }
    }
    shared_object(shared_object&& other) noexcept
        : object_{std::exchange(other.object_, nullptr)} {}
    shared_object& operator=(shared_object other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~shared_object() {
        if (object_ == nullptr) {
            return;
        }
        if (driver_callback_scope::is_entered()) {
            retired_references::instance().add(object_);
        } else if (const gil_if_alive gil; gil) {
            Py_DECREF(object_);
        }
    }

    /// GIL held.
    [[nodiscard]] py::object get() const { return py::reinterpret_borrow<py::object>(object_); }
    [[nodiscard]] PyObject* ptr() const noexcept { return object_; }
    /// The reference, which is the caller's now.
    [[nodiscard]] PyObject* release() noexcept { return std::exchange(object_, nullptr); }

  private:
    PyObject* object_ = nullptr;
};

}  // namespace fairlead::python
