// SPDX-License-Identifier: Apache-2.0
// The parts of the key by which tasks of the same kind are recognised. All functions need the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>

#include "passed_arguments.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// The attribute `name` of the type of `work`, or null; for a plain function null without a lookup.
[[nodiscard]] inline PyObject* hook_of(PyObject* work, PyObject* name) noexcept {
    return PyFunction_Check(work) ? nullptr : _PyType_Lookup(Py_TYPE(work), name);
}

/// Identifies a callable by the code of the function inside partials, bound methods and decorators that set
/// `__wrapped__`, with the code of functions that it closes over; a callable object by its type and, if the
/// type defines one, its name. A `pointsman.task` adds its name. The same in every process that runs the same
/// code, and marked so.
[[nodiscard]] std::uint64_t callable_identity(PyObject* work);

/// Marks sizes that only this process knows, from a key that is no text, number or tuple of them.
inline constexpr std::uint64_t passing_sizes_mark = std::uint64_t{1} << 63U;

/// Combines the size classes of the arguments, or returns the size that a `pointsman.task` states.
[[nodiscard]] std::uint64_t sizes_of(PyObject* work, const passed_arguments& arguments);

/// Combines both parts, as a stable key where the sizes are the same in every process.
[[nodiscard]] inline pointsman::task_key combined_key(std::uint64_t callable,
                                                      std::uint64_t sizes) noexcept {
    return {(sizes & passing_sizes_mark) == 0 ? callable : callable & ~task_key::stable_mark,
            sizes};
}

/// For example "total(2^12, order=2^0)", or "solve('dense')" for a task that states its size.
[[nodiscard]] std::string described_kind(PyObject* work, const passed_arguments& arguments);

}  // namespace pointsman::python
