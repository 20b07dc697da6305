// SPDX-License-Identifier: Apache-2.0
// Adapts a Python callable with its arguments to a task of the engine, with key and refusals.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "passed_arguments.hpp"
#include "pointsman/tuning/task_key.hpp"
#include "submission/choice_record.hpp"
#include "submission/resource_record.hpp"
#include "submission/returned_object.hpp"
#include "tuning/domain.hpp"

namespace pointsman::python {

/// One resource of a Python policy: any object.
struct python_resource {
    shared_object object;
    binding::ref<resource_record> record;
    bool runs_functions = true;    ///< by its type, or left to a user-defined backend
    std::uint32_t set_number = 0;  ///< the same for resources that a policy received together

    /// The hardware that the resource uses, from `pointsman.domain_of`. With or without the GIL.
    [[nodiscard]] pointsman::domain domain() const {
        const py::gil_scoped_acquire gil;
        return domain_of_object(object.get());
    }
    /// The result of `pointsman._backend.reports_exact_times`. With or without the GIL.
    [[nodiscard]] bool reports_exact_times() const;
};

/// Returns true if the type of the object runs functions, with `run` or `submit`. GIL held.
[[nodiscard]] bool type_runs_functions(PyObject* object) noexcept;
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
    /// `passed` begins with the callable.
    python_task(task_verb verb, const passed_arguments& passed)
        : work_{passed.values[0]},
          passed_{passed},
          arguments_{passed.values + 1, passed.by_position - 1, passed.keywords},
          verb_{verb},
          may_refuse_{verb == task_verb::call && has_refusal(work_)} {
        choice_.runs = verb == task_verb::run;
        if (may_refuse_) [[unlikely]] {
            choice_.kept = Py_NewRef(work_);
        }
    }
    python_task(task_verb, passed_arguments&&) = delete;  // it would not live as long
    python_task(const python_task&) = delete;
    python_task& operator=(const python_task&) = delete;
    ~python_task() {
        Py_XDECREF(chosen_);
        Py_XDECREF(choice_.kept);
    }

    /// **Throws**: `py::error_already_set` with the exception that the callable raised.
    returned_object operator()(const python_resource& resource) const;

    /// Combines the identity of the callable with the size class of each argument, including bound
    /// arguments and default values. The identity is the code of the function inside partials, bound methods
    /// and decorators that set `__wrapped__`, with the code of functions that it closes over; for a callable
    /// object, its type and, if the type defines one, its name. A `pointsman.task` adds its name and may
    /// state a size that replaces the size classes.
    [[nodiscard]] pointsman::task_key task_key() const {
        const std::uint64_t callable = find_callable();
        const std::uint64_t sizes = find_sizes();
        return choice_.key = {callable, sizes};
    }

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
    [[nodiscard]] bool accepts(const python_resource& resource) const {
        return (verb_ == task_verb::run ? resource.runs_functions : !may_refuse_) ||
               accepts_when_asked(resource);
    }
    /// The error message for a resource that the task does not accept, with advice.
    [[nodiscard]] std::string refusal(const python_resource& resource) const;

    void choose(const shared_object& resource) const {
        if (choice_.is_timed) [[unlikely]] {
            name_kind();
        }
        Py_XSETREF(chosen_, Py_NewRef(resource.ptr()));
    }
    /// Remembers a name for the kind of the task, whose key is known, in `kind_names`.
    void name_kind() const noexcept;
    /// The callable that Python passed; a borrowed reference.
    [[nodiscard]] PyObject* callable() const noexcept { return work_; }
    /// The callable; for `run`, a wrapper that lets the resource passed to it run the callable.
    [[nodiscard]] py::object work() const;
    [[nodiscard]] const passed_arguments& arguments() const noexcept { return arguments_; }

    /// The resource on which the task was placed, as a reference that the caller owns.
    [[nodiscard]] PyObject* take_chosen() const noexcept { return std::exchange(chosen_, nullptr); }

  private:
    [[nodiscard]] static bool has_refusal(PyObject* work);
    [[nodiscard]] bool accepts_when_asked(const python_resource& resource) const;
    [[nodiscard]] std::uint64_t find_callable() const;
    [[nodiscard]] std::uint64_t find_sizes() const;
    [[nodiscard]] std::string described_kind() const;
    [[nodiscard]] py::object call(PyObject* resource) const;
    [[nodiscard]] returned_object call_or_run(const python_resource& resource) const;
    [[nodiscard]] returned_object run_on(const python_resource& resource) const;

    PyObject* work_;
    const passed_arguments& passed_;
    const passed_arguments arguments_;
    task_verb verb_;
    bool may_refuse_;
    mutable PyObject* chosen_ = nullptr;
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
    /// The key that the first attempt computed.
    [[nodiscard]] pointsman::task_key task_key() const noexcept { return task_.choice().key; }
    template <class Selection>
    void placed_by(const Selection& selection) const noexcept {
        task_.placed_by(selection);
    }
    [[nodiscard]] binding::measured_record& recorder() const noexcept { return task_.recorder(); }
    [[nodiscard]] const python_task& task() const noexcept { return task_; }

  private:
    const python_task& task_;
};

/// The Python task inside the task that the engine received.
inline const python_task& underlying(const python_task& task) noexcept { return task; }
inline const python_task& underlying(const task_without_gil& task) noexcept { return task.task(); }

}  // namespace pointsman::python
