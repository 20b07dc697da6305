// SPDX-License-Identifier: Apache-2.0
// The Python class Submission: a raw CPython type, for speed, since every call of a policy makes one.
#pragma once

#include "pointsman/submission/default_submission.hpp"
#include "submission/choice_record.hpp"
#include "submission/returned_object.hpp"

namespace pointsman::python {

using submitted_work = default_submission<returned_object>;

/// Returns a new `Submission` of work that `policy` placed on `resource`, whose reference it takes over;
/// `callable` is what was submitted.
/// Returns null with an exception set if there is no memory. GIL held.
[[nodiscard]] PyObject* make_submission(submitted_work&& work, PyObject* callable,
                                        PyObject* resource, PyObject* policy,
                                        const choice_record& choice) noexcept;

/// Blocks until `work`, which was placed on `resource`, is complete and returns its value, as
/// `Submission.result()` does, without making a `Submission`. GIL held; released while blocked.
[[nodiscard]] PyObject* result_of(submitted_work& work, PyObject* resource);

}  // namespace pointsman::python
