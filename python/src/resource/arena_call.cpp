// SPDX-License-Identifier: Apache-2.0
// Runs Python functions on an arena's threads, which keep the GIL over consecutive calls.
#include "resource/arena_call.hpp"

#include <pybind11/eval.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "pointsman/binding/arena.hpp"
#include "pointsman/binding/base.hpp"
#include "submission/running_call.hpp"

namespace pointsman::python {
namespace {

/// Keeps the Python thread state of a native thread from its first call until the thread ends.
class kept_thread_state {
  public:
    kept_thread_state() = default;
    kept_thread_state(const kept_thread_state&) = delete;
    kept_thread_state& operator=(const kept_thread_state&) = delete;
    void keep() {
        if (!is_kept_) {
            kept_ = PyGILState_Ensure();
            PyEval_SaveThread();
            is_kept_ = true;
        }
    }
    ~kept_thread_state() {
        if (is_kept_ && interpreter_gate::enter()) {
            const auto state = PyGILState_Ensure();
            PyGILState_Release(state);
            PyEval_RestoreThread(PyGILState_GetThisThreadState());
            PyGILState_Release(kept_);
            interpreter_gate::leave();
        }
    }

  private:
    bool is_kept_ = false;
    PyGILState_STATE kept_{};
};

/// The GIL, held by a thread of an arena for several consecutive calls. The thread keeps its Python
/// thread state between them, since creating one costs more than a call.
class interpreter_lane final : public binding::arena_lane {
  public:
    token enter() noexcept override {
        if (Py_IsInitialized() != 0 && PyGILState_Check() == 1) {
            return held_already;
        }
        if (!interpreter_gate::enter()) {
            return refused;
        }
        const auto asked = clock::now();
        thread_state_.keep();
        state_ = PyGILState_Ensure();
        asked_ = asked;
        entered_ = clock::now();
        return taken;
    }
    void leave(token entered) noexcept override {
        if (entered == taken) {
            PyGILState_Release(state_);
            interpreter_gate::leave();
        }
    }
    /// Calls an empty Python function: the interpreter passes the GIL to a thread that has requested it
    /// when a function starts. Releasing the GIL here and taking it back would starve other threads: they
    /// wake too late each time, and a thread that wakes before its switch interval has passed makes no
    /// request.
    token share(token entered) noexcept override {
        if (entered != taken) {
            return entered;
        }
        if (!interpreter_gate::enter()) {
            leave(entered);
            return refused;
        }
        const auto asked = clock::now();
        Py_XDECREF(PyObject_CallNoArgs(empty_function));
        PyErr_Clear();
        asked_ = asked;
        entered_ = clock::now();
        interpreter_gate::leave();
        return taken;
    }
    /// GIL held, before the first call.
    static void prepare() { empty_function = py::eval("lambda: None").release().ptr(); }

    /// How long work submitted at `submitted` waited for the GIL on this thread.
    [[nodiscard]] static clock::duration waited_since(clock::time_point submitted) noexcept {
        return std::max(entered_ - std::max(submitted, asked_), clock::duration::zero());
    }

  private:
    enum : token { held_already, refused, taken };

    static inline PyObject* empty_function = nullptr;
    static inline thread_local kept_thread_state thread_state_;
    static inline thread_local PyGILState_STATE state_{};
    static inline thread_local clock::time_point asked_{};
    static inline thread_local clock::time_point entered_{};
};

interpreter_lane the_interpreter;
thread_local const arena_call* running = nullptr;
thread_local bool was_interrupted = false;

bool has_gil() noexcept { return Py_IsInitialized() != 0 && PyGILState_Check() == 1; }

arena_call& held(void* handle) { return *static_cast<arena_call*>(handle); }

}  // namespace

void arena_call::prepare() { interpreter_lane::prepare(); }

arena_call::ref arena_call::start(const arena& where, PyObject* f,
                                  const passed_arguments& arguments, clock::time_point begin) {
    const auto given = static_cast<std::size_t>(arguments.by_position + arguments.by_keyword());
    return where.start([&](const core_ref& core) {
        return ref::adopt(new (argument_space{given}) arena_call{core, f, arguments, begin});
    });
}

arena_call::arena_call(core_ref core, PyObject* f, const passed_arguments& arguments,
                       clock::time_point begin) noexcept
    : core_{std::move(core)},
      f_{Py_NewRef(f)},
      keywords_{Py_XNewRef(arguments.keywords)},
      by_position_{arguments.by_position},
      begin_{begin} {
    PyObject** const slot = slots();
    slot[0] = nullptr;
    for (Py_ssize_t i = 0; i < given(); ++i) {
        slot[i + 1] = Py_NewRef(arguments.values[i]);
    }
}

arena_call::~arena_call() {
    if (f_ == nullptr && value_ == nullptr && exception_ == nullptr) {
        return;
    }
    if (const gil_if_alive gil; gil) {
        release_arguments();
        release_in_turn(std::exchange(value_, nullptr));
        release_in_turn(std::exchange(exception_, nullptr));
    }
}

Py_ssize_t arena_call::given() const noexcept {
    return by_position_ + (keywords_ == nullptr ? 0 : PyTuple_GET_SIZE(keywords_));
}

binding::arena_lane* arena_call::lane() const noexcept { return &the_interpreter; }

void arena_call::call() noexcept {
    if (!has_gil()) {  // the interpreter was shutting down before the call began
        note_end(false);
        return;
    }
    const auto* const outer = std::exchange(running, this);
    is_inside_arena_call = true;
    value_ = PyObject_Vectorcall(
        f_, slots() + 1, static_cast<std::size_t>(by_position_) | PY_VECTORCALL_ARGUMENTS_OFFSET,
        keywords_);
    running = outer;
    is_inside_arena_call = outer != nullptr;
    note_end(value_ != nullptr, interpreter_lane::waited_since(begin_));
    if (value_ == nullptr) {
        keep_exception();
        was_interrupted = was_interrupted ||
                          PyErr_GivenExceptionMatches(exception_, PyExc_KeyboardInterrupt) != 0;
    }
    release_arguments();
}

void arena_call::drop() noexcept {
    note_end(false);
    if (has_gil()) {
        release_arguments();
    }
}

void arena_call::keep_exception() noexcept {
#if PY_VERSION_HEX >= 0x030C0000
    exception_ = PyErr_GetRaisedException();
#else
    PyObject* type = nullptr;
    PyObject* traceback = nullptr;
    PyErr_Fetch(&type, &exception_, &traceback);
    PyErr_NormalizeException(&type, &exception_, &traceback);
    if (traceback != nullptr) {
        PyException_SetTraceback(exception_, traceback);
    }
    Py_XDECREF(type);
    Py_XDECREF(traceback);
#endif
}

void arena_call::release_arguments() noexcept {
    const Py_ssize_t given = f_ == nullptr ? 0 : this->given();
    for (Py_ssize_t i = 1; i <= given; ++i) {
        Py_CLEAR(slots()[i]);
    }
    Py_CLEAR(keywords_);
    Py_CLEAR(f_);
}

void arena_call::help() {
    const bool was_ready = is_ready();
    core_->help(*this);
    if (take_interrupt() && !was_ready && is_ready() && exception_ != nullptr) {
        static_cast<void>(result());
        throw py::error_already_set{};
    }
}

void arena_call::wait() { core_->await(*this); }

binding::ref<gate> arena_call::end() {
    const std::lock_guard lock{mutex_};
    if (!end_) {
        end_ = binding::make_ref<gate>();
        end_->add_ref();  // owned by the callback
        on_completion({.invoke =
                           [](void* opened, const completion&) noexcept {
                               static_cast<gate*>(opened)->open();
                               static_cast<gate*>(opened)->release();
                           },
                       .context = end_.get()});
    }
    return end_;
}

bool arena_call::cancel() {
    if (core_->cancel(*this)) {
        return true;
    }
    stop_asked_.store(true, std::memory_order_relaxed);
    return false;
}

bool arena_call::take_interrupt() noexcept { return std::exchange(was_interrupted, false); }

bool arena_call::is_asked_to_stop() noexcept {
    return running != nullptr && running->stop_asked_.load(std::memory_order_relaxed);
}

PyObject* arena_call::result() noexcept {
    if (value_ != nullptr) {
        return Py_NewRef(value_);
    }
    if (exception_ != nullptr) {
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception_)), exception_);
        return nullptr;
    }
    try {
        const py::object error = py::module_::import("pointsman.error").attr("WorkCancelledError");
        PyErr_SetString(error.ptr(), work_cancelled{}.what());
    } catch (py::error_already_set& e) {
        e.restore();
    }
    return nullptr;
}

int arena_call::traverse(std::size_t references, visitproc visit, void* arg) const {
    if (is_ready() && has_references(references)) {
        Py_VISIT(value_);
        Py_VISIT(exception_);
    }
    return 0;
}

const native_waitable arena_call::functions{
    .acquire = [](PyObject* object) -> void* {
        return ref{py::handle{object}.cast<const ref&>()}.detach();
    },
    .release = [](void* handle) noexcept { held(handle).release(); },
    .on_completion = [](void* handle,
                        completion_callback told) { held(handle).on_completion(told); },
    .is_ready = [](void* handle) { return held(handle).is_ready(); },
    .wait = [](void* handle) { held(handle).wait(); },
    .outcome = [](void* handle) noexcept { return held(handle).outcome(); },
    .result = [](void* handle) noexcept { return held(handle).result(); },
    .object_of = [](void* handle) noexcept -> PyObject* {
        try {
            return py::cast(ref::share(&held(handle))).release().ptr();
        } catch (py::error_already_set& e) {
            e.restore();
        } catch (const std::exception& e) {
            PyErr_SetString(PyExc_RuntimeError, e.what());
        }
        return nullptr;
    },
    .cancel = [](void* handle) noexcept { return held(handle).cancel(); },
    .traverse = [](void* handle, std::size_t references, visitproc visit,
                   void* arg) { return held(handle).traverse(references, visit, arg); },
    .help = [](void* handle) { held(handle).help(); },
};

}  // namespace pointsman::python
