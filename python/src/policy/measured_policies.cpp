// SPDX-License-Identifier: Apache-2.0
// Registers AutoTune and EarliestFinish, the policies that measure their resources.
#include <pybind11/stl.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <tuple>

#include "guarded.hpp"
#include "instance.hpp"
#include "native_method.hpp"
#include "policy/register_policy.hpp"
#include "rooms.hpp"
#include "tuning/kind_names.hpp"

namespace pointsman::python {
namespace {

py::object to_seconds(const std::optional<std::chrono::nanoseconds>& time) {
    return time ? py::object{py::float_{std::chrono::duration<double>{*time}.count()}} : py::none();
}

/// `estimates(work, *args, **kwargs)`.
template <class Policy>
PyObject* estimates_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                           PyObject* keywords) {
    return guarded<&translate_error>([&] {
        if (given < 1) {
            throw py::type_error{"pass the task, a callable and its arguments"};
        }
        const passed_arguments passed{values, given, keywords};
        const python_task task{task_verb::call, passed};
        const auto current = value_in<Policy>(self).current();
        py::list resources;
        py::list seconds;
        for (const auto& resource : current->set->resources) {
            resources.append(resource.object.get());
        }
        for (const auto& time : current->set->state.estimates(task)) {
            seconds.append(to_seconds(time));
        }
        return py::module_::import("pointsman._measured")
            .attr("Estimates")(resources, seconds)
            .release()
            .ptr();
    });
}

/// Returns for each of the most used kinds its name, and for each resource how often it was timed and the
/// mean in seconds.
template <class Policy>
py::list measured_kinds(const Policy& policy, std::size_t most) {
    const auto current = policy.current();
    py::list kinds;
    for (const auto& kind : current->set->state.most_used_kinds(most)) {
        py::list timings;
        for (const auto& [count, mean] : kind.resources) {
            timings.append(py::make_tuple(count, to_seconds(mean)));
        }
        kinds.append(py::make_tuple(kind_names::instance().name_of(kind.key), timings));
    }
    return kinds;
}

template <class Policy>
void register_measured(py::module_& m, const char* name, const char* doc) {
    auto cls = register_with_options<Policy>(
        m, name,
        {{"resample_time", "0.0", "a number of seconds, 0 for never"},
         {"exact_times", "False", "True or False", true}},
        doc, [](const bound_arguments& given, const resources_t&) {
            return std::tuple{
                to_resample_time(given.get<double>(1, 0.0)),
                given.get<bool>(2, false) ? exact_times::required : exact_times::preferred};
        });
    add_method(cls, "estimates", &estimates_method<Policy>,
               R"(estimates($self, work, /, *args, **kwargs)
--

Return the expected seconds of a task on each resource, as a list with None where it was not measured.

A task that is passed to ``run`` is of the same kind as one that is passed to ``submit`` with the same
callable and arguments. Calls neither the task nor the policy's rule, and measures nothing. The list shows
as a table in Jupyter.

>>> policy = pm.AutoTune(["a", "b"])
>>> policy.estimates(sorted, [3, 1, 2])
[None, None])");
    cls.def(
        "_measured_kinds", &measured_kinds<Policy>, py::arg("most"),
        "_measured_kinds(self, most)\n--\n\nReturn the names and timings of the most used kinds of "
        "task.");
}

}  // namespace

void register_measured_policies(py::module_& m) {
    register_measured<over_objects<auto_tune_policy>>(
        m, "AutoTune",
        R"(Learns how long each kind of task takes on each resource, and uses the fastest.

resources: iterable of any objects; default ``pointsman.discover()``.
resample_time: seconds after which everything is measured again; 0 for never.
exact_times: leave out resources whose times are upper bounds, such as OpenCL queues without profiling
(``reports_exact_times``); by default they are used, but exact times count for more.

The first run of ``work`` on a resource is warm-up. What was measured for arrays of one size predicts
others, so a resource that is far too slow is not tried at each size. Changes are found without
``resample_time``: the other resources are measured again for 0.4 % of the work. A task is timed without
its wait behind other tasks. Where several tasks are outstanding, ``EarliestFinish`` uses the other resources too.

Two tasks are of the same kind if they agree in the code of ``work`` and of the functions that it
closes over (for a callable object, its type), and for each argument in the power of two of its size
(bytes of an array, length of a container, magnitude of an integer), or in its value if it is a bool or
an enum member.
Arguments bound by ``functools.partial``, default values and the object of a bound method count as
arguments; floats, the contents of strings and other values that ``work`` closes over do not count.
``pointsman.task`` overrides these rules.

>>> policy = pm.AutoTune([pm.Arena(1), pm.Arena(1)], resample_time=60)
>>> def total(arena, numbers):
...     return arena.run(sum, numbers)
>>> [policy.submit_and_wait(total, range(n)) for n in (10, 20, 30)]
[45, 190, 435])");
    register_measured<over_objects<earliest_finish_policy>>(
        m, "EarliestFinish", R"(Chooses the resource on which the task is expected to finish first.

resources: iterable of any objects; default ``pointsman.discover()``.
resample_time: seconds after which everything is measured again; 0 for never.
exact_times: leave out resources whose times are upper bounds, as for ``AutoTune``.

Learns what each kind of task costs on each resource as ``AutoTune`` does. Then adds the predicted cost
of the task to the predicted cost of all work outstanding on the same hardware (resources of the same
cores share it), and takes the smallest sum. Use it where several tasks are outstanding.

The first tasks of a new ``work`` are placed as results come in: ``submit`` waits, and ``try_submit``
returns None, while as many are outstanding as the resources run at a time and results have been seen;
for 0.1 s at most if nothing completes.

>>> policy = pm.EarliestFinish([pm.Arena(1), pm.Arena(1)])
>>> submissions = [policy.run(pow, x, 2) for x in range(4)]
>>> [submission.result() for submission in submissions]
[0, 1, 4, 9])");
}

}  // namespace pointsman::python
