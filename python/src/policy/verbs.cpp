// SPDX-License-Identifier: Apache-2.0
// Adds the verbs that are written in Python to policies, and raises the timeout error of the others.
#include "policy/verbs.hpp"

namespace pointsman::python {
namespace {

/// Adds a method that calls the function of the same name in pointsman._verbs, with `self` first.
void add_python_verb(const py::object& cls, const char* name, const char* doc) {
    cls.attr(name) = py::cpp_function(
        [name](const py::object& self, const py::args& args, const py::kwargs& kwargs) {
            return py::module_::import("pointsman._verbs").attr(name)(self, *args, **kwargs);
        },
        py::name(name), py::is_method(cls), doc);
}

}  // namespace

void add_python_verbs(const py::object& cls) {
    add_python_verb(
        cls, "map",
        R"(map(self, func, /, *iterables, chunksize=None, ordered=True, timeout=None, in_flight=None, progress=False)
--

Run ``func`` on the items, on the policy's resources; return an iterator over the results.

The arguments are those of ``pointsman.map``.)");
    add_python_verb(cls, "submit_async", R"(submit_async(self, work, /, *args, **kwargs)
--

Return an awaitable that does what ``submit`` does; only the coroutine waits for a free resource.

For asyncio and Trio: ``submission = await policy.submit_async(work)``, ``result = await submission``.)");
    add_python_verb(cls, "run_async", R"(run_async(self, func, /, *args, **kwargs)
--

Return an awaitable that does what ``run`` does; only the coroutine waits for a free resource.

For asyncio and Trio: ``submission = await policy.run_async(func)``, ``result = await submission``.)");
    add_python_verb(
        cls, "map_async",
        R"(map_async(self, func, /, *iterables, chunksize=None, ordered=True, in_flight=None)
--

Run ``func`` on the items, on the policy's resources; return an asynchronous iterator over the results.

The arguments are those of ``pointsman.map_async``.)");
    add_python_verb(cls, "as_executor", R"(as_executor(self)
--

Return a ``concurrent.futures.Executor`` over the policy.

Functions submitted to it run as by ``run``. asyncio and dask accept it directly, joblib through
``pointsman.joblib_backend``.)");
    add_python_verb(
        cls, "with_options",
        R"(with_options(self, *, timeout=None, on_failure="raise", time_limit=None, max_outstanding=None, max_outstanding_per_resource=None)
--

Return a view of the policy whose submissions have limits, and survive failures.

timeout: seconds. A submission that finds no free resource within that time raises SubmitTimeoutError (a
TimeoutError). It bounds the search, not the work.
on_failure: what happens when work fails. ``"raise"``: its submission raises the exception.
``pointsman.Retry(times)``: it runs again, where the policy chooses. ``"fallback"``: it runs on another
healthy resource, until it has been tried on each. No work runs twice without one of these.
time_limit: seconds that the work may take once submitted, or ``pointsman.TimesExpected(factor)``. Work that
takes longer is asked to stop, and counts as a failure of its resource if it had begun. Its submission fails
with TimeLimitError (a TimeoutError); with another ``on_failure`` it runs again, and the first result counts.
max_outstanding: how many submissions of the view may be outstanding. ``submit`` waits for a place,
``try_submit`` returns None, ``submit_async`` suspends its coroutine.
max_outstanding_per_resource: how many runs of the view may be outstanding on each resource. If one is full,
the policy chooses among the others; if all that the work can use are full, the same happens as above.)");
}

void throw_submit_timeout() {
    // Made here, so that a Ctrl-C in its constructor is raised like any other exception.
    const py::object error = py::module_::import("pointsman.error").attr("SubmitTimeoutError")();
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    throw py::error_already_set{};
}

void warn_if_blocking(const deadline_t& deadline) {
    if (!deadline || *deadline > clock::now()) {
        py::module_::import("pointsman._search").attr("warn_if_blocking")();
    }
}

}  // namespace pointsman::python
