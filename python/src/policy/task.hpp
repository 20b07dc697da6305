// SPDX-License-Identifier: Apache-2.0
// A Python callable with its arguments, as a task of the engine.
#pragma once

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
        : work_{work}, arguments_{arguments} {}

    /// Throws `py::error_already_set` with the exception that the callable raised.
    returned_object operator()(const python_resource& resource) const {
        chosen_ = resource.object;
        return outliving_interpreter([&] { return returned_object{call(chosen_.ptr())}; });
    }

    /// The callable's code, seen through partials, bound methods and decorators that keep
    /// `__wrapped__` (for a callable object its type), and the size class of each argument.
    [[nodiscard]] fairlead::task_key task_key() const;

    [[nodiscard]] const shared_object& chosen() const noexcept { return chosen_; }

  private:
    [[nodiscard]] py::object call(PyObject* resource) const;

    PyObject* work_;
    const passed_arguments& arguments_;
    mutable shared_object chosen_;
};

}  // namespace fairlead::python
