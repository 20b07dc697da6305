// SPDX-License-Identifier: Apache-2.0
// Releases the Python objects that a driver's threads drop: these threads must never wait for the GIL.
#pragma once

#include <Python.h>
#include <pthread.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "pending_call.hpp"

namespace pointsman::python {

/// Takes references from threads that must not wait for the GIL and releases them later: on the main
/// thread when it next runs Python code, or in `collect`. A driver may hold its own locks while it calls
/// back, and a thread that holds the GIL may be waiting for these locks.
/// References that are added once the interpreter shuts down are never released.
class retired_references {
  public:
    static retired_references& instance() {
        static retired_references* const only = with_fork_handlers(new retired_references);
        return *only;
    }

    /// Takes ownership of `reference`. Any thread, with or without the GIL.
    void add(PyObject* reference) noexcept {
        if (note(reference) && !add_pending_call(&collect_pending)) {
            std::lock_guard lock{mutex_};
            is_scheduled_ = false;  // the pending-call queue is full: the next `add` tries again
        }
    }

    /// Releases the references added so far. GIL held.
    void collect() {
        if (!is_any_.load(std::memory_order_relaxed)) {
            return;
        }
        std::vector<PyObject*> retired;
        {
            std::lock_guard lock{mutex_};
            retired.swap(references_);
            is_any_.store(false, std::memory_order_relaxed);
        }
        for (PyObject* reference : retired) {
            Py_DECREF(reference);
        }
    }

    /// Called before the interpreter shuts down: `add` takes no more references. GIL held.
    void close() {
        collect();
        std::lock_guard lock{mutex_};
        is_closed_ = true;
    }

  private:
    /// No thread holds the lock while the process forks: in the child it would stay locked.
    static retired_references* with_fork_handlers(retired_references* made) noexcept {
        const auto unlock = [] { instance().mutex_.unlock(); };
        static_cast<void>(pthread_atfork([] { instance().mutex_.lock(); }, unlock, unlock));
        return made;
    }

    /// Returns true if `collect_pending` has to be scheduled. Calls no Python API under the lock.
    bool note(PyObject* reference) noexcept {
        std::lock_guard lock{mutex_};
        if (is_closed_) {
            return false;
        }
        try {
            references_.push_back(reference);
        } catch (const std::exception&) {
            return false;  // no memory: this object is never released
        }
        is_any_.store(true, std::memory_order_relaxed);
        return !std::exchange(is_scheduled_, true);
    }

    static int collect_pending(void*) {
        {
            std::lock_guard lock{instance().mutex_};
            instance().is_scheduled_ = false;
        }
        instance().collect();
        return 0;
    }

    std::mutex mutex_;
    std::vector<PyObject*> references_;
    std::atomic<bool> is_any_{false};
    bool is_scheduled_ = false;
    bool is_closed_ = false;
};

/// Marks the calling thread, for a scope, as one that must not wait for the GIL.
class driver_callback_scope {
  public:
    driver_callback_scope() noexcept : outer_{std::exchange(is_entered_, true)} {}
    driver_callback_scope(const driver_callback_scope&) = delete;
    driver_callback_scope& operator=(const driver_callback_scope&) = delete;
    ~driver_callback_scope() { is_entered_ = outer_; }

    [[nodiscard]] static bool is_entered() noexcept { return is_entered_; }

  private:
    static inline thread_local bool is_entered_ = false;
    bool outer_;
};

}  // namespace pointsman::python
