// SPDX-License-Identifier: Apache-2.0
// Waits for a group and for the failures that drivers' threads have noticed; registers SubmissionGroup.
#include "submission/python_group.hpp"

#include <cstddef>
#include <optional>
#include <utility>

#include "rooms.hpp"
#include "submission/messenger.hpp"
#include "submission/outstanding_work.hpp"
#include "submission/wait.hpp"

namespace pointsman::python {

python_group python_group::of(const py::object& policy, default_submission_group group,
                              binding::ref<binding::submission_group_state> state) {
    return {std::move(group), std::move(state),
            py::module_::import("pointsman._failures").attr("of")(policy)};
}

bool python_group::wait(const deadline_t& deadline) const {
    return wait_for_group(group_, deadline);
}

bool python_group::wait_and_raise(const deadline_t& deadline) const {
    const py::cpp_function wait_for_all{[this, &deadline] {
        if (!wait(deadline)) {
            return false;
        }
        const auto told = messenger::instance().end_of_sent();
        return wait_interruptibly({}, [&](clock::duration pause) { return told->wait_for(pause); });
    }};
    return failures_.get().attr("raise_after")(wait_for_all).cast<bool>();
}

bool python_group::cancel() const {
    std::optional<py::error_already_set> raised;
    std::size_t found = 0;
    std::size_t dropped = 0;
    const auto count = [&](auto&& cancel_one) {
        ++found;
        try {
            dropped += cancel_one() ? 1 : 0;
        } catch (py::error_already_set& error) {
            raised = raised ? raised : std::optional{error};
        }
    };
    // Before its attempts, so that it does not run again.
    for (const py::handle each : py::list{failures_.get().attr("repeated_work")()}) {
        count([&] { return each.attr("cancel")().cast<bool>(); });
    }
    for (const auto& work : outstanding_work::instance().of(*state_)) {
        if (!work->is_over()) {
            count([&] { return work->cancel(); });
        }
    }
    if (raised) {
        throw *raised;
    }
    return found != 0 && dropped == found;
}

void register_submission_group(py::module_& m) {
    py::class_<python_group>(m, "SubmissionGroup",
                             R"(All submissions of a policy so far.

>>> policy = pm.RoundRobin([pm.Arena(1), pm.Arena(1)])
>>> submissions = [policy.run(pow, x, 2) for x in range(4)]
>>> policy.submission_group().wait(timeout=60)
True
>>> [submission.result() for submission in submissions]
[0, 1, 4, 9])")
        .def(
            "wait",
            [](const python_group& group, const py::object& timeout, bool raise_errors) {
                const deadline_t deadline = to_deadline(timeout.ptr());
                return raise_errors ? group.wait_and_raise(deadline) : group.wait(deadline);
            },
            py::arg("timeout") = py::none(), py::kw_only(), py::arg("raise_errors") = false,
            R"(wait(self, timeout=None, *, raise_errors=False)
--

Block until all of the policy's submissions are complete; return False after ``timeout``.

timeout: seconds; None for no limit.
raise_errors: when all are complete, raise what failed and was neither looked at nor raised by an earlier
wait: one exception as it is, several as a SeveralFailuresError. Of failures whose submissions were
dropped, and which were logged for that, the policy keeps the last 16. Cancelled work has not failed.)")
        .def("cancel", &python_group::cancel,
             R"(cancel(self)
--

Cancel all submissions of the policy that are not complete, as their ``cancel`` does; do not wait.

Drops work that has not begun, and asks running work to stop (``stop_requested()`` is true in it); failed work
does not run again. Return True if there was work, and all of it was dropped. Later submissions are not
affected.

>>> from concurrent.futures import Future
>>> policy = pm.RoundRobin(["a"])
>>> submission = policy.submit(lambda resource: Future())
>>> policy.submission_group().cancel()
True)")
        .def("_hold", &python_group::hold,
             "_hold(self)\n--\n\nReturn an object; waits for the group end after it is released.");

    py::class_<binding::group_hold>(m, "GroupHold",
                                    "Makes waits for a group wait until it is released.")
        .def("release", &binding::group_hold::release,
             "release(self)\n--\n\nRelease it; further calls have no effect.");
}

}  // namespace pointsman::python
