// SPDX-License-Identifier: Apache-2.0
// The counters of a policy's resources, as `statistics()` returns them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "backend/task.hpp"
#include "policy/measured_kinds.hpp"

namespace pointsman::python {

/// What a policy has counted for one resource since it was initialised.
struct resource_statistics {
    python_resource resource;
    std::size_t index;
    std::size_t load;
    std::uint64_t completed;
    std::uint64_t failed;
    std::optional<double> mean_elapsed;  ///< seconds; empty before the first timed success
    work_times::totals times;
    shared_object scores{};  ///< compared by a rule that returns this entry

    /// `busy` as a share of the time since the policy was initialised.
    [[nodiscard]] double utilisation() const noexcept {
        return times.observed.count() == 0 ? 0
                                           : static_cast<double>(times.busy.count()) /
                                                 static_cast<double>(times.observed.count());
    }
};

/// Returns the statistics of `resources`, whose loads are `loads`, as a list. GIL held.
[[nodiscard]] py::object statistics_of(const std::vector<python_resource>& resources,
                                       const std::vector<std::size_t>& loads);

/// Returns the statistics of the resources that a policy has now, with what it has learnt of tasks. GIL held.
/// **Throws**: `not_initialized`.
template <class Policy>
[[nodiscard]] py::object statistics_of(const Policy& policy) {
    constexpr std::size_t most_kinds = 10;
    const auto current = policy.current();
    const auto& state = current->set->state;
    const py::object all = statistics_of(current->set->resources, state.loads());
    if constexpr (requires { state.most_used_kinds(most_kinds); }) {
        all.attr("_measured") = measured_kinds(state, most_kinds);
    }
    return all;
}

}  // namespace pointsman::python
