// SPDX-License-Identifier: Apache-2.0
// Lets a resource that goes into quarantine drop what its failure may have spoiled.
#pragma once

#include <concepts>
#include <exception>
#include <string>

namespace pointsman {

/// Calls the resource's member `after_failure(error)`, which drops what the resource keeps for later work and may
/// be lost, and returns a text for people that says what is; empty if nothing is, or if there is no such member. A
/// `recovering_policy` calls it when a quarantine begins, and when a probe has failed.
/// **Throws**: what the member throws.
template <class Resource>
[[nodiscard]] std::string after_failure([[maybe_unused]] const Resource& resource,
                                        [[maybe_unused]] const std::exception_ptr& error) {
    if constexpr (requires {
                      { resource.after_failure(error) } -> std::convertible_to<std::string>;
                  }) {
        return resource.after_failure(error);
    } else {
        return {};
    }
}

}  // namespace pointsman
