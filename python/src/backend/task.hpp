// SPDX-License-Identifier: Apache-2.0
// Adapts a Python callable with its arguments to a task of the engine, with key and refusals.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "passed_arguments.hpp"
#include "pointsman/binding/submission.hpp"
#include "pointsman/tuning/task_key.hpp"
#include "submission/choice_record.hpp"
#include "submission/resource_record.hpp"
#include "submission/returned_object.hpp"
#include "trace/object_names.hpp"
#include "tuning/task_key.hpp"

namespace pointsman::python {

/// One resource of a Python policy: any object.
struct python_resource {
    shared_object object;
    binding::ref<resource_record> record;
    bool runs_functions = true;    ///< by its type, or left to a user-defined backend
    bool knows_transfers = false;  ///< its type has `__pointsman_transfers__`
    std::uint32_t set_number = 0;  ///< the same for resources that a policy received together
    std::uint32_t position = 0;    ///< among these

    /// The hardware that the resource uses, from `pointsman.domain_of`. With or without the GIL.
    [[nodiscard]] const pointsman::domain& domain() const noexcept { return record->hardware(); }
    /// The number of its name in traces. With or without the GIL.
    [[nodiscard]] std::uint32_t trace_name() const {
        const py::gil_scoped_acquire gil;
        return number_of_resource_name(object.ptr());
    }
    /// The result of `pointsman._backend.reports_exact_times`. With or without the GIL.
    [[nodiscard]] bool reports_exact_times() const;

    /// Returns true if both are the same object, or equal in Python. With or without the GIL.
    [[nodiscard]] friend bool operator==(const python_resource& left,
                                         const python_resource& right) {
        return left.object.ptr() == right.object.ptr() || left.equals(right);
    }

  private:
    [[nodiscard]] bool equals(const python_resource& other) const;
};

/// Returns true if `left == right` in Python; objects that cannot be compared are not equal. GIL held.
[[nodiscard]] bool are_equal(PyObject* left, PyObject* right) noexcept;

/// Returns true if the type of the object runs functions, with `run` or `submit`. GIL held.
[[nodiscard]] bool type_runs_functions(PyObject* object) noexcept;
/// Returns true if the type of the object can say how long arguments are under way to resources. GIL held.
[[nodiscard]] bool type_knows_transfers(PyObject* object) noexcept;
/// Returns true if the resource runs functions; also looks at attributes of the object itself. GIL held.
[[nodiscard]] bool runs_functions(const python_resource& resource);
/// Returns true if a callable that may refuse resources, such as `pointsman.variants`, accepts `resource`.
/// GIL held.
[[nodiscard]] bool accepts(PyObject* callable, const python_resource& resource);

/// What a task does with its callable and the chosen resource.
enum class task_verb : std::uint8_t {
    call,  ///< calls `work(resource, *args, **kwargs)`
    run,   ///< lets the resource run `work(*args, **kwargs)`
};

/// Calls the callable that Python passed to a verb, or lets the resource run it, and records the resource.
/// Refers to `passed`, which must live as long; GIL held throughout.
class python_task {
  public:
    /// `passed` begins with the callable; `policy` is the object on which the verb was called.
    python_task(task_verb verb, const passed_arguments& passed, PyObject* policy)
        : work_{passed.values[0]},
          passed_{passed},
          arguments_{passed.values + 1, passed.by_position - 1, passed.keywords},
          verb_{verb},
          may_refuse_{verb == task_verb::call && has_refusal(work_)},
          has_conditions_{may_refuse_},
          policy_{policy} {
        choice_.runs = verb == task_verb::run;
        if (may_refuse_) [[unlikely]] {
            choice_.kept = Py_NewRef(work_);
        }
    }
    python_task(task_verb, passed_arguments&&, PyObject*) = delete;  // it would not live as long
    python_task(const python_task&) = delete;
    python_task& operator=(const python_task&) = delete;
    ~python_task() {
        Py_XDECREF(chosen_);
        Py_XDECREF(choice_.kept);
    }

    /// **Throws**: `py::error_already_set` with the exception that the callable raised.
    returned_object operator()(const python_resource& resource) const;

    /// Combines the `callable_identity` and the `sizes_of` the arguments.
    [[nodiscard]] pointsman::task_key task_key() const {
        const std::uint64_t callable = callable_identity(work_);
        const std::uint64_t sizes = sizes_of(work_, arguments_);
        return choice_.key = combined_key(callable, sizes);
    }

    /// Asks the first resource how long the arguments of a function that is to run are under way to each.
    void look_for_transfers(const std::vector<python_resource>& resources) const {
        if (verb_ == task_verb::run && resources.front().knows_transfers) [[unlikely]] {
            ask_for_transfers(resources);
        }
    }
    /// For each resource the nanoseconds until the arguments are there; empty if they are not sent.
    [[nodiscard]] const std::vector<double>& transfers() const noexcept { return transfers_; }

    /// What a trace records of the task: the numbers of the names of its callable and its policy, and the
    /// sizes in its key.
    [[nodiscard]] std::uint32_t trace_name() const noexcept {
        return number_of_callable_name(work_);
    }
    [[nodiscard]] std::uint32_t trace_policy() const noexcept {
        return number_of_class_name(policy_);
    }
    [[nodiscard]] std::uint64_t trace_sizes() const noexcept;

    /// Called with the selection before the task runs.
    template <class Selection>
    void placed_by(const Selection& selection) const noexcept {
        choice_.note(selection);
    }
    [[nodiscard]] choice_record& choice() const noexcept { return choice_; }
    /// In which a rule that measures records what it compares.
    [[nodiscard]] binding::measured_record& recorder() const noexcept { return choice_.measured; }

    /// Returns true if the task runs on the resource: a callable such as `pointsman.variants` may name the
    /// resources on which it runs, and not every resource runs functions. With or without the GIL.
    [[nodiscard]] bool suits(const python_resource& resource) const {
        return (verb_ == task_verb::run ? resource.runs_functions : !may_refuse_) ||
               accepts_when_asked(resource);
    }
    /// Returns true if the task may use the resource now: it suits, is not excluded and not in quarantine.
    [[nodiscard]] bool accepts(const python_resource& resource) const {
        const bool asks = must_ask(resource) | !resource.record->is_open();
        return !asks || (suits(resource) && is_available(resource));
    }
    /// Returns if none of `resources` suits the task, which otherwise accepts none of them now.
    /// **Throws**: `no_healthy_resource`.
    void refuse(std::span<const python_resource> resources) const;
    /// Leaves out the resources in a tuple, which the caller keeps.
    void exclude(PyObject* resources) noexcept {
        excluded_ = resources;
        has_conditions_ = true;
    }
    /// The error message for a resource that the task does not accept, with advice.
    [[nodiscard]] std::string refusal(const python_resource& resource) const;

    void choose(const shared_object& resource) const {
        if (choice_.is_timed) [[unlikely]] {
            name_kind();
        }
        Py_XSETREF(chosen_, Py_NewRef(resource.ptr()));
    }
    /// Called before the task runs: its work belongs to the policy whose group this is.
    void belongs_to(const binding::submission_group_state& group) const noexcept {
        group_ = &group;
    }
    [[nodiscard]] const binding::submission_group_state& group() const noexcept { return *group_; }
    /// Remembers a name for the kind of the task, whose key is known, in `kind_names`.
    void name_kind() const noexcept;
    /// The callable that Python passed; a borrowed reference.
    [[nodiscard]] PyObject* callable() const noexcept { return work_; }
    /// The callable; for `run`, a wrapper that lets the resource passed to it run the callable.
    [[nodiscard]] py::object work() const;
    [[nodiscard]] const passed_arguments& arguments() const noexcept { return arguments_; }

    /// The resource on which the task was placed; a borrowed reference.
    [[nodiscard]] PyObject* chosen() const noexcept { return chosen_; }
    /// The same as a reference that the caller owns.
    [[nodiscard]] PyObject* take_chosen() const noexcept { return std::exchange(chosen_, nullptr); }

  private:
    [[nodiscard]] bool must_ask(const python_resource& resource) const noexcept {
        return has_conditions_ | ((verb_ == task_verb::run) & !resource.runs_functions);
    }
    /// Returns true if the resource is not excluded and not in quarantine; otherwise records it as left out.
    [[nodiscard]] bool is_available(const python_resource& resource) const;
    [[nodiscard]] bool is_allowed(const python_resource& resource) const noexcept;
    [[nodiscard]] static bool has_refusal(PyObject* work);
    [[nodiscard]] bool accepts_when_asked(const python_resource& resource) const;
    [[nodiscard]] py::object call(PyObject* resource) const;
    [[nodiscard]] returned_object call_or_run(const python_resource& resource, instant begin) const;
    [[nodiscard]] returned_object run_on(const python_resource& resource) const;

    void ask_for_transfers(const std::vector<python_resource>& resources) const;

    PyObject* work_;
    const passed_arguments& passed_;
    const passed_arguments arguments_;
    task_verb verb_;
    bool may_refuse_;
    bool has_conditions_;  // not all suitable resources will do
    PyObject* policy_;
    PyObject* excluded_ = nullptr;
    mutable std::vector<double> transfers_;
    mutable PyObject* chosen_ = nullptr;
    mutable const binding::submission_group_state* group_ = nullptr;
    mutable choice_record choice_;
};

/// Acquires the GIL only for the call. For attempts after a first one that held the GIL.
class task_without_gil {
  public:
    explicit task_without_gil(const python_task& task) : task_{task} {}
    returned_object operator()(const python_resource& resource) const {
        const gil_acquired gil;
        return task_(resource);
    }
    [[nodiscard]] bool accepts(const python_resource& resource) const {
        return task_.accepts(resource);
    }
    [[nodiscard]] std::string refusal(const python_resource& resource) const {
        return task_.refusal(resource);
    }
    void refuse(std::span<const python_resource> resources) const { task_.refuse(resources); }
    [[nodiscard]] std::uint32_t trace_name() const {
        const gil_acquired gil;
        return task_.trace_name();
    }
    [[nodiscard]] std::uint32_t trace_policy() const {
        const gil_acquired gil;
        return task_.trace_policy();
    }
    [[nodiscard]] std::uint64_t trace_sizes() const {
        const gil_acquired gil;
        return task_.trace_sizes();
    }
    /// The key that the first attempt computed.
    [[nodiscard]] pointsman::task_key task_key() const noexcept { return task_.choice().key; }
    template <class Selection>
    void placed_by(const Selection& selection) const noexcept {
        task_.placed_by(selection);
    }
    [[nodiscard]] binding::measured_record& recorder() const noexcept { return task_.recorder(); }
    /// Those that the first attempt found.
    [[nodiscard]] const std::vector<double>& transfers() const noexcept {
        return task_.transfers();
    }
    [[nodiscard]] const python_task& task() const noexcept { return task_; }

  private:
    const python_task& task_;
};

/// The Python task inside the task that the engine received.
inline const python_task& underlying(const python_task& task) noexcept { return task; }
inline const python_task& underlying(const task_without_gil& task) noexcept { return task.task(); }

}  // namespace pointsman::python
