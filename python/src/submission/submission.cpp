// SPDX-License-Identifier: Apache-2.0
// Registers Submission and SubmissionGroup.
#include "submission/submission.hpp"

#include <exception>

#include "fairlead/submission/default_submission_group.hpp"
#include "gil.hpp"
#include "rooms.hpp"
#include "submission/adopted_waitables.hpp"
#include "submission/registered_waitables.hpp"

namespace fairlead::python {

void python_submission::wait() {
    try {
        const gil_released others_may_run;
        work_.wait();
    } catch (const detail::interrupted_wait& interrupted) {
        std::rethrow_exception(interrupted.cause);
    } catch (py::error_already_set& error) {
        if (!done()) {
            throw;  // of the wait, not of the work
        }
        failure_ = shared_object{py::reinterpret_borrow<py::object>(error.value())};
    }
}

bool python_submission::done() {
    const gil_released others_may_run;
    return work_.is_ready();
}

py::object python_submission::result() {
    wait();
    if (failure_.ptr() != nullptr) {
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(failure_.ptr())), failure_.ptr());
        throw py::error_already_set{};
    }
    return work_.unwrap().result();
}

void register_submission(py::module_& m) {
    py::class_<python_submission>(m, "Submission", R"(One piece of work that a policy has placed.

Made by ``policy.submit``. Dropping it changes nothing for the work. May be used from any thread.)")
        .def("wait", &python_submission::wait,
             "Block until the work is complete. The work's own error comes out of ``result()``.")
        .def("result", &python_submission::result,
             R"(Block until the work is complete and return its value.

The value is the returned object's ``result()`` where it has one (a future), else the returned
object itself. Raises the error with which the work failed.)")
        .def("unwrap", &python_submission::unwrap,
             "Return the very object that the submitted callable returned.")
        .def("done", &python_submission::done,
             "Return whether the work is known to be complete. Never blocks.")
        .def_property_readonly("resource", &python_submission::resource,
                               "The resource on which the policy placed the work.")
        .def("_repr_html_",
             [](const py::object& s) {
                 return py::module_::import("fairlead.tables").attr("html_of_submission")(s);
             })
        .def("__repr__", [](python_submission& s) {
            return py::str("<Submission {} on {!r}>")
                .format(s.done() ? "done" : "pending", s.resource());
        });

    py::class_<default_submission_group>(m, "SubmissionGroup",
                                         "All submissions of a policy so far.")
        .def("wait", &default_submission_group::wait, py::call_guard<gil_released>(),
             "Block until each of the policy's submissions is complete. Raises none of their "
             "errors.");

    m.def(
        "_adopt_waitable",
        [](const std::string& module, const std::string& type, const py::capsule& functions) {
            adopted_waitables::instance().adopt(
                module, type, static_cast<const native_waitable*>(functions.get_pointer()));
        },
        "Have objects of a class of another package watched natively.");
    register_waitables(m);
}

}  // namespace fairlead::python
