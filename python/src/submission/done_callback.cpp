// SPDX-License-Identifier: Apache-2.0
// Calls done callbacks; for a driver's thread, which must not wait for the GIL, on another thread.
#include "submission/done_callback.hpp"

#include <memory>

#include "submission/messenger.hpp"

namespace pointsman::python {

void done_callback::add(pending_work& work, PyObject* callback, PyObject* submission) {
    if (work.native() != nullptr && work.native()->called_by_driver) {
        messenger::instance().prepare();
    }
    std::unique_ptr<done_callback> made{new done_callback{callback, submission}};
    if (work.listeners().add(*made)) {
        static_cast<void>(made.release());  // `on_end` takes ownership
    } else {
        call(callback, submission);
    }
}

void done_callback::call(PyObject* callback, PyObject* submission) noexcept {
    if (PyObject* const returned = PyObject_CallOneArg(callback, submission)) {
        Py_DECREF(returned);
    } else {
        PyErr_WriteUnraisable(callback);
    }
}

void done_callback::on_end(end_listener* self) noexcept {
    auto* const mine = static_cast<done_callback*>(self);
    if (driver_callback_scope::is_entered()) {
        messenger::instance().send(*mine);
    } else {
        run(mine);
    }
}

void done_callback::run(done_callback* self) noexcept {
    if (const gil_if_alive gil; gil) {
        call(self->callback_.ptr(), self->submission_.ptr());
        delete self;
    }  // else leaked: the interpreter shuts down
}

}  // namespace pointsman::python
