// SPDX-License-Identifier: Apache-2.0
// Returns whether the times of work on a resource are exact or upper bounds.
#pragma once

#include <concepts>

namespace pointsman {

/// Returns the result of the resource's member `reports_exact_times()`. It is false if completed work has
/// no timestamp and may be noticed late. A type without that member is assumed to report exactly.
template <class Resource>
[[nodiscard]] bool reports_exact_times(const Resource& resource) {
    if constexpr (requires {
                      { resource.reports_exact_times() } -> std::convertible_to<bool>;
                  }) {
        return resource.reports_exact_times();
    } else {
        return true;
    }
}

}  // namespace pointsman
