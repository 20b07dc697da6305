// SPDX-License-Identifier: Apache-2.0
// Names resources for explanations and tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/resource/printed_resource.hpp"

namespace pointsman::detail {

/// Returns the printed form of each resource. Resources with the same form get their number in brackets, and
/// those that cannot be printed the number alone.
template <class Resource>
[[nodiscard]] std::vector<std::string> names_of(const std::vector<Resource>& resources) {
    std::vector<std::string> names;
    for (const Resource& each : resources) {
        names.push_back(printed_resource(each));
    }
    std::vector<std::string> distinct = names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) {
            distinct[i] = number_of(i, names.size());
        } else if (std::ranges::count(names, names[i]) > 1) {
            distinct[i] += " (" + number_of(i, names.size()) + ")";
        }
    }
    return distinct;
}

}  // namespace pointsman::detail
