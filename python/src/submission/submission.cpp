// SPDX-License-Identifier: Apache-2.0
// The storage, the methods and the docstrings of the Python type Submission.
#include "submission/submission.hpp"

#include <structmember.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "generic_class.hpp"
#include "guarded.hpp"
#include "rooms.hpp"
#include "submission/adopted_waitables.hpp"
#include "submission/done_callback.hpp"
#include "submission/registered_waitables.hpp"
#include "submission/running_call.hpp"
#include "submission/wait.hpp"

namespace pointsman::python {
namespace {

/// Holds `plain`, the value of work that was complete at return, or else `watched`.
struct submission_object {
    PyObject_HEAD PyObject* weak_references;
    PyObject* resource;
    PyObject* policy;
    PyObject* plain;
    choice_record choice;
    union {
        watched_submission watched;
    };

    [[nodiscard]] bool is_over() const noexcept { return plain != nullptr || watched.is_over(); }
};

PyTypeObject* submission_type = nullptr;

/// Memory of freed submissions, reused for new ones. GIL held.
#ifndef Py_GIL_DISABLED
class free_list {
  public:
    [[nodiscard]] PyObject* take() noexcept {
        return size_ == 0 ? nullptr : PyObject_Init(free_[--size_], submission_type);
    }
    /// Refuses an object that the garbage collector has finalized: Python would never finalize the next
    /// submission in its memory.
    [[nodiscard]] bool keep(PyObject* object) noexcept {
        if (size_ == free_.size() || PyObject_GC_IsFinalized(object) != 0) {
            return false;
        }
        free_[size_++] = object;
        return true;
    }

  private:
    std::array<PyObject*, 256> free_{};
    std::size_t size_ = 0;
};
#else
struct free_list {
    [[nodiscard]] PyObject* take() noexcept { return nullptr; }
    [[nodiscard]] bool keep(PyObject*) noexcept { return false; }
};
#endif
free_list spare;

submission_object& as_submission(PyObject* self) noexcept {
    return *reinterpret_cast<submission_object*>(self);
}

bool may_be_in_a_cycle(const submission_object& s) noexcept {
    return s.plain == nullptr || s.choice.kept != nullptr || PyType_IS_GC(Py_TYPE(s.plain)) ||
           PyType_IS_GC(Py_TYPE(s.resource));
}

void free_now(PyObject* self) {
    auto& s = as_submission(self);
    if (s.weak_references != nullptr) {
        PyObject_ClearWeakRefs(self);
    }
    if (s.plain == nullptr) {
        s.watched.dropped();
        s.watched.pending().release_future();
        std::destroy_at(&s.watched);
    } else {
        Py_DECREF(s.plain);
    }
    Py_DECREF(s.resource);
    Py_DECREF(s.policy);
    Py_XDECREF(s.choice.kept);
    PyTypeObject* const type = Py_TYPE(self);
    if (!spare.keep(self)) {
        PyObject_GC_Del(self);
    }
    Py_DECREF(type);
}

/// Limits the recursion when a long chain of submissions, each of which owns the next, is freed.
void destroy(PyObject* self) {
    PyObject_GC_UnTrack(self);
    if (!may_be_in_a_cycle(as_submission(self))) [[likely]] {
        free_now(self);
        return;
    }
    Py_TRASHCAN_BEGIN(self, destroy);
    free_now(self);
    Py_TRASHCAN_END;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
    const auto& s = as_submission(self);
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(s.resource);
    Py_VISIT(s.policy);
    Py_VISIT(s.plain);
    Py_VISIT(s.choice.kept);
    return s.plain == nullptr ? s.watched.traverse(visit, arg) : 0;
}

/// Called by the garbage collector before it clears any object of a cycle, such as the failure to log. A
/// submission that is revived after that counts as dropped.
void finalize(PyObject* self) {
    auto& s = as_submission(self);
    if (s.plain == nullptr) {
        s.watched.dropped();
    }
}

/// Called after `finalize`.
int clear(PyObject* self) {
    auto& s = as_submission(self);
    PyObject* const resource = std::exchange(s.resource, Py_NewRef(Py_None));
    PyObject* const policy = std::exchange(s.policy, Py_NewRef(Py_None));
    s.choice.describe = nullptr;  // it needs the policy
    Py_CLEAR(s.choice.kept);
    if (s.plain != nullptr) {
        PyObject* const plain = std::exchange(s.plain, Py_NewRef(Py_None));
        Py_DECREF(plain);
    }
    Py_DECREF(resource);
    Py_DECREF(policy);
    return 0;
}

PyObject* wait(PyObject* self, PyObject* const* values, Py_ssize_t given, PyObject* keywords) {
    return guarded<&translate_error>([&] {
        PyObject* const timeout = timeout_argument("wait", values, given, keywords);
        auto& s = as_submission(self);
        const deadline_t deadline = to_deadline(timeout);
        const bool is_over = s.plain != nullptr || s.watched.wait(self, deadline);
        return Py_NewRef(is_over ? Py_True : Py_False);
    });
}

PyObject* result(PyObject* self, PyObject* const* values, Py_ssize_t given, PyObject* keywords) {
    auto& s = as_submission(self);
    if (s.plain != nullptr && given == 0 && keywords == nullptr) {
        return Py_NewRef(s.plain);
    }
    return guarded<&translate_error>([&] {
        PyObject* const timeout = timeout_argument("result", values, given, keywords);
        const deadline_t deadline = to_deadline(timeout);
        if (s.plain != nullptr) {
            return Py_NewRef(s.plain);
        }
        if (!s.watched.wait(self, deadline)) {
            throw_wait_timeout(timeout);
        }
        s.watched.looked_at();
        return s.watched.pending().result().release().ptr();
    });
}

PyObject* ignore_failure(PyObject* self, PyObject*) {
    if (auto& s = as_submission(self); s.plain == nullptr) {
        s.watched.looked_at();
    }
    return Py_NewRef(Py_None);
}

PyObject* failure(PyObject* self, PyObject*) {
    return guarded<&translate_error>([&] {
        auto& s = as_submission(self);
        const py::object found =
            s.is_over() && s.plain == nullptr ? s.watched.pending().failure() : py::object{};
        return found ? Py_NewRef(found.ptr()) : Py_NewRef(Py_None);
    });
}

PyObject* unwrap(PyObject* self, PyObject*) {
    return guarded<&translate_error>([&] {
        auto& s = as_submission(self);
        if (s.plain != nullptr) {
            return Py_NewRef(s.plain);
        }
        s.watched.looked_at();
        return s.watched.pending().value().release().ptr();
    });
}

PyObject* done(PyObject* self, PyObject*) {
    return guarded<&translate_error>([&] {
        auto& s = as_submission(self);
        return Py_NewRef(s.plain != nullptr || s.watched.is_ready() ? Py_True : Py_False);
    });
}

PyObject* cancel(PyObject* self, PyObject*) {
    return guarded<&translate_error>([&] {
        auto& s = as_submission(self);
        const bool dropped = !s.is_over() && s.watched.pending().cancel();
        return Py_NewRef(dropped ? Py_True : Py_False);
    });
}

PyObject* add_done_callback(PyObject* self, PyObject* callback) {
    return guarded<&translate_error>([&] {
        if (PyCallable_Check(callback) == 0) {
            throw py::type_error{"pass a callable, which will receive the submission"};
        }
        auto& s = as_submission(self);
        if (s.plain != nullptr) {
            done_callback::call(callback, self);
        } else {
            s.watched.ensure_waiter(self);
            done_callback::add(s.watched.pending(), callback, self);
        }
        return Py_NewRef(Py_None);
    });
}

PyObject* await(PyObject* self) {
    return guarded<&translate_error>([&] {
        return py::module_::import("pointsman._awaiting")
            .attr("wait_for")(py::handle{self})
            .release()
            .ptr();
    });
}

/// Returns "pending", "done", "failed" or "cancelled".
const char* state_of(submission_object& s) {
    if (s.plain != nullptr) {
        return "done";
    }
    return s.watched.is_ready() ? s.watched.pending().end_state() : "pending";
}

PyObject* state(PyObject* self, PyObject*) {
    return guarded<&translate_error>(
        [&] { return PyUnicode_FromString(state_of(as_submission(self))); });
}

PyObject* explain(PyObject* self, PyObject*) {
    return guarded<&translate_error>([&] {
        auto& s = as_submission(self);
        py::object known = py::none();
        if (s.choice.describe != nullptr) {
            known = py::reinterpret_steal<py::object>(s.choice.describe(s.policy, s.choice));
            if (!known) {
                throw py::error_already_set{};
            }
        }
        return py::module_::import("pointsman._explanation")
            .attr("explain")(py::handle{s.policy}, py::handle{s.resource}, known, state_of(s),
                             s.plain == nullptr ? s.watched.pending().choices() : py::tuple{})
            .release()
            .ptr();
    });
}

PyObject* help(PyObject* self, PyObject*) {
    return guarded<&translate_error>([&] {
        auto& s = as_submission(self);
        if (s.plain == nullptr && is_inside_arena_call) {
            s.watched.pending().help();
        }
        return Py_NewRef(Py_None);
    });
}

PyObject* repr(PyObject* self) {
    return guarded<&translate_error>([&] {
        auto& s = as_submission(self);
        return py::str("<Submission {} on {!r}>")
            .format(state_of(s), py::handle{s.resource})
            .release()
            .ptr();
    });
}

PyObject* html(PyObject* self, PyObject*) {
    return guarded<&translate_error>([&] {
        return py::module_::import("pointsman._tables")
            .attr("html_of_submission")(py::handle{self})
            .release()
            .ptr();
    });
}

PyObject* elapsed(PyObject* self, void*) {
    auto& s = as_submission(self);
    if (s.plain != nullptr || !s.watched.is_over()) {
        return Py_NewRef(Py_None);
    }
    const auto elapsed = s.watched.pending().elapsed();
    return elapsed < clock::duration::zero()
               ? Py_NewRef(Py_None)
               : PyFloat_FromDouble(std::chrono::duration<double>{elapsed}.count());
}

PyObject* resource(PyObject* self, void*) { return Py_NewRef(as_submission(self).resource); }

template <class Function>
PyCFunction as_method(Function* function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

constexpr int with_keywords = METH_FASTCALL | METH_KEYWORDS;

std::array<PyMethodDef, 15> methods{{
    {"wait", as_method(&wait), with_keywords, R"(wait($self, /, timeout=None)
--

Block until the work is complete; return False if it is not complete after ``timeout``.

timeout: seconds; None for no limit. The work's own error is raised by ``result()``. Ctrl-C ends the wait
but not the work, unless this thread runs it: without a timeout, the waiting thread may run a call on an
arena that has not begun, and KeyboardInterrupt is then raised in that call.)"},
    {"result", as_method(&result), with_keywords, R"(result($self, /, timeout=None)
--

Block until the work is complete and return its value.

The value is the ``result()`` of the returned object if it has one (a future), else the returned object
itself. Raises the error with which the work failed, and WaitTimeoutError (a TimeoutError) if the work is
not complete within ``timeout`` seconds.)"},
    {"unwrap", as_method(&unwrap), METH_NOARGS, R"(unwrap($self, /)
--

Return the object that the submitted callable returned.)"},
    {"done", as_method(&done), METH_NOARGS, R"(done($self, /)
--

Return True if the work is known to be complete. Never blocks.)"},
    {"cancel", as_method(&cancel), METH_NOARGS, R"(cancel($self, /)
--

Drop work that has not begun; return True if it was dropped.

``result()`` then raises CancelledError. Running work is asked to stop (``stop_requested()`` is true
in it), and its resource counts as busy until the work has stopped.)"},
    {"add_done_callback", as_method(&add_done_callback), METH_O,
     R"(add_done_callback($self, callback, /)
--

Call ``callback(submission)`` when the work is complete, at once if it is already.

It runs on the thread that noticed the completion. Its exceptions go to ``sys.unraisablehook``. For work
that has only a ``wait()``, a separate thread waits.)"},
    {"explain", as_method(&explain), METH_NOARGS, R"(explain($self, /)
--

Return an ``Explanation``: the candidates, their scores and states, and the reason for the choice.

Loads, times and scores are those at the time of the choice; the state of the work is current.)"},
    {"_repr_html_", as_method(&html), METH_NOARGS, R"(_repr_html_($self, /)
--

Return the submission as a table for Jupyter.)"},
    {"_state", as_method(&state), METH_NOARGS, R"(_state($self, /)
--

Return "pending", "done", "failed" or "cancelled".)"},
    {"_failure", as_method(&failure), METH_NOARGS, R"(_failure($self, /)
--

Return the exception of work that has failed, without raising it; else None.)"},
    {"_ignore_failure", as_method(&ignore_failure), METH_NOARGS, R"(_ignore_failure($self, /)
--

Do not log a failure of the work: another object reports it.)"},
    {"_help", as_method(&help), METH_NOARGS, R"(_help($self, /)
--

Run the work on this thread if it has not begun, when called inside an arena's function.)"},
    {},
}};

PyObject* attempts(PyObject* self, void*) {
    return guarded<&translate_error>([&] {
        return py::module_::import("pointsman._attempt")
            .attr("only_attempt")(py::handle{self})
            .release()
            .ptr();
    });
}

std::array<PyGetSetDef, 4> properties{{
    {"resource", &resource, nullptr, "The resource on which the policy placed the work.", nullptr},
    {"attempts", &attempts, nullptr,
     "The runs of the work as a list of ``Attempt``: one, unless ``with_options(on_failure=...)`` "
     "ran it "
     "again.",
     nullptr},
    {"elapsed", &elapsed, nullptr,
     "Seconds from the submission to the completion of the work; None while it is pending, and for "
     "work that was complete when the callable returned, which is not timed. For a call on an "
     "arena, excludes the time for which it waited for the interpreter before it began. A thread "
     "or process pool, or another object with ``submit``, does not report that time, which is then "
     "included.",
     nullptr},
    {},
}};

std::array<PyMemberDef, 2> members{{
    {"__weaklistoffset__", T_PYSSIZET, offsetof(submission_object, weak_references), READONLY,
     nullptr},
    {},
}};

void report_failures_of(submission_object& s, PyObject* callable) noexcept {
    try {
        s.watched.report_by(failure_watch::of(s.watched.pending(), callable, s.policy, s.resource));
    } catch (py::error_already_set& error) {
        failure_watch::discard(error);
    } catch (const std::exception&) {  // no memory: a failure is not reported
    }
}

template <class Pointer>
PyType_Slot slot(int id, Pointer value) {
    return {id, reinterpret_cast<void*>(value)};
}

void make_type(py::module_& m) {
    std::array slots{
        PyType_Slot{Py_tp_doc, const_cast<char*>(
                                   R"(A piece of work that a policy has placed on a resource.

Made by ``policy.submit`` and ``policy.run``. ``await submission`` gives its result under asyncio and Trio.
Dropping it does not affect the work. If work fails, and its submission is dropped without ``result()``,
``await`` or ``unwrap()``, the exception is logged by ``logging.getLogger("pointsman")``, now or when the
work fails. Cancelled work has not failed. May be used from any thread.

>>> submission = pm.RoundRobin([pm.Arena(1)]).run(pow, 2, 10)
>>> submission.result(timeout=60)
1024
>>> submission.done(), submission.resource
(True, Arena(concurrency=1)))")},
        slot(Py_tp_dealloc, &destroy),
        slot(Py_tp_traverse, &traverse),
        slot(Py_tp_clear, &clear),
        slot(Py_tp_repr, &repr),
        slot(Py_tp_methods, methods.data()),
        slot(Py_tp_getset, properties.data()),
        slot(Py_tp_members, members.data()),
        slot(Py_am_await, &await),
        PyType_Slot{0, nullptr},
    };
    PyType_Spec spec{"pointsman._core.Submission", static_cast<int>(sizeof(submission_object)), 0,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                     slots.data()};
    submission_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    if (submission_type == nullptr) {
        throw py::error_already_set{};
    }
    submission_type->tp_finalize = &finalize;  // as a slot it would be a public __del__()
    make_generic(reinterpret_cast<PyObject*>(submission_type));
    m.attr("Submission") = py::handle{reinterpret_cast<PyObject*>(submission_type)};
}

}  // namespace

PyObject* make_submission(submitted_work&& work, PyObject* callable, PyObject* resource,
                          PyObject* policy, const choice_record& choice) noexcept {
    PyObject* made = spare.take();
    if (made == nullptr) {
        made = reinterpret_cast<PyObject*>(PyObject_GC_New(submission_object, submission_type));
        if (made == nullptr) {
            Py_DECREF(resource);
            return nullptr;
        }
    }
    auto& s = as_submission(made);
    s.weak_references = nullptr;
    s.resource = resource;
    s.policy = Py_NewRef(policy);
    s.choice = choice;
    Py_XINCREF(choice.kept);
    if (work.is_complete_at_return()) {
        s.plain = work.returned().take();
    } else {
        s.plain = nullptr;
        std::construct_at(&s.watched, std::move(work));
        report_failures_of(s, callable);
    }
    if (may_be_in_a_cycle(s)) {
        PyObject_GC_Track(made);
    }
    return made;
}

PyObject* result_of(submitted_work& work, PyObject* resource) {
    if (work.is_complete_at_return()) {
        return work.returned().take();
    }
    watched_submission watched{std::move(work)};
    static_cast<void>(watched.wait(nullptr, std::nullopt));
    try {
        return watched.pending().result().release().ptr();
    } catch (const py::error_already_set& error) {
        if (const auto& record = watched.pending().record()) {
            record->raised(resource, error.value());
        }
        throw;
    }
}

void register_submission(py::module_& m) {
    make_type(m);

    m.def(
        "_checked_timeout",
        [](const py::object& timeout) {
            static_cast<void>(to_deadline(timeout.ptr()));
            return timeout;
        },
        py::arg("timeout"),
        "_checked_timeout(timeout)\n--\n\nReturn it, or raise the error of every wait.");
    m.def(
        "_adopt_waitable",
        [](const std::string& module, const std::string& type, const py::capsule& functions) {
            adopted_waitables::instance().adopt(
                module, type, static_cast<const native_waitable*>(functions.get_pointer()));
        },
        py::arg("module"), py::arg("type"), py::arg("functions"),
        "_adopt_waitable(module, type, functions)\n--\n\n"
        "Watch the objects of another package's class natively.");
    register_waitables(m);
}

}  // namespace pointsman::python
