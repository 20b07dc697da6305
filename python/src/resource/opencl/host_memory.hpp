// SPDX-License-Identifier: Apache-2.0
// Host memory of Python's that a running command reads or writes.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "gil.hpp"
#include "pointsman/resource/opencl/event.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// The memory of a C-contiguous object with the buffer protocol, which cannot go or move while
/// this lives. Made and destroyed with the GIL held.
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

/// Gives host memory back to Python when the command that uses it is complete. A thread of the driver
/// never waits for the GIL: it leaves the memory here, and the main thread when it next takes the
/// GIL, or the next thread that enqueues a transfer, releases it. Memory that is left when the
/// interpreter shuts down stays allocated, since the command may still be running.
class retired_memory {
  public:
    using holder = std::list<host_memory>;  // of one element, to be spliced without allocation

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
        static_cast<void>(kept.release());  // on_over owns it
    }

    /// Lets go of the memory of finished commands. GIL held.
    void collect() {
        holder over;
        {
            std::lock_guard lock{mutex_};
            over.swap(over_);
            is_scheduled_ = false;
        }
    }

    /// The interpreter is about to shut down.
    void close() {
        collect();
        std::lock_guard lock{mutex_};
        is_closed_ = true;
    }

  private:
    static void watch(const opencl::event& work, holder* memory) {
        try {
            work.on_completion({&on_over, memory});
        } catch (...) {
            work.wait();  // nobody would tell when the memory is free
            throw;
        }
    }

    static void on_over(void* context, const completion&) noexcept {
        instance().add(static_cast<holder*>(context));
    }

    void add(holder* memory) noexcept {
        if (note(memory) && Py_AddPendingCall(&collect_pending, nullptr) != 0) {
            std::lock_guard lock{mutex_};
            is_scheduled_ = false;  // the queue of such calls is full: the next one tries again
        }
    }

    /// Returns true if the main thread has to be notified. Nothing of Python's is called under the lock.
    bool note(holder* memory) noexcept {
        std::lock_guard lock{mutex_};
        if (is_closed_) {
            return false;  // there is no interpreter any more that could free it
        }
        over_.splice(over_.end(), *memory);
        delete memory;
        return !std::exchange(is_scheduled_, true);
    }

    static int collect_pending(void*) {
        instance().collect();
        return 0;
    }

    std::mutex mutex_;
    holder over_;
    bool is_scheduled_ = false;
    bool is_closed_ = false;
};

}  // namespace pointsman::python
