// SPDX-License-Identifier: Apache-2.0
// A Python callable with its arguments, as a task of the engine.
#pragma once

#include <string>

#include "fairlead/tuning/task_key.hpp"
#include "submission/returned_object.hpp"

namespace fairlead::python {

/// One resource of a Python policy: any object.
struct python_resource {
    shared_object object;
};

/// Arguments as Python passes them to a native function.
struct passed_arguments {
    PyObject* const* values;  ///< those by position, then those by keyword
    Py_ssize_t by_position;
    PyObject* keywords;  ///< a tuple of the names; null when there are none

    [[nodiscard]] Py_ssize_t by_keyword() const noexcept {
        return keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
    }
};

/// Calls `work(resource, *args, **kwargs)` and remembers the resource. Refers to its arguments; GIL
/// held throughout.
class python_task {
  public:
    python_task(PyObject* work, const passed_arguments& arguments)
        : work_{work}, arguments_{arguments}, may_refuse_{has_refusal(work)} {}

    /// Throws `py::error_already_set` with the exception that the callable raised.
    returned_object operator()(const python_resource& resource) const {
        choose(resource.object);
        return outliving_interpreter([&] { return returned_object{call(chosen_.ptr())}; });
    }

    /// The callable's code, seen through partials, bound methods and decorators that keep
    /// `__wrapped__` (for a callable object its type), and the size class of each argument. A
    /// `fairlead.task` adds its name, and says what of the arguments counts.
    [[nodiscard]] fairlead::task_key task_key() const;

    /// Whether the callable runs on some resources only, as `fairlead.variants` do. With or without
    /// the GIL.
    [[nodiscard]] bool may_refuse() const noexcept { return may_refuse_; }
    [[nodiscard]] bool accepts(const python_resource& resource) const;
    [[nodiscard]] std::string refusal(const python_resource& resource) const;

    void choose(const shared_object& resource) const { chosen_ = resource; }
    [[nodiscard]] const shared_object& chosen() const noexcept { return chosen_; }
    [[nodiscard]] PyObject* work() const noexcept { return work_; }
    [[nodiscard]] const passed_arguments& arguments() const noexcept { return arguments_; }

  private:
    [[nodiscard]] static bool has_refusal(PyObject* work) noexcept;
    [[nodiscard]] py::object call(PyObject* resource) const;

    PyObject* work_;
    const passed_arguments& arguments_;
    mutable shared_object chosen_;
    bool may_refuse_;
};

/// Takes the GIL for the call alone.
class task_without_gil {
  public:
    explicit task_without_gil(const python_task& task) : task_{task} {}
    returned_object operator()(const python_resource& resource) const {
        return outliving_interpreter([&] {
            const py::gil_scoped_acquire gil;
            return task_(resource);
        });
    }
    [[nodiscard]] bool may_refuse() const noexcept { return task_.may_refuse(); }
    [[nodiscard]] bool accepts(const python_resource& resource) const {
        return task_.accepts(resource);
    }
    [[nodiscard]] std::string refusal(const python_resource& resource) const {
        return task_.refusal(resource);
    }
    [[nodiscard]] const python_task& task() const noexcept { return task_; }

  private:
    const python_task& task_;
};

/// The task behind whatever the engine was given.
inline const python_task& underlying(const python_task& task) noexcept { return task; }
inline const python_task& underlying(const task_without_gil& task) noexcept { return task.task(); }

}  // namespace fairlead::python
