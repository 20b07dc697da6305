// SPDX-License-Identifier: Apache-2.0
// References to Python objects that threads of a driver leave behind, since they never wait for the
// GIL.
#pragma once

#include <Python.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace pointsman::python {

/// Takes references from threads that must not wait for the GIL, and releases them later: the
/// main thread when it next runs Python code, or whoever calls `collect`. A driver may hold locks
/// of its own while it calls back, and a thread with the GIL may be waiting for those.
/// References that are left when the interpreter shuts down are kept to the end of the process.
class retired_references {
  public:
    static retired_references& instance() {
        static retired_references* const only = new retired_references;
        return *only;
    }

    /// Takes `reference` over. From any thread, with or without the GIL.
    void add(PyObject* reference) noexcept {
        if (note(reference) && Py_AddPendingCall(&collect_pending, nullptr) != 0) {
            std::lock_guard lock{mutex_};
            is_scheduled_ = false;  // the queue of such calls is full: the next one tries again
        }
    }

    /// Lets go of what was left so far. GIL held.
    void collect() {
        if (!is_any_.load(std::memory_order_relaxed)) {
            return;
        }
        std::vector<PyObject*> left;
        {
            std::lock_guard lock{mutex_};
            left.swap(references_);
            is_any_.store(false, std::memory_order_relaxed);
        }
        for (PyObject* reference : left) {
            Py_DECREF(reference);
        }
    }

    /// The interpreter is about to shut down. GIL held.
    void close() {
        collect();
        std::lock_guard lock{mutex_};
        is_closed_ = true;
    }

  private:
    /// Returns true if the main thread has to be notified. Nothing of Python's is called under the lock.
    bool note(PyObject* reference) noexcept {
        std::lock_guard lock{mutex_};
        if (is_closed_) {
            return false;
        }
        try {
            references_.push_back(reference);
        } catch (const std::exception&) {
            return false;  // one object stays, for want of memory to note it
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
