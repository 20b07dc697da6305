// SPDX-License-Identifier: Apache-2.0
// The name of a type, for people.
#pragma once

#include <string>
#include <string_view>

namespace pointsman::detail {

/// Returns the name of a type without its namespaces and template arguments, such as "arena"; of a lambda what the
/// compiler writes.
template <class T>
[[nodiscard]] std::string type_name() {
    const std::string_view function = __PRETTY_FUNCTION__;
    const auto begin = function.find("T = ") + 4;
    std::string_view name = function.substr(begin, function.find_first_of(";]", begin) - begin);
    if (name.find("lambda") != std::string_view::npos) {
        return std::string{name};
    }
    name = name.substr(0, name.find('<'));
    const auto last = name.rfind("::");
    return std::string{last == std::string_view::npos ? name : name.substr(last + 2)};
}

}  // namespace pointsman::detail
