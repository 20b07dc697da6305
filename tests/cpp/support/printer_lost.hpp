// SPDX-License-Identifier: Apache-2.0
// A failure by the fault of a resource, and settings by which one failure begins a quarantine.
#pragma once

#include <chrono>
#include <stdexcept>

#include "pointsman/error.hpp"
#include "pointsman/resource/resource_health.hpp"

namespace pointsman::test {

struct printer_lost : std::runtime_error, resource_failure {
    using std::runtime_error::runtime_error;
};

inline constexpr health_settings quarantine_at_once{.failures = 1,
                                                    .back_off = std::chrono::minutes{1}};

}  // namespace pointsman::test
