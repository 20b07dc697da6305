// SPDX-License-Identifier: Apache-2.0
// Finds out how a Python object's completion is seen, and asks it.
#include "submission/returned_object.hpp"

#include <exception>

#include "fairlead/submission/watched_work.hpp"

namespace fairlead::python {
namespace {

bool has(const py::handle& object, const char* method) {
    return PyObject_HasAttrString(object.ptr(), method) == 1;
}

bool is_plain(PyObject* object) noexcept {
    return object == Py_None || PyBool_Check(object) || PyLong_CheckExact(object) ||
           PyFloat_CheckExact(object) || PyUnicode_CheckExact(object) ||
           PyBytes_CheckExact(object) || PyTuple_CheckExact(object) || PyList_CheckExact(object) ||
           PyDict_CheckExact(object) || PyType_Check(object);
}

/// The first method of an object that blocks until its work is over.
const char* blocking_method(const py::handle& object) {
    for (const char* name : {"wait", "synchronize", "result"}) {
        if (has(object, name)) {
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

/// Asks finished work how it ended; whatever it raises counts as a failure.
bool ended_well(const py::handle& work) noexcept {
    try {
        if (has(work, "cancelled") && is_true(work.attr("cancelled")())) {
            return false;
        }
        if (has(work, "exception")) {
            return work.attr("exception")().is_none();
        }
        if (has(work, "result")) {
            work.attr("result")();
        }
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

returned_object::returned_object(py::object value) : value_{std::move(value)} {
    if (is_plain(value_.ptr())) {
        return;
    }
    find_native();
    const py::object object = value_.get();
    if (native_ != nullptr || (has(object, "add_done_callback") && has(object, "result"))) {
        rung_ = waitable_rung::calls_back;
    } else if (has(object, "done") && blocking_method(object) != nullptr) {
        rung_ = waitable_rung::polled;
    } else if (blocking_method(object) != nullptr) {
        rung_ = waitable_rung::waited;
    }
}

void returned_object::find_native() {
    const py::handle type{reinterpret_cast<PyObject*>(Py_TYPE(value_.ptr()))};
    if (!has(type, native_waitable_attribute)) {
        return;
    }
    const py::object capsule = type.attr(native_waitable_attribute);
    native_ = static_cast<const native_waitable*>(
        PyCapsule_GetPointer(capsule.ptr(), native_waitable_name));
    if (native_ == nullptr) {
        throw py::error_already_set{};
    }
    handle_ = {native_->acquire(value_.ptr()), native_->release};
}

void returned_object::wait() const {
    if (native_ != nullptr) {
        native_->wait(handle_.get());
        return;
    }
    const py::gil_scoped_acquire gil;
    const py::object object = value_.get();
    try {
        object.attr(blocking_method(object))();
    } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_Exception)) {  // KeyboardInterrupt is not the work's
            throw detail::interrupted_wait{std::current_exception()};
        }
        throw;
    }
}

bool returned_object::is_ready() const {
    if (native_ != nullptr) {
        return native_->is_ready(handle_.get());
    }
    const gil_if_alive gil;
    return gil && is_true(value_.get().attr("done")());
}

void returned_object::on_completion(completion_callback callback) const {
    if (native_ != nullptr) {
        native_->on_completion(handle_.get(), callback);
        return;
    }
    const py::gil_scoped_acquire gil;
    value_.get().attr("add_done_callback")(py::cpp_function{[callback](const py::object& future) {
        const auto now = clock::now();
        callback({.end = now, .succeeded = ended_well(future), .exact = true});
    }});
}

completion returned_object::outcome() const noexcept {
    if (native_ != nullptr) {
        return native_->outcome(handle_.get());
    }
    completion end = completion::noticed_now();
    if (rung_ == waitable_rung::calls_back || rung_ == waitable_rung::polled) {
        if (const gil_if_alive gil; gil) {
            end.succeeded = ended_well(value_.get());
        }
    }
    return end;
}

py::object returned_object::result() const {
    const py::object object = value_.get();
    if (rung_ == waitable_rung::complete_at_return) {
        return object;
    }
    if (has(object, "result")) {
        return object.attr("result")();
    }
    if (native_ != nullptr && has(object, "wait")) {
        object.attr("wait")();
    }
    return object;
}

}  // namespace fairlead::python
