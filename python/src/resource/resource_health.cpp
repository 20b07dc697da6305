// SPDX-License-Identifier: Apache-2.0
// Reads the attributes of a `HealthSettings` and describes the health of a resource as a tuple.
#include "resource/resource_health.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"

namespace pointsman::python {
namespace {

/// **Throws**: `invalid_option` for a number that is no duration.
clock::duration duration_of(const py::object& settings, const char* name) {
    const py::object given = settings.attr(name);
    const auto seconds = given.cast<double>();
    constexpr double most = 1e9;
    if (!(seconds > 0 && seconds <= most)) {
        throw invalid_option{std::string{name} + " is " + py::str(given).cast<std::string>() +
                             ": pass a positive number of seconds"};
    }
    return std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>{seconds});
}

}  // namespace

std::pair<health_settings, py::object> to_health_settings(const py::object& given) {
    const py::object type = py::module_::import("pointsman._health").attr("HealthSettings");
    const py::object settings = given.is_none() ? type() : given;
    if (!py::isinstance(settings, type)) {
        throw py::type_error{"health is " + py::repr(given).cast<std::string>() +
                             ": pass a HealthSettings, or None"};
    }
    const auto failures = settings.attr("failures").cast<py::ssize_t>();
    if (failures < 1 || failures > std::numeric_limits<std::int32_t>::max()) {
        throw invalid_option{"failures is " + std::to_string(failures) +
                             ": pass the number of failures in a row, 1 or more"};
    }
    const health_settings converted{.failures = static_cast<std::uint32_t>(failures),
                                    .back_off = duration_of(settings, "back_off"),
                                    .longest_back_off = duration_of(settings, "longest_back_off"),
                                    .jitter = settings.attr("jitter").cast<double>()};
    converted.check();
    return {converted, settings.attr("is_resource_failure")};
}

py::tuple to_python(const resource_health& health) {
    const health_report report = health.report(clock::now());
    return py::make_tuple(to_string(report.state), report.failures_in_a_row, report.last_error,
                          std::chrono::duration<double>{report.until_probe}.count(), report.lost);
}

}  // namespace pointsman::python
