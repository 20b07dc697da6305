// SPDX-License-Identifier: Apache-2.0
// Runs tasks through a user-defined backend, and registers Placement, which the backend receives.
#include "backend/python_backend.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "call_signature.hpp"
#include "call_with.hpp"
#include "pointsman/binding/base.hpp"
#include "pointsman/binding/submission.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

/// Work of a user-defined backend. The end that the engine observes is reported through the same
/// `placement_reports` as the backend's own reports, so each event counts once.
class placed_work final : public binding::watched_work<returned_object> {
  public:
    placed_work(returned_object work, binding::submission_group_state& group,
                std::shared_ptr<placement_reports> reports, clock::time_point start)
        : watched_work{[&] { return std::move(work); }, group},
          reports_{std::move(reports)},
          start_{start} {}

  protected:
    [[nodiscard]] bool wants_time() const noexcept override { return true; }
    void account(const completion* end) noexcept override {
        reports_->ended(end, start_);
        reports_.reset();
    }

  private:
    std::shared_ptr<placement_reports> reports_;
    clock::time_point start_;
};

py::object backend_base_class() {
    return py::module_::import("pointsman._backend").attr("Backend");
}

std::string joined(const std::vector<std::string>& names) {
    std::string all;
    for (const auto& name : names) {
        all += (all.empty() ? "" : ", ") + name;
    }
    return all;
}

std::chrono::nanoseconds to_time(std::optional<double> seconds) {
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds > 9e9) {
        throw invalid_option{"task_time was reported with " +
                             (seconds ? std::to_string(*seconds) : std::string{"no value"}) +
                             ": pass the seconds that the task took"};
    }
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>{*seconds});
}

}  // namespace

void python_placement::report(std::string_view info, std::optional<double> seconds) const {
    if (info == "task_time") {
        reports_->took(to_time(seconds), true);
    } else if (info == "task_failure") {
        reports_->failed();
    } else if (info == "task_completion") {
        reports_->completed();
    } else if (info != "task_submission") {  // already counted when the placement was made
        throw invalid_option{"there is no event " + std::string{info} +
                             ": report task_submission, task_time, task_failure or "
                             "task_completion"};
    }
}

python_backend::submission_t python_backend::run_placed(
    const std::shared_ptr<placement_reports>& reports, const python_task& task) const {
    const gil_acquired gil;
    const auto start = clock::now();
    task.choose(reports->resource().object);
    reports->resource().record->begin();
    try {
        const py::object placement = py::cast(python_placement{reports});
        const py::object work_of_task = task.work();
        const py::object submit = this->adapter_.object.get().attr("submit");
        returned_object work{
            call_with(submit, {placement.ptr(), work_of_task.ptr()}, task.arguments())};
        if (pending_work* const pending = work.pending()) {
            pending->begun_at(start, reports->resource().record, task.group(), true);
            return watch(std::move(work), reports, start);
        }
        if (!is_lazy_) {
            reports->took(clock::now() - start, true);
            reports->completed();
        }
        return submission_t{std::move(work)};
    } catch (const py::error_already_set& error) {
        reports->failed();
        reports->completed();
        reports->resource().record->raised(task.chosen(), error.value());
        throw;
    } catch (...) {
        reports->failed();
        reports->completed();
        throw;
    }
}

/// With a lazy backend, only the submission group is notified of the end; the backend reports the rest.
python_backend::submission_t python_backend::watch(
    returned_object work, const std::shared_ptr<placement_reports>& reports,
    clock::time_point start) const {
    using watched_t = binding::watched_work<returned_object>;
    binding::ref<watched_t> watched;
    if (is_lazy_) {
        watched = binding::make_ref<watched_t>([&] { return std::move(work); }, *group_);
    } else {
        watched = binding::make_ref<placed_work>(std::move(work), *group_, reports, start);
    }
    watched->watch(nullptr);
    return submission_t{std::move(watched)};
}

void python_backend::ask_for_reports() const {
    const gil_acquired gil;
    this->adapter_.object.get().attr("lazy_report")();
}

bool python_backend::reports_lazily(const backend_choice& choice) {
    if (choice.object.ptr() == nullptr) {
        return false;
    }
    const gil_acquired gil;
    return !py::type::of(choice.object.get())
                .attr("lazy_report")
                .is(backend_base_class().attr("lazy_report"));
}

std::vector<python_resource> python_backend::reporting_resources(
    const std::vector<python_resource>& resources, const backend_choice& choice,
    const std::vector<std::string>& events) {
    if (choice.object.ptr() == nullptr || events.empty()) {
        return resources;
    }
    const gil_acquired gil;
    const py::object reports = choice.object.get().attr("reports");
    std::vector<python_resource> reporting;
    for (const auto& resource : resources) {
        const py::object reported = reports(resource.object.get());
        if (std::ranges::all_of(events,
                                [&](const auto& event) { return reported.contains(event); })) {
            reporting.push_back(resource);
        }
    }
    if (reporting.empty()) {
        throw unsatisfied_reporting{"none of the backend's " + std::to_string(resources.size()) +
                                    " resources reports what this policy needs (" + joined(events) +
                                    "): report it, name it in Backend.reports(), or take a "
                                    "policy that needs less"};
    }
    return reporting;
}

void register_backend(py::module_& m) {
    const call_signature reported{"report",
                                  {{"info", nullptr, "a str, the name of an event"},
                                   {"value", "None", "a number of seconds, or None"}}};
    py::class_<python_placement>(m, "Placement", R"(One piece of work that a policy has placed.

Passed to ``Backend.submit``. Keep a reference for as long as the backend may report: when the last
reference is dropped, the work counts as complete. May be used from any thread.

>>> class Printing(pm.Backend):
...     def submit(self, placement, work, /, *args, **kwargs):
...         print("on", placement.resource)
...         return work(placement.resource, *args, **kwargs)
>>> pm.RoundRobin(backend=Printing(["a", "b"])).submit_and_wait(lambda resource: resource * 2)
on a
'aa')")
        .def_property_readonly("resource", &python_placement::resource, "The chosen resource.")
        .def("unwrap", &python_placement::resource,
             "unwrap(self)\n--\n\nReturn the chosen resource.")
        .def(
            "report",
            [reported](const python_placement& placement, const py::args& args,
                       const py::kwargs& kwargs) {
                const auto given = reported.bind(args, kwargs);
                placement.report(given.as<std::string>(0),
                                 given.get<std::optional<double>>(1, std::nullopt));
            },
            reported
                .documented(
                    R"(Report an event of the work to the policy. Only the first report of an event counts.

info: "task_time" with the seconds that the work took as ``value``, before "task_completion";
"task_failure"; "task_completion" once the work is complete, successful or not; "task_submission",
which has no effect. Raises InvalidOptionError (a ValueError) for another event or an invalid time.)",
                    "self")
                .c_str());
}

}  // namespace pointsman::python
