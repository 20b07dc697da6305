// SPDX-License-Identifier: Apache-2.0
// A variant of all execution policies: the candidates of an auto_policy.
#pragma once

#include <string>
#include <type_traits>
#include <variant>

#include "pointsman/execution/host_policies.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman::execution {

/// One of the execution policies.
using candidate_policy =
    std::variant<sequenced_policy, unsequenced_policy, parallel_policy, parallel_unsequenced_policy
#ifndef POINTSMAN_WITHOUT_OPENCL
                 ,
                 device_policy<>
#endif
                 >;

[[nodiscard]] inline bool is_on_host(const candidate_policy& candidate) noexcept {
    return std::visit([]<class P>(const P&) { return host_policy<P>; }, candidate);
}

/// Returns the name for explanations: "par_unseq", or the label of the device.
[[nodiscard]] inline std::string name_of(const candidate_policy& candidate) {
    return std::visit(
        []<class P>([[maybe_unused]] const P& policy) -> std::string {
            if constexpr (std::is_same_v<P, sequenced_policy>) {
                return "seq";
            } else if constexpr (std::is_same_v<P, unsequenced_policy>) {
                return "unseq";
            } else if constexpr (std::is_same_v<P, parallel_policy>) {
                return "par";
            } else if constexpr (std::is_same_v<P, parallel_unsequenced_policy>) {
                return "par_unseq";
            } else {
                return policy.queue().device().label();
            }
        },
        candidate);
}

}  // namespace pointsman::execution
