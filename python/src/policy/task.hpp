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

/// Calls `work(resource, *args, **kwargs)` and remembers the resource. Refers to its arguments; GIL
/// held throughout.
class python_task {
  public:
    python_task(const py::object& work, const py::args& args, const py::kwargs& kwargs)
        : work_{work}, args_{args}, kwargs_{kwargs} {}

    /// Throws `py::error_already_set` with the exception that the callable raised.
    returned_object operator()(const python_resource& resource) const {
        chosen_ = resource.object;
        return outliving_interpreter(
            [&] { return returned_object{work_(chosen_.get(), *args_, **kwargs_)}; });
    }

    /// The callable's code, seen through partials, bound methods and decorators that keep
    /// `__wrapped__` (for a callable object its type), and the size class of each argument.
    [[nodiscard]] fairlead::task_key task_key() const;

    [[nodiscard]] const shared_object& chosen() const noexcept { return chosen_; }

  private:
    const py::object& work_;
    const py::args& args_;
    const py::kwargs& kwargs_;
    mutable shared_object chosen_;
};

}  // namespace fairlead::python
