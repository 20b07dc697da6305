// SPDX-License-Identifier: Apache-2.0
// Registers AutoTune and EarliestFinish, the policies that measure their resources.
#include <pybind11/stl.h>

#include <cstddef>
#include <string>
#include <tuple>

#include "guarded.hpp"
#include "instance.hpp"
#include "native_method.hpp"
#include "policy/learnt.hpp"
#include "policy/measured_kinds.hpp"
#include "policy/register_policy.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

/// A policy that measures, and shares what it learns with a history if it has one.
template <template <class, class, class, class...> class Policy>
class measured_over_objects : public over_objects<Policy> {
  public:
    using over_objects<Policy>::over_objects;

    /// Joins the present resources with the history that was passed, or else with the one until now.
    void initialized(const bound_arguments& given) {
        constexpr std::size_t history = 3;
        if (!given.is_given(history) && link_.ptr() == nullptr) {
            return;
        }
        const auto current = this->current();
        py::list resources;
        for (const auto& resource : current->set->resources) {
            resources.append(resource.object.get());
        }
        const py::object linked =
            py::module_::import("pointsman._policy_history")
                .attr("linked")(given.get(history), link(), learnt_of(*this), resources);
        link_ = linked.is_none() ? shared_object{} : shared_object{linked};
    }
    /// The `pointsman._policy_history.Linked` of the policy, or None.
    [[nodiscard]] py::object link() const {
        return link_.ptr() == nullptr ? py::none() : link_.get();
    }

  private:
    shared_object link_;
};

/// `estimates(work, *args, **kwargs)`.
template <class Policy>
PyObject* estimates_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                           PyObject* keywords) {
    return guarded<&translate_error>([&] {
        if (given < 1) {
            throw py::type_error{"pass the task, a callable and its arguments"};
        }
        const passed_arguments passed{values, given, keywords};
        const python_task task{task_verb::call, passed, self};
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

learning_settings learning_of(const bound_arguments& given) {
    learning_settings learning{to_resample_time(given.get<double>(1, 0.0))};
    const auto mode = given.get<std::string>(4, "learning");
    if (mode != "learning" && mode != "frozen") {
        throw invalid_option{"mode is '" + mode + "': pass 'learning' or 'frozen'"};
    }
    learning.mode = mode == "frozen" ? learning_mode::frozen : learning_mode::learning;
    if (given.is_given(5) && !given.get(5).is_none()) {
        learning.default_resource = given.as<std::size_t>(5);
    }
    return learning;
}

template <class Policy>
void register_measured(py::module_& m, const char* name, const char* doc) {
    auto cls = register_with_options<Policy>(
        m, name,
        {{"resample_time", "0.0", "a number of seconds, 0 for never"},
         {"exact_times", "False", "True or False", true},
         {"history", "None", "a History, a path, True for the default file, or None", true},
         {"mode", "'learning'", "'learning' or 'frozen'", true},
         {"default", "None", "the index of a resource, or None", true}},
        doc, [](const bound_arguments& given, const resources_t&) {
            return std::tuple{learning_of(given), given.get<bool>(2, false)
                                                      ? exact_times::required
                                                      : exact_times::preferred};
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
        "flush_history",
        [](const Policy& policy) {
            if (const py::object link = policy.link(); !link.is_none()) {
                link.attr("flush")();
            }
        },
        R"(flush_history(self)
--

Write what was learnt since the last time to the history; do nothing without one.

A policy with a history also does so once a minute, when it is deleted and when the process ends. Raises
HistoryError (a RuntimeError) if the file cannot be written, ForkedProcessError in a child of the process that
made the policy.

>>> from tempfile import mkdtemp
>>> policy = pm.AutoTune([pm.Arena(1)], history=mkdtemp() + "/timings.db")
>>> policy.run(sum, [1, 2]).result()
3
>>> policy.flush_history())");
    cls.def(
        "_measured_kinds",
        [](const Policy& policy, std::size_t most) {
            return measured_kinds(policy.current()->set->state, most);
        },
        py::arg("most"),
        "_measured_kinds(self, most)\n--\n\nReturn the names and timings of the most used kinds of "
        "task.");
}

}  // namespace

void register_measured_policies(py::module_& m) {
    register_measured<measured_over_objects<auto_tune_policy>>(
        m, "AutoTune",
        R"(Learns how long each kind of task takes on each resource, and uses the fastest.

resources: iterable of any objects; default ``pointsman.discover()``.
resample_time: seconds after which everything is measured again; 0 for never.
exact_times: leave out resources whose times are upper bounds, such as OpenCL queues without profiling
(``reports_exact_times``); by default they are used, but exact times count for more.
history: a ``History``, the path of one, or True for ``History()``: begin with what earlier processes have
learnt, and let later ones know. Where ``POINTSMAN_HISTORY`` is ``off``, True has no effect.
mode: ``"frozen"`` to go by the history alone, and neither measure nor learn.
default: with ``"frozen"``, the index of the resource for tasks whose ``work`` has no record; without it, such a
task raises UnknownKindError.

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
    register_measured<measured_over_objects<earliest_finish_policy>>(
        m, "EarliestFinish", R"(Chooses the resource on which the task is expected to finish first.

resources: iterable of any objects; default ``pointsman.discover()``.
resample_time: seconds after which everything is measured again; 0 for never.
exact_times: leave out resources whose times are upper bounds, as for ``AutoTune``.
history: a ``History``, the path of one, or True, as for ``AutoTune``.
mode, default: as for ``AutoTune``.

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
