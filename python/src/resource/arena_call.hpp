// SPDX-License-Identifier: Apache-2.0
// Python calls that an arena runs, with their cancellation, interruption and garbage collection.
#pragma once

#include <atomic>
#include <cstddef>

#include "gil.hpp"
#include "no_gil_mutex.hpp"
#include "passed_arguments.hpp"
#include "pointsman/binding/arena.hpp"
#include "pointsman/binding/base.hpp"
#include "pointsman/resource/arena.hpp"
#include "submission/listeners.hpp"
#include "submission/native_waitable.hpp"

namespace pointsman::python {

/// `f(*args, **kwargs)` as work of an arena: state, arguments and result share one allocation. A thread
/// of the arena takes the GIL once for several consecutive calls.
/// **Thread safety**: any thread; functions marked "GIL held" need the GIL.
class arena_call final : public binding::arena_work {
  public:
    using ref = binding::ref<arena_call>;

    /// Called once, before the first call. GIL held.
    static void prepare();

    /// Starts the call, which was requested at `begin`. GIL held.
    /// **Throws**: `forked_process`; `std::bad_alloc`.
    [[nodiscard]] static ref start(const arena& where, PyObject* f,
                                   const passed_arguments& arguments, clock::time_point begin);

    /// Blocks until the call is complete; the calling thread may run it. Called without the GIL.
    void wait();
    /// Runs the call on this thread if it has not begun and the arena has a free slot. GIL held.
    /// **Throws**: `py::error_already_set` with the KeyboardInterrupt that ended the call on this thread.
    void help();
    /// The gate that opens when the call is complete; shared by all waiters. GIL held.
    [[nodiscard]] binding::ref<gate> end();
    /// Drops a call that has not begun and returns true; asks a running call to stop. GIL held.
    bool cancel();
    /// A new reference to the value, or null with the call's exception set. Only valid once the call is
    /// complete. GIL held.
    [[nodiscard]] PyObject* result() noexcept;

    /// Visits the outcome for the garbage collector if exactly `references` references to this are left.
    /// GIL held.
    int traverse(std::size_t references, visitproc visit, void* arg) const;

    /// Returns true if KeyboardInterrupt has ended a call on this thread since the last query.
    [[nodiscard]] static bool take_interrupt() noexcept;
    /// Returns true if the call that runs on this thread was asked to stop.
    [[nodiscard]] static bool is_asked_to_stop() noexcept;

    [[nodiscard]] binding::arena_lane* lane() const noexcept override;
    void call() noexcept override;
    void drop() noexcept override;

    static const native_waitable functions;

    static void operator delete(void* memory) noexcept { ::operator delete(memory); }

  private:
    using core_ref = binding::ref<binding::arena_core>;

    arena_call(core_ref core, PyObject* f, const passed_arguments& arguments,
               clock::time_point begin) noexcept;
    ~arena_call() override;

    /// Space for the arguments behind the object.
    struct argument_space {
        std::size_t count;
    };
    static void* operator new(std::size_t size, argument_space arguments) {
        return ::operator new(size + (arguments.count + 1) * sizeof(PyObject*));
    }
    static void operator delete(void* memory, argument_space) noexcept {
        ::operator delete(memory);
    }

    /// The slot before the first argument, which the interpreter may use, followed by the arguments.
    [[nodiscard]] PyObject** slots() noexcept { return reinterpret_cast<PyObject**>(this + 1); }
    [[nodiscard]] Py_ssize_t given() const noexcept;
    void keep_exception() noexcept;
    void release_arguments() noexcept;

    core_ref core_;
    PyObject* f_;
    PyObject* keywords_;
    Py_ssize_t by_position_;
    PyObject* value_ = nullptr;
    PyObject* exception_ = nullptr;
    std::atomic<bool> stop_asked_{false};
    [[no_unique_address]] no_gil_mutex mutex_;  // of `end_`
    binding::ref<gate> end_;
    const clock::time_point begin_;
};

}  // namespace pointsman::python
