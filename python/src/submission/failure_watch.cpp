// SPDX-License-Identifier: Apache-2.0
// Finds the exception of failed work and the name of its function, and hands them to Python.
#include "submission/failure_watch.hpp"

#include <exception>
#include <mutex>
#include <utility>

#include "callable_name.hpp"
#include "submission/messenger.hpp"

namespace pointsman::python {
namespace {

/// Returns the name of a callable, so as not to keep the callable alive, which may own much memory; or
/// the function of a module, which is not copied to the heap and whose name is found more slowly.
py::object name_or_function(PyObject* callable) {
    const auto given = py::reinterpret_borrow<py::object>(callable);
    if (PyCFunction_CheckExact(callable)) {
        PyObject* const self = PyCFunction_GET_SELF(callable);
        if (self == nullptr || PyModule_Check(self)) {
            return given;
        }
    }
    return qualified_name_of(given);
}

}  // namespace

void failure_watch::discard(py::error_already_set& error) noexcept {
    if (error.matches(PyExc_KeyboardInterrupt)) {
        PyErr_SetInterrupt();
    } else {
        error.discard_as_unraisable("pointsman._failures");
    }
}

binding::ref<failure_watch> failure_watch::of(pending_work& work, PyObject* callable,
                                              PyObject* policy, PyObject* resource) {
    auto made =
        binding::ref<failure_watch>::adopt(new failure_watch{work, callable, policy, resource});
    made->add_ref();  // owned by the list
    if (!work.listeners().add(*made)) {
        on_end(made.get());
    }
    return made;
}

failure_watch::failure_watch(pending_work& work, PyObject* callable, PyObject* policy,
                             PyObject* resource)
    : end_listener{&on_end},
      work_{work},
      policy_{policy},
      resource_{resource},
      counted_in_{work.record()},
      function_{name_or_function(callable)} {
    if (work.native() != nullptr && work.native()->called_by_driver) {
        returned_ = shared_object{work.value()};
    }
}

void failure_watch::on_end(end_listener* self) noexcept {
    const auto mine = binding::ref<failure_watch>::adopt(static_cast<failure_watch*>(self));
    if (mine->work_.has_succeeded()) {
        mine->state_.fetch_or(has_succeeded);
        return;
    }
    try {
        if (driver_callback_scope::is_entered()) {
            messenger::instance().prepare();
            mine->notify = &on_end_noticed_by_driver;
            mine->add_ref();  // owned by the messenger
            messenger::instance().send(*mine);
        } else if (const gil_if_alive gil; gil) {
            mine->failed_with(mine->work_.failure());
        }
    } catch (const std::exception&) {  // no thread can be started: the failure is not reported
    }
}

void failure_watch::on_end_noticed_by_driver(end_listener* self) noexcept {
    const gil_if_alive gil;
    if (!gil) {
        return;  // leaked: the interpreter shuts down
    }
    const auto mine = binding::ref<failure_watch>::adopt(static_cast<failure_watch*>(self));
    try {
        mine->failed_with(pending_work{mine->returned_.get()}.failure());
    } catch (py::error_already_set& error) {
        discard(error);
    }
}

void failure_watch::failed_with(const py::object& error) {
    if (!error || has_interpreter_ended() ||
        PyErr_GivenExceptionMatches(error.ptr(), PyExc_KeyboardInterrupt) != 0) {
        return;  // Ctrl-C is raised in the thread that ran the work
    }
    const py::error_scope keeps_current_error;
    try {
        set_record(record_of(error));
    } catch (py::error_already_set& raised) {
        discard(raised);
        return;
    }
    const auto before = state_.fetch_or(has_failed);
    if ((before & is_looked_at) != 0) {
        set_record({});
    } else if ((before & is_dropped) != 0) {
        log();
    }
}

py::object failure_watch::record_of(const py::object& error) {
    py::object placement;
    {
        const std::lock_guard lock{mutex_};
        placement = policy_ == nullptr ? placement_.get()
                                       : py::make_tuple(py::handle{policy_}, py::handle{resource_});
    }
    if (counted_in_) {
        counted_in_->raised(py::object{placement[py::int_{1}]}.ptr(), error);
    }
    const py::object function = function_.get();
    return py::module_::import("pointsman._failures")
        .attr("note")(*placement,
                      PyUnicode_Check(function.ptr()) ? function : qualified_name_of(function),
                      error);
}

void failure_watch::looked_at() noexcept {
    if ((state_.fetch_or(is_looked_at) & has_failed) != 0) {
        set_record({});
    }
}

void failure_watch::dropped() noexcept {
    const bool is_settled = (state_.load() & (has_succeeded | has_failed)) != 0;
    keep_placement(!is_settled);
    if ((state_.fetch_or(is_dropped) & (is_dropped | has_failed | is_looked_at)) == has_failed) {
        log();
    }
}

/// Forgets the references that the submission owns. If they may be needed, keeps the resource, and the
/// policy by a weak reference: work in flight does not keep its policy alive.
void failure_watch::keep_placement(bool may_be_needed) noexcept {
    py::object placement;
    if (may_be_needed && policy_ != nullptr) {
        try {
            placement = py::make_tuple(py::weakref{policy_}, py::handle{resource_});
        } catch (py::error_already_set& error) {
            discard(error);
        }
    }
    const std::lock_guard lock{mutex_};
    if (placement) {
        placement_ = shared_object{placement};
    }
    policy_ = nullptr;
    resource_ = nullptr;
}

void failure_watch::log() const noexcept {
    if (has_interpreter_ended()) {
        return;
    }
    const py::error_scope keeps_current_error;
    try {
        if (const py::object kept = record()) {
            kept.attr("log")();
        }
    } catch (py::error_already_set& error) {
        discard(error);
    }
}

void failure_watch::set_record(py::object record) noexcept {
    shared_object other{std::move(record)};
    const std::lock_guard lock{mutex_};
    std::swap(record_, other);  // the old value is destroyed after the unlock
}

py::object failure_watch::record() const {
    const std::lock_guard lock{mutex_};
    return record_.get();
}

int failure_watch::traverse(visitproc visit, void* arg) const {
    if (has_references(1)) {
        Py_VISIT(returned_.ptr());
        Py_VISIT(placement_.ptr());
        Py_VISIT(record_.ptr());
    }
    return 0;
}

}  // namespace pointsman::python
