// SPDX-License-Identifier: Apache-2.0
// The counters of a policy's resources, as `statistics()` returns them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "backend/task.hpp"

namespace pointsman::python {

/// What a policy has counted for one resource since it was initialised.
struct resource_statistics {
    python_resource resource;
    std::size_t index;
    std::size_t load;
    std::uint64_t completed;
    std::uint64_t failed;
    std::optional<double> mean_elapsed;  ///< seconds; empty before the first timed success
    shared_object scores{};              ///< compared by a rule that returns this entry
};

/// Returns a list of the statistics of `resources`, whose loads are `loads`. GIL held.
[[nodiscard]] py::object statistics_of(const std::vector<python_resource>& resources,
                                       const std::vector<std::size_t>& loads);

/// Returns the statistics of the resources that a policy has now. GIL held.
/// **Throws**: `not_initialized`.
template <class Policy>
[[nodiscard]] py::object statistics_of(const Policy& policy) {
    const auto current = policy.current();
    return statistics_of(current->set->resources, current->set->state.loads());
}

}  // namespace pointsman::python
