// SPDX-License-Identifier: Apache-2.0
// Chooses how to wait for a submission: with its own wait, at a gate, or by polling.
#include "submission/wait.hpp"

#include <exception>
#include <mutex>

#include "pointsman/binding/base.hpp"
#include "pointsman/binding/submission.hpp"
#include "pointsman/trace/wait_scope.hpp"

namespace pointsman::python {
namespace {

/// Calls `function()` on a new thread, for which the process does not wait at exit. GIL held.
void start_thread(const py::object& function) {
    // threading.Thread.start() may raise KeyboardInterrupt although the thread has been started.
    py::module_::import("_thread").attr("start_new_thread")(function, py::tuple{});
}

}  // namespace

bool watched_submission::is_ready() {
    if (is_over()) {
        return true;
    }
    const gil_released others_may_run;
    return work_.is_ready();
}

bool watched_submission::wait(PyObject* submission, const deadline_t& deadline) {
    if (is_over()) {
        return true;
    }
    const trace::wait_scope waiting{work_.traced_task()};
    pending_work& pending = this->pending();
    const native_waitable* const native = pending.native();
    if (native != nullptr && native->called_by_driver) {
        return wait_for_driver(deadline);
    }
    if (native == nullptr && !deadline) {
        wait_on_work();
        return true;
    }
    if (!deadline) {
        pending.help();
    }
    while (!is_over()) {
        ensure_waiter(submission);
        if (!wait_at_gate(deadline)) {
            return false;
        }
    }
    return true;
}

void watched_submission::wait_on_work() {
    try {
        const gil_released others_may_run;
        work_.wait();
    } catch (const binding::interrupted_wait& interrupted) {
        std::rethrow_exception(interrupted.cause);
    } catch (const py::error_already_set&) {
        if (!is_ready()) {  // an error of the wait, not of the work
            pending().forget_failure();
            throw;
        }
    }
}

binding::ref<gate> watched_submission::shared_gate() {
    const std::lock_guard lock{mutex_};
    if (!gate_) {
        gate_ = gate::at_end_of(pending().listeners());
    }
    return gate_;
}

bool watched_submission::wait_at_gate(const deadline_t& deadline) {
    const auto here = shared_gate();
    return wait_interruptibly(
        deadline, [&](clock::duration pause) { return here->wait_for(pause) || lacks_waiter(); });
}

/// Polls: a driver's callback may come late.
bool watched_submission::wait_for_driver(const deadline_t& deadline) {
    if (!wait_by_asking(deadline, [&] { return pending().is_ready(); })) {
        return false;
    }
    const gil_released others_may_run;
    work_.wait();
    return true;
}

bool watched_submission::lacks_waiter() const noexcept {
    return pending().rung() == waitable_rung::waited && !has_waiter_.load();
}

void watched_submission::ensure_waiter(PyObject* submission) {
    if (pending().rung() != waitable_rung::waited || has_waiter_.exchange(true)) {
        return;
    }
    try {
        const auto kept = py::reinterpret_borrow<py::object>(submission);
        start_thread(py::cpp_function{[this, kept] {
            const uninterrupted_wait errors_belong_to_the_work;
            wait_on_work();
        }});
    } catch (...) {
        has_waiter_.store(false);
        throw;
    }
}

bool wait_for_group(const default_submission_group& group, const deadline_t& deadline) {
    if (group.keeps_work()) {
        const auto done = binding::make_ref<gate>();
        start_thread(py::cpp_function{[group, done] {
            {
                const gil_released others_may_run;
                group.wait();
            }
            done->open();
        }});
        return wait_interruptibly(deadline,
                                  [&](clock::duration pause) { return done->wait_for(pause); });
    }
    auto waiting = group.begin_wait();
    return wait_interruptibly(deadline,
                              [&](clock::duration pause) { return waiting.wait_for(pause); });
}

}  // namespace pointsman::python
