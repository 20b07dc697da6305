// SPDX-License-Identifier: Apache-2.0
// What a measuring policy learns of the resources that it has at one time, for its history.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <vector>

#include "pointsman/tuning/device_speed.hpp"
#include "pointsman/tuning/model_record.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// Keeps the resources of a policy alive, and not the policy. Another set of resources has another object.
struct learnt {
    std::function<std::vector<model_record>()> records;
    std::function<void(const std::vector<model_record>&)> take;
    std::function<void(const std::vector<model_speed>&)> expect;
    std::function<void(const std::vector<model_pin>&)> pin;
};

/// Returns what `policy` learns of its present resources. **Throws**: `not_initialized`.
template <class Policy>
learnt learnt_of(const Policy& policy) {
    const auto current = policy.current();
    return {
        [current] { return current->set->state.records(); },
        [current](const std::vector<model_record>& known) { current->set->state.take(known); },
        [current](const std::vector<model_speed>& speeds) { current->set->state.expect(speeds); },
        [current](const std::vector<model_pin>& pins) { current->set->state.pin(pins); }};
}

}  // namespace pointsman::python
