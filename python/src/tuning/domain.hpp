// SPDX-License-Identifier: Apache-2.0
// Converts domains to and from the Python class pointsman.Domain.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>

#include "pointsman/tuning/domain.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// Returns a `Domain`. GIL held.
[[nodiscard]] inline py::object to_python(const domain& of) {
    return py::module_::import("pointsman._domain")
        .attr("Domain")(of.id, of.capacity, of.slots, of.threads_each);
}

/// Returns the domain that an object uses, from `pointsman.domain_of`. GIL held.
/// **Throws**: `py::error_already_set` if the object's attribute raises.
[[nodiscard]] inline domain domain_of_object(const py::handle& object) {
    const py::object found = py::module_::import("pointsman._domain").attr("domain_of")(object);
    return {.id = found.attr("id").cast<std::uint64_t>(),
            .capacity = found.attr("capacity").cast<double>(),
            .slots = found.attr("slots").cast<std::size_t>(),
            .threads_each = found.attr("threads_each").cast<double>()};
}

}  // namespace pointsman::python
