// SPDX-License-Identifier: Apache-2.0
// The verbs that every policy has. Those on the hot path are called by CPython directly: pybind11's
// argument conversion would take longer than the rest of the call.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <utility>

#include "backend/task.hpp"
#include "gil.hpp"
#include "guarded.hpp"
#include "instance.hpp"
#include "native_method.hpp"
#include "pointsman/dynamic_selection.hpp"
#include "policy/describe_choice.hpp"
#include "policy/python_selection.hpp"
#include "rooms.hpp"
#include "submission/interruptible.hpp"
#include "submission/submission.hpp"

namespace pointsman::python {

/// True for a policy whose `choose` may be empty, so that `submit` may have to wait.
template <class Policy>
inline constexpr bool may_wait_v =
    !std::same_as<typename Policy::state_type::choice,
                  decltype(std::declval<typename Policy::state_type&>().choose(
                      std::size_t{}, std::declval<const python_task&>()))>;

/// **Throws**: `py::error_already_set`, with SubmitTimeoutError.
[[noreturn]] void throw_submit_timeout();
/// Issues a BlockingSelectionWarning if this thread runs an event loop and has to wait for a free resource,
/// until `deadline`. GIL held. **Throws**: the warning, if Python's filters make it an error.
void warn_if_blocking(const deadline_t& deadline);

/// Submits as soon as a resource is free, until `deadline`. Waits without the GIL; a signal handler
/// that raises ends the wait.
template <class Policy>
submitted_work submit_when_free(Policy& p, const python_task& task, const deadline_t& deadline) {
    warn_if_blocking(deadline);
    std::optional<submitted_work> made;
    const bool found = wait_interruptibly(deadline, [&](clock::duration pause) {
        try {
            made.emplace(p.submit(submit_options{.timeout = pause}, task_without_gil{task}));
            return true;
        } catch (const submit_timeout&) {
            return false;
        }
    });
    if (!found) {
        throw_submit_timeout();
    }
    return std::move(*made);
}

/// Submits `task`; waits until `deadline` if the policy may have no free resource. GIL held.
template <class Policy>
submitted_work submit_task(Policy& p, const python_task& task, const deadline_t& deadline) {
    retired_references::instance().collect();
    if constexpr (may_wait_v<Policy>) {
        if (auto submission = p.try_submit(task)) {
            return std::move(*submission);
        }
        return submit_when_free(p, task, deadline);
    } else {
        return p.submit(task);
    }
}

/// Calls `use(policy, task)` for a verb whose first argument is a callable.
template <class Policy, class Use>
PyObject* with_task(PyObject* self, task_verb verb, const passed_arguments& passed, Use&& use) {
    return guarded<&translate_error>([&] {
        if (passed.by_position < 1) [[unlikely]] {
            throw py::type_error{verb == task_verb::call
                                     ? "pass a callable, which will receive the chosen resource"
                                     : "pass a callable, which the chosen resource will run"};
        }
        python_task task{verb, passed, self};
        task.choice().describe = &describe_choice<Policy>;
        return use(value_in<Policy>(self), task);
    });
}

inline PyObject* to_python(submitted_work&& work, const python_task& task, PyObject* policy) {
    return make_submission(std::move(work), task.callable(), task.take_chosen(), policy,
                           task.choice());
}

template <class Policy, task_verb Verb>
PyObject* submit_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                        PyObject* keywords) {
    return with_task<Policy>(self, Verb, {values, given, keywords},
                             [self](Policy& p, const auto& task) {
                                 return to_python(submit_task(p, task, {}), task, self);
                             });
}

template <class Policy, task_verb Verb>
PyObject* try_submit_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                            PyObject* keywords) {
    return with_task<Policy>(
        self, Verb, {values, given, keywords}, [self](Policy& p, const auto& task) {
            retired_references::instance().collect();
            auto submission = p.try_submit(task);
            return submission ? to_python(std::move(*submission), task, self) : Py_NewRef(Py_None);
        });
}

template <class Policy>
PyObject* submit_and_wait_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                                 PyObject* keywords) {
    return with_task<Policy>(self, task_verb::call, {values, given, keywords},
                             [](Policy& p, const auto& task) {
                                 auto work = submit_task(p, task, {});
                                 return result_of(work, task.chosen());
                             });
}

/// `_submit_excluding(excluded, timeout, work, ...)` and `_run_excluding(excluded, timeout, work, ...)`:
/// the task does not use the resources in the tuple `excluded`. Returns a `Submission`, or, if the work itself
/// raised, a tuple of the resource and the exception.
template <class Policy, task_verb Verb>
PyObject* submit_excluding_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                                  PyObject* keywords) {
    return with_task<Policy>(
        self, Verb, {values + 2, given - 2, keywords}, [&](Policy& p, auto& task) {
            task.exclude(values[0]);
            try {
                return to_python(submit_task(p, task, to_deadline(values[1])), task, self);
            } catch (const py::error_already_set& error) {
                if (task.chosen() == nullptr) {
                    throw;
                }
                return py::make_tuple(py::handle{task.chosen()}, error.value()).release().ptr();
            }
        });
}

/// `_submit_within(timeout, work, ...)` and `_run_within(timeout, work, ...)`.
template <class Policy, task_verb Verb>
PyObject* submit_within_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                               PyObject* keywords) {
    return with_task<Policy>(
        self, Verb, {values + 1, given - 1, keywords}, [&](Policy& p, const auto& task) {
            return to_python(submit_task(p, task, to_deadline(values[0])), task, self);
        });
}

/// Returns a `Selection`; calls `find_deadline` once.
template <class Policy, class FindDeadline>
PyObject* select_for(PyObject* self, const passed_arguments& passed, FindDeadline&& find_deadline) {
    return guarded<&translate_error>([&] {
        auto& p = value_in<Policy>(self);
        constexpr bool looks_at_task = requires { p.estimates(known_task{}); };
        if (looks_at_task && passed.by_position < 1) {
            throw py::type_error{
                "pass the task, a callable and its arguments: the policy looks at it"};
        }
        PyObject* const none = Py_None;
        const passed_arguments no_task{&none, 1, nullptr};
        const python_task task{task_verb::call, passed.by_position < 1 ? no_task : passed, self};
        const deadline_t deadline = find_deadline();
        std::optional<typename Policy::selection_type> found;
        if constexpr (may_wait_v<Policy>) {
            const auto select_within = [&](clock::duration pause, const auto& asked) {
                try {
                    found.emplace(p.select(submit_options{.timeout = pause}, asked));
                    return true;
                } catch (const submit_timeout&) {
                    return false;
                }
            };
            if (!select_within(clock::duration::zero(), task)) {
                warn_if_blocking(deadline);
                const bool in_time = wait_interruptibly(deadline, [&](clock::duration pause) {
                    return select_within(pause, task_without_gil{task});
                });
                if (!in_time) {
                    throw_submit_timeout();
                }
            }
        } else {
            found.emplace(p.select(task));
        }
        if constexpr (records_choices<typename Policy::state_type>) {
            if (found->choice().timed()) {
                task.name_kind();
            }
        }
        return py::cast(python_selection{py::reinterpret_borrow<py::object>(self),
                                         std::make_unique<selection_by<Policy>>(std::move(*found),
                                                                                task.choice())})
            .release()
            .ptr();
    });
}

template <class Policy>
PyObject* select_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                        PyObject* keywords) {
    return select_for<Policy>(self, {values, given, keywords}, [] { return deadline_t{}; });
}

/// `_select_within(timeout, *task)`.
template <class Policy>
PyObject* select_within_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                               PyObject* keywords) {
    return select_for<Policy>(self, {values + 1, given - 1, keywords},
                              [&] { return to_deadline(values[0]); });
}

/// Adds to a class the verbs that are written in Python; see `pointsman/_verbs.py`.
void add_python_verbs(const py::object& cls);

template <class Policy>
void add_verbs(const py::object& cls) {
    add_method(cls, "submit", &submit_method<Policy, task_verb::call>,
               R"(submit($self, work, /, *args, **kwargs)
--

Call ``work(resource, *args, **kwargs)`` in this thread, with the resource that the policy chooses.

Returns a ``Submission`` and does not wait for the object that ``work`` returned. So ``work`` should start
its work and return an object that completes later, such as an OpenCL event. An exception of ``work``
itself is raised here, and the resource's load is reduced again. If the returned object fails, and nobody
has asked for its result when the submission is dropped, its exception is logged.)");
    add_method(cls, "try_submit", &try_submit_method<Policy, task_verb::call>,
               R"(try_submit($self, work, /, *args, **kwargs)
--

Like ``submit``, but return ``None`` if no resource is free.)");
    add_method(cls, "submit_and_wait", &submit_and_wait_method<Policy>,
               R"(submit_and_wait($self, work, /, *args, **kwargs)
--

Submit, wait, and return the result, as ``submit(...).result()`` does.)");
    add_method(cls, "run", &submit_method<Policy, task_verb::run>,
               R"(run($self, func, /, *args, **kwargs)
--

Run ``func(*args, **kwargs)`` on the resource that the policy chooses; return a ``Submission``.

Resources that run functions are arenas, any ``concurrent.futures.Executor``, and objects with ``run``
or else ``submit``. Other resources are skipped; raises UnsuitableResourcesError (a TypeError) if no
resource runs functions. ``result()`` raises the exception of ``func``.)");
    add_method(cls, "select", &select_method<Policy>, R"(select($self, /, *task)
--

Return the ``Selection`` of a resource for ``task``, a callable and its arguments.

For code that manages its own submission. The selection counts as load until its work is submitted and
complete, a completion is reported, or it is dropped. ``AutoTune`` and ``EarliestFinish`` need the task;
other policies ignore it.)");
    add_method(cls, "_try_run", &try_submit_method<Policy, task_verb::run>,
               R"(_try_run($self, func, /, *args, **kwargs)
--

Like ``run``, but return ``None`` if no resource is free.)");
    add_method(cls, "_submit_within", &submit_within_method<Policy, task_verb::call>,
               R"(_submit_within($self, timeout, work, /, *args, **kwargs)
--

Like ``submit``; raise SubmitTimeoutError if no resource is free within ``timeout`` seconds.)");
    add_method(cls, "_run_within", &submit_within_method<Policy, task_verb::run>,
               R"(_run_within($self, timeout, func, /, *args, **kwargs)
--

Like ``run``; raise SubmitTimeoutError if no resource is free within ``timeout`` seconds.)");
    add_method(cls, "_submit_excluding", &submit_excluding_method<Policy, task_verb::call>,
               R"(_submit_excluding($self, excluded, timeout, work, /, *args, **kwargs)
--

Like ``_submit_within``, on none of the resources in the tuple ``excluded``.

If ``work`` itself raises, return the resource and the exception as a tuple.)");
    add_method(cls, "_run_excluding", &submit_excluding_method<Policy, task_verb::run>,
               R"(_run_excluding($self, excluded, timeout, func, /, *args, **kwargs)
--

Like ``_run_within``, on none of the resources in the tuple ``excluded``.

If the resource does not take ``func``, return the resource and the exception as a tuple.)");
    add_method(cls, "_select_within", &select_within_method<Policy>,
               R"(_select_within($self, timeout, /, *task)
--

Like ``select``; raise SubmitTimeoutError if no resource is free within ``timeout`` seconds.)");
    add_python_verbs(cls);
}

}  // namespace pointsman::python
