// SPDX-License-Identifier: Apache-2.0
// Holds the GIL and Python objects on threads that Python did not start, also while it shuts down.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <thread>
#include <utility>

#include "ended_interpreter.hpp"
#include "nested_release.hpp"
#include "pointsman/binding/base.hpp"
#include "retired_references.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// Lets native threads into the interpreter until it begins to shut down.
///
/// When a thread asks for the GIL of an interpreter that is being finalised, CPython ends the thread or
/// lets it sleep for ever (`forced_unwinding.cpp`). An atexit hook therefore closes the gate and waits
/// until the threads inside have left.
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

    /// Called by the thread that will end the interpreter.
    static void close() noexcept {
        closed_by_.store(std::this_thread::get_id());
        closed_.store(true);
    }
    /// Returns true if no thread is inside. A forked child lacks the threads that were inside.
    [[nodiscard]] static bool is_empty() noexcept {
        return inside_.load() == 0 || made_.is_stale();
    }

    /// Returns only if this thread may take the GIL. Once the interpreter has ended, even a thread that
    /// Python started may not: its thread state is gone.
    static void sleep_if_ended() noexcept {
        if (has_interpreter_ended() && closed_by_.load() != std::this_thread::get_id())
            [[unlikely]] {
            sleep_for_ever();
        }
    }

  private:
    static inline std::atomic<bool> closed_{false};
    static inline std::atomic<std::thread::id> closed_by_{};
    static inline std::atomic<int> inside_{0};
    static inline const binding::fork_mark made_;
};

/// Releases the GIL for a scope.
class gil_released {
  public:
    gil_released() noexcept : thread_{PyEval_SaveThread()} {}
    gil_released(const gil_released&) = delete;
    gil_released& operator=(const gil_released&) = delete;
    ~gil_released() {
        interpreter_gate::sleep_if_ended();
        PyEval_RestoreThread(thread_);
    }

  private:
    PyThreadState* thread_;
};

/// Holds the GIL for a scope, on a user's thread; the engine's own threads use `gil_if_alive`.
class gil_acquired {
    struct entrance {
        entrance() noexcept { interpreter_gate::sleep_if_ended(); }
    };
    entrance entrance_;
    py::gil_scoped_acquire gil_;
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

/// A reference to a Python object that any thread may copy and drop. If it is dropped in a driver's
/// callback, a thread that has the GIL releases the object later. Once the interpreter is gone, the
/// object is never released.
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
            release_in_turn(object_);
        }
    }

    /// GIL held.
    [[nodiscard]] py::object get() const { return py::reinterpret_borrow<py::object>(object_); }
    [[nodiscard]] PyObject* ptr() const noexcept { return object_; }
    /// Transfers the reference to the caller.
    [[nodiscard]] PyObject* release() noexcept { return std::exchange(object_, nullptr); }

  private:
    PyObject* object_ = nullptr;
};

}  // namespace pointsman::python
