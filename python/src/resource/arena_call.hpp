// SPDX-License-Identifier: Apache-2.0
// A call of a Python function that runs on an arena.
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

/// `f(*args, **kwargs)` as work of an arena: state, arguments and result are one allocation. A thread
/// of the arena takes the GIL once for all calls that follow each other.
/// **Thread safety**: any thread; what is marked so needs the GIL.
class arena_call final : public binding::arena_work {
  public:
    using ref = binding::ref<arena_call>;

    /// Called once, before the first call. GIL held.
    static void prepare();

    /// Starts the call, which was asked for at `begin`. GIL held.
    /// **Throws**: `forked_process`; `std::bad_alloc`.
    [[nodiscard]] static ref start(const arena& where, PyObject* f,
                                   const passed_arguments& arguments, clock::time_point begin);

    /// Blocks until the call is complete; the calling thread may run it. **Thread safety**: without GIL.
    void wait();
    /// Runs the call on this thread where the arena has room and it has not begun. GIL held.
    /// **Throws**: `py::error_already_set` with the KeyboardInterrupt that ended the call here.
    void help();
    /// The gate that opens when the call is complete, one for all who wait at it. GIL held.
    [[nodiscard]] binding::ref<gate> end();
    /// Drops a call that has not begun; asks one that runs to stop. GIL held.
    bool cancel();
    /// A new reference to the value; null with the exception of the call set. Call it when the work is
    /// over. GIL held.
    [[nodiscard]] PyObject* result() noexcept;

    /// Shows the garbage collector the outcome, where so many references to this are left. GIL held.
    int traverse(std::size_t references, visitproc visit, void* arg) const;

    /// Whether KeyboardInterrupt has ended a call on this thread since the last question.
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

    /// Room for so many arguments behind the object.
    struct room {
        std::size_t arguments;
    };
    static void* operator new(std::size_t size, room behind) {
        return ::operator new(size + (behind.arguments + 1) * sizeof(PyObject*));
    }
    static void operator delete(void* memory, room) noexcept { ::operator delete(memory); }

    /// The place before the first argument, which the interpreter may use.
    [[nodiscard]] PyObject** places() noexcept { return reinterpret_cast<PyObject**>(this + 1); }
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
