// SPDX-License-Identifier: Apache-2.0
// The Python class Submission.
#pragma once

#include <exception>
#include <utility>

#include "fairlead/submission/default_submission.hpp"
#include "submission/returned_object.hpp"

namespace fairlead::python {

/// A submission of the engine, the resource that was chosen, and the error of its wait.
class python_submission {
  public:
    python_submission(default_submission<returned_object> work, shared_object resource)
        : work_{std::move(work)}, resource_{std::move(resource)} {}

    /// GIL held; released while blocked. Keeps what the object's own wait raises for `result`.
    void wait();
    [[nodiscard]] bool done();
    [[nodiscard]] py::object result();
    [[nodiscard]] py::object unwrap() { return work_.unwrap().value().get(); }
    [[nodiscard]] py::object resource() const { return resource_.get(); }

  private:
    default_submission<returned_object> work_;
    shared_object resource_;
    shared_object failure_;
};

}  // namespace fairlead::python
