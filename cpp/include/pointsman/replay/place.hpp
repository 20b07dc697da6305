// SPDX-License-Identifier: Apache-2.0
// A resource of a simulated machine.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/tuning/domain.hpp"

namespace pointsman::replay {

/// Runs up to `hardware.slots` tasks at a time, in the order of submission. Where more threads of a domain
/// run than its capacity, all of its tasks slow down by the same factor.
struct place {
    std::string name{};
    pointsman::domain hardware{};
    clock::duration latency{};  ///< from a submission until the task can start
};

/// Returns a place that runs `slots` tasks at a time at full speed, on hardware of its own.
[[nodiscard]] inline place place_with(std::string name, std::size_t slots) {
    return {std::move(name), {.id = 0, .capacity = static_cast<double>(slots), .slots = slots}, {}};
}

/// Returns the domains of `places`, as rules take them.
[[nodiscard]] inline std::vector<domain> domains_of(const std::vector<place>& places) {
    std::vector<domain> domains;
    domains.reserve(places.size());
    for (const place& each : places) {
        domains.push_back(each.hardware);
    }
    return domains;
}

}  // namespace pointsman::replay
