// SPDX-License-Identifier: Apache-2.0
// Keeps the host memory of Python objects alive while commands read or write it.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "gil.hpp"
#include "pending_call.hpp"
#include "pointsman/resource/opencl/event.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// The memory of a C-contiguous object with the buffer protocol, which can be neither freed nor moved
/// during the lifetime of this object. Made and destroyed with the GIL held.
class host_memory {
  public:
    enum class access : bool { read, write };

    /// **Throws**: the object's own exception when it is not contiguous, or not writable.
    host_memory(py::handle object, access wanted) {
        const int flags = PyBUF_C_CONTIGUOUS | (wanted == access::write ? PyBUF_WRITABLE : 0);
        if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) {
            throw py::error_already_set{};
        }
    }
    host_memory(const host_memory&) = delete;
    host_memory& operator=(const host_memory&) = delete;
    ~host_memory() { PyBuffer_Release(&view_); }

    [[nodiscard]] void* data() const noexcept { return view_.buf; }
    [[nodiscard]] std::size_t size_bytes() const noexcept {
        return static_cast<std::size_t>(view_.len);
    }

  private:
    Py_buffer view_{};
};

/// Releases host memory to Python when the command that uses it is complete. A thread of the driver
/// never waits for the GIL: it leaves the memory here. The main thread releases the memory when it next
/// takes the GIL, or the next thread that enqueues a transfer does. Memory that is left when the
/// interpreter shuts down stays allocated, since its command may still be running.
class retired_memory {
  public:
    using holder = std::list<host_memory>;  // has one element, spliced without allocation

    static retired_memory& instance() {
        static retired_memory* const only = new retired_memory;
        return *only;
    }

    /// Keeps `memory` until `work` is complete. GIL held.
    void keep(holder memory, const opencl::event& work) {
        collect();
        auto kept = std::make_unique<holder>(std::move(memory));
        const gil_released others_may_run;
        watch(work, kept.get());
        static_cast<void>(kept.release());  // on_complete owns it
    }

    /// Releases the memory of finished commands. GIL held.
    void collect() {
        holder finished;
        {
            std::lock_guard lock{mutex_};
            finished.swap(finished_);
            is_scheduled_ = false;
        }
    }

    /// Releases the memory of finished commands and retains the rest. Called before the interpreter shuts
    /// down.
    void close() {
        collect();
        std::lock_guard lock{mutex_};
        is_closed_ = true;
    }

  private:
    static void watch(const opencl::event& work, holder* memory) {
        try {
            work.on_completion({&on_complete, memory});
        } catch (...) {
            work.wait();  // without a callback, only a wait shows when the memory is unused
            throw;
        }
    }

    static void on_complete(void* context, const completion&) noexcept {
        instance().add(static_cast<holder*>(context));
    }

    void add(holder* memory) noexcept {
        if (note(memory) && !add_pending_call(&collect_pending)) {
            std::lock_guard lock{mutex_};
            is_scheduled_ =
                false;  // the queue of pending calls is full: the next call of add() tries again
        }
    }

    /// Returns true if the main thread has to be notified. Calls no Python function under the lock.
    bool note(holder* memory) noexcept {
        std::lock_guard lock{mutex_};
        if (is_closed_) {
            return false;  // no interpreter is left to free the memory
        }
        finished_.splice(finished_.end(), *memory);
        delete memory;
        return !std::exchange(is_scheduled_, true);
    }

    static int collect_pending(void*) {
        instance().collect();
        return 0;
    }

    std::mutex mutex_;
    holder finished_;
    bool is_scheduled_ = false;
    bool is_closed_ = false;
};

}  // namespace pointsman::python
