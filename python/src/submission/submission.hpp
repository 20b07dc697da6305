// SPDX-License-Identifier: Apache-2.0
// The Python class Submission: a raw type of CPython, since policies make one at every call.
#pragma once

#include "pointsman/submission/default_submission.hpp"
#include "submission/choice_record.hpp"
#include "submission/returned_object.hpp"

namespace pointsman::python {

using submitted_work = default_submission<returned_object>;

/// A new `Submission` of work on `resource`, a reference that is taken over, as `policy` has chosen.
/// Null with an exception set when there is no memory. GIL held.
[[nodiscard]] PyObject* make_submission(submitted_work&& work, PyObject* resource, PyObject* policy,
                                        const choice_record& choice) noexcept;

/// Blocks until `work` is complete and returns its value, as `Submission.result()` does, for work of which
/// nobody will have a `Submission`. GIL held; released while blocked.
[[nodiscard]] PyObject* result_of(submitted_work& work);

}  // namespace pointsman::python
