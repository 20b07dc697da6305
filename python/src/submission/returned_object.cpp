// SPDX-License-Identifier: Apache-2.0
// Determines the completion kind of a Python object from its methods, and calls these methods.
#include "submission/returned_object.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>

#include "has_attribute.hpp"
#include "kept_object.hpp"
#include "pointsman/binding/submission.hpp"
#include "pointsman/error.hpp"
#include "submission/adopted_waitables.hpp"
#include "submission/end_notifier.hpp"
#include "submission/registered_waitables.hpp"

namespace pointsman::python {
namespace {

constinit kept_object waitable_attribute{
    [] { return PyUnicode_InternFromString(native_waitable_attribute); }};
constinit kept_object choices_attribute{
    [] { return PyUnicode_InternFromString("__pointsman_choices__"); }};
constinit kept_object time_attribute{
    [] { return PyUnicode_InternFromString("__pointsman_time__"); }};

/// Returns the type's attribute `name`; null if there is none.
py::object attribute_of(PyTypeObject* type, PyObject* name) {
#ifdef Py_GIL_DISABLED
    return py::reinterpret_steal<py::object>(_PyType_LookupRef(type, name));
#else
    return py::reinterpret_borrow<py::object>(_PyType_Lookup(type, name));
#endif
}

/// Returns the functions in the type's `__pointsman_waitable__`; null if it has no such attribute.
const native_waitable* published_by(PyTypeObject* type) {
    const py::object capsule = attribute_of(type, waitable_attribute.get());
    if (!capsule) {
        return nullptr;
    }
    const auto* const found = static_cast<const native_waitable*>(
        PyCapsule_GetPointer(capsule.ptr(), native_waitable_name));
    if (found == nullptr) {
        throw py::error_already_set{};
    }
    return found;
}

/// Returns the object's method that blocks until its work is complete; null if there is none.
const char* blocking_method(const py::handle& object) {
    for (const char* name : {"wait", "synchronize", "result"}) {
        if (has_method(object, name)) {
            return name;
        }
    }
    return nullptr;
}

bool is_true(const py::object& value) {
    const int truth = PyObject_IsTrue(value.ptr());
    if (truth < 0) {
        throw py::error_already_set{};
    }
    return truth == 1;
}

bool is_cancelled(const py::handle& work) {
    return has_method(work, "cancelled") && is_true(work.attr("cancelled")());
}

/// Returns true if `work` is finished and `error` is its exception. An exception of its methods means false.
bool ended_with(const py::handle& work, const py::handle& error) noexcept {
    try {
        return has_method(work, "done") && is_true(work.attr("done")()) && !is_cancelled(work) &&
               has_method(work, "exception") && work.attr("exception")().is(error);
    } catch (const std::exception&) {
        return false;
    }
}

/// Returns true if finished work ended without an error. An exception of its methods counts as one.
bool ended_well(const py::handle& work) noexcept {
    try {
        if (is_cancelled(work)) {
            return false;
        }
        if (has_method(work, "exception")) {
            return work.attr("exception")().is_none();
        }
        if (has_method(work, "result")) {
            work.attr("result")();
        }
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

/// Returns the future's `__pointsman_time__`, the seconds that its work took where it ran; empty if the type
/// has none, or the time is not known.
std::optional<clock::duration> own_time_of(const py::object& future) noexcept {
    try {
        if (!attribute_of(Py_TYPE(future.ptr()), time_attribute.get())) {
            return std::nullopt;
        }
        const py::object seconds = future.attr("__pointsman_time__");
        if (seconds.is_none()) {
            return std::nullopt;
        }
        return std::chrono::duration_cast<clock::duration>(
            std::chrono::duration<double>{seconds.cast<double>()});
    } catch (const std::exception&) {  // not known either
        return std::nullopt;
    }
}

bool is_cancellation(const py::error_already_set& error) {
    return error.matches(py::module_::import("concurrent.futures").attr("CancelledError"));
}

/// Returns `future.result()`. A cancelled future of concurrent.futures raises WorkCancelledError, like a
/// cancelled call on an arena.
py::object result_of_future(const py::object& future) {
    try {
        return future.attr("result")();
    } catch (py::error_already_set& error) {
        const py::object cancelled =
            py::module_::import("pointsman.error").attr("WorkCancelledError");
        if (is_cancellation(error) && !error.matches(cancelled)) {
            py::raise_from(error, cancelled.ptr(), work_cancelled{}.what());
            throw py::error_already_set{};
        }
        throw;
    }
}

/// Returns true if `object` is exactly a concurrent.futures.Future: dropping it does not affect its work.
bool is_future_of_python(PyObject* object) noexcept {
    const py::error_scope keeps_current_error;
    try {
        const py::object type = py::module_::import("concurrent.futures").attr("Future");
        return py::handle{reinterpret_cast<PyObject*>(Py_TYPE(object))}.is(type);
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

bool returned_object::is_plain_type(PyTypeObject* type) noexcept {
    return type == &PyBool_Type || type == &PyUnicode_Type || type == &PyBytes_Type ||
           type == &PyTuple_Type || type == &PyList_Type || type == &PyDict_Type;
}

void returned_object::look_at(py::object value) {
    const py::object kept = value;
    auto pending = std::make_unique<pending_work>(std::move(value));
    if (pending->rung() == waitable_rung::complete_at_return) {
        held_ = of(Py_NewRef(kept.ptr()));
    } else {
        held_ = of(pending.release());
    }
}

void returned_object::drop() noexcept {
    if (pending_work* const work = pending()) {
        held_ = 0;
        work->release();
    } else if (const gil_if_alive gil; gil) {
        Py_DECREF(take());
    }
}

pending_work::pending_work(py::object value) : value_{std::move(value)} {
    find_native();
    if (native_ == nullptr) {
        stand_in_ = shared_object{stand_in_for(value_.get())};
    }
    const py::object object = watched_object();
    if (native_ != nullptr ||
        (has_method(object, "add_done_callback") && has_method(object, "result"))) {
        rung_ = waitable_rung::calls_back;
    } else if (has_method(object, "done") && blocking_method(object) != nullptr) {
        rung_ = waitable_rung::polled;
    } else if (blocking_method(object) != nullptr) {
        rung_ = waitable_rung::waited;
    }
}

py::object pending_work::watched_object() const {
    return stand_in_.ptr() == nullptr ? value_.get() : stand_in_.get();
}

void pending_work::find_native() {
    native_ = published_by(Py_TYPE(value_.ptr()));
    if (native_ == nullptr) {
        native_ = adopted_waitables::instance().find(value_.ptr());
    }
    if (native_ == nullptr) {
        return;
    }
    handle_ = native_->acquire(value_.ptr());
    if (handle_ == nullptr) {
        throw py::error_already_set{};
    }
}

void pending_work::wait() {
    if (native_ != nullptr) {
        native_->wait(handle_);
        return;
    }
    const gil_acquired gil;
    const py::object object = watched_object();
    try {
        object.attr(blocking_method(object))();
    } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_Exception) && !uninterrupted_wait::is_entered() &&
            !ended_with(object, error.value())) {
            // KeyboardInterrupt is no error of the work
            throw binding::interrupted_wait{std::current_exception()};
        }
        set_failure(shared_object{py::reinterpret_borrow<py::object>(error.value())});
        throw;
    }
}

bool pending_work::is_ready() {
    if (native_ != nullptr) {
        return native_->is_ready(handle_);
    }
    const gil_if_alive gil;
    return gil && is_true(watched_object().attr("done")());
}

void pending_work::on_completion(completion_callback callback) {
    if (native_ != nullptr && native_->called_by_driver) {
        callback_ = callback;
        native_->on_completion(handle_, {&called_by_driver, this, callback.wants_time});
        return;
    }
    if (native_ != nullptr) {
        native_->on_completion(handle_, callback);
        return;
    }
    const gil_acquired gil;
    const auto notifier = std::make_shared<end_notifier>(*this, callback);
    try {
        watched_object().attr("add_done_callback")(
            py::cpp_function{[this, notifier](const py::object& future) {
                const auto now = clock::now();
                if (notifier->is_awaited()) {
                    const bool succeeded = ended_well(future);
                    if (!succeeded) {
                        take_back(future);
                    }
                    notifier->notify({.end = now,
                                      .succeeded = succeeded,
                                      .exact = true,
                                      .own_time = own_time_of(future)});
                }
            }});
    } catch (...) {  // KeyboardInterrupt, for one
        notifier->withdraw();
        throw;
    }
    notifier->taken();
}

void pending_work::release_future() noexcept {
    if (native_ == nullptr && rung_ == waitable_rung::calls_back && !is_over() &&
        is_future_of_python(value_.ptr())) {
        const py::error_scope keeps_current_error;
        shared_object released{
            py::reinterpret_steal<py::object>(PyWeakref_NewRef(value_.ptr(), nullptr))};
        if (released.ptr() == nullptr) {
            PyErr_Clear();  // no memory: it cannot be cancelled any more
        }
        const std::lock_guard lock{mutex_};
        std::swap(released_, released);
        std::swap(value_, released);  // destroyed after the unlock
    }
}

void pending_work::take_back(const py::object& future) noexcept {
    const std::lock_guard lock{mutex_};
    if (value_.ptr() == nullptr) {
        value_ = shared_object{future};
    }
}

completion pending_work::end_without_callback() noexcept {
    const py::error_scope keeps_current_error;
    try {
        const py::object object = watched_object();
        if (object && has_method(object, "done") && is_true(object.attr("done")())) {
            return completion::noticed_now(ended_well(object));
        }
    } catch (const std::exception&) {  // counts as a failure
    }
    return completion::noticed_now(false);
}

void pending_work::called_by_driver(void* context, const completion& end) noexcept {
    const driver_callback_scope must_not_wait_for_the_gil;
    const completion_callback callback = static_cast<pending_work*>(context)->callback_;
    callback(end);  // which may destroy the object
}

void pending_work::lose_time() noexcept {
    if (std::exchange(is_timed_, false)) {
        record_->lost(timing_, begin_);
    }
}

void pending_work::note_end(const completion* end) noexcept {
    if (end != nullptr) {
        completion known = *end;
        known.end = std::max(known.end, begin_);  // which was converted from another clock
        elapsed_ = known.end - begin_;
        succeeded_ = known.succeeded;
        if (std::exchange(is_timed_, false)) {
            record_->ended(timing_, begin_, known, is_counted_);
        }
    } else {
        lose_time();
    }
}

void pending_work::ended() noexcept {
    leave();
    listeners_.close();
}

completion pending_work::outcome() noexcept {
    if (native_ != nullptr) {
        return native_->outcome(handle_);
    }
    completion end = completion::noticed_now();
    if (rung_ == waitable_rung::calls_back || rung_ == waitable_rung::polled) {
        if (const gil_if_alive gil; gil) {
            end.succeeded = ended_well(watched_object());
        }
    }
    return end;
}

py::object pending_work::value() {
    if (py::object known = locked(value_)) {
        return known;
    }
    PyObject* const made = native_->object_of(handle_);
    if (made == nullptr) {
        throw py::error_already_set{};
    }
    shared_object object{py::reinterpret_steal<py::object>(made)};
    const std::lock_guard lock{mutex_};
    if (value_.ptr() == nullptr) {  // else another thread has made one meanwhile
        std::swap(value_, object);
    }
    return value_.get();
}

py::object pending_work::choices() const {
    const py::object work = locked(value_);
    const bool has_choices = work && attribute_of(Py_TYPE(work.ptr()), choices_attribute.get());
    return has_choices ? py::object{work.attr("__pointsman_choices__")} : py::tuple{};
}

py::object pending_work::locked(const shared_object& member) const {
    const std::lock_guard lock{mutex_};
    return member.get();
}

void pending_work::set_failure(shared_object failure) {
    const std::lock_guard lock{mutex_};
    std::swap(failure_, failure);  // the old value is destroyed after the unlock
}

py::object pending_work::result() {
    if (native_ != nullptr && native_->result != nullptr) {
        PyObject* const found = native_->result(handle_);
        if (found == nullptr) {
            throw py::error_already_set{};
        }
        return py::reinterpret_steal<py::object>(found);
    }
    if (const py::object failure = locked(failure_)) {
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(failure.ptr())), failure.ptr());
        throw py::error_already_set{};
    }
    if (const py::object object = watched_object(); has_method(object, "result")) {
        return result_of_future(object);
    }
    if (native_ != nullptr && native_->raise_failure(handle_)) {
        throw py::error_already_set{};
    }
    return value_.get();
}

py::object pending_work::failure() {
    try {
        if (native_ == nullptr && failure_.ptr() == nullptr) {
            const py::object object = watched_object();
            const bool can_tell =
                object && (!has_method(object, "done") || is_true(object.attr("done")()));
            if (!can_tell || was_cancelled()) {
                return {};  // a future that will not call back would block for ever
            }
            if (has_method(object, "exception")) {
                py::object error = object.attr("exception")();
                return error.is_none() ? py::object{} : error;
            }
        }
        static_cast<void>(result());
    } catch (py::error_already_set& error) {
        if (error.trace()) {
            PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
        }
        return is_cancellation(error) ? py::object{}
                                      : py::reinterpret_borrow<py::object>(error.value());
    }
    return {};
}

const char* pending_work::end_state() {
    if (has_succeeded()) {
        return "done";
    }
    return was_cancelled() ? "cancelled" : "failed";
}

bool pending_work::was_cancelled() {
    if (native_ == nullptr) {
        return is_cancelled(watched_object());
    }
    if (native_->result == nullptr) {
        return false;
    }
    if (PyObject* const found = native_->result(handle_)) {
        Py_DECREF(found);
        return false;
    }
    return is_cancellation(py::error_already_set{});
}

int pending_work::traverse(visitproc visit, void* arg) const {
    Py_VISIT(value_.ptr());
    Py_VISIT(stand_in_.ptr());
    Py_VISIT(failure_.ptr());
    if (native_ != nullptr && native_->traverse != nullptr) {
        const bool owns_object = value_.ptr() != nullptr && Py_REFCNT(value_.ptr()) == 1;
        return native_->traverse(handle_, owns_object ? 2 : 1, visit, arg);
    }
    return 0;
}

bool pending_work::cancel() {
    if (native_ != nullptr && native_->cancel != nullptr) {
        return native_->cancel(handle_);
    }
    py::object object = watched_object();
    if (const py::object released = locked(released_); !object && released) {
        object = released();
    }
    return object && has_method(object, "cancel") && is_true(object.attr("cancel")());
}

}  // namespace pointsman::python
