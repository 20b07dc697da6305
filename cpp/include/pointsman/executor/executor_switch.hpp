// SPDX-License-Identifier: Apache-2.0
// Switches executors off by environment variables, such as POINTSMAN_ENABLE_OPENMP_EXEC=OFF.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pointsman/error.hpp"

namespace pointsman {

/// Returns the variable that switches the executor of this name: `POINTSMAN_ENABLE_ARENA_EXEC` for "arena".
[[nodiscard]] inline std::string executor_switch_name(std::string_view name) {
    std::string variable = "POINTSMAN_ENABLE_";
    for (const char c : name) {
        variable += std::isalnum(static_cast<unsigned char>(c)) != 0
                        ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                        : '_';
    }
    return variable + "_EXEC";
}

/// Returns true unless the environment switches the executor of this name off: unless its variable is
/// OFF, 0, FALSE or NO, in upper or lower case.
/// **Throws**: `invalid_option` for any other value except ON, 1, TRUE, YES and the empty string.
/// **Thread safety**: any thread, while no thread changes the environment.
[[nodiscard]] inline bool is_executor_switched_on(std::string_view name) {
    const std::string variable = executor_switch_name(name);
    const char* const given = std::getenv(variable.c_str());
    if (given == nullptr) {
        return true;
    }
    std::string value{given};
    std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::toupper(c); });
    static constexpr std::array<std::string_view, 4> off{"OFF", "0", "FALSE", "NO"};
    static constexpr std::array<std::string_view, 5> on{"", "ON", "1", "TRUE", "YES"};
    if (std::ranges::find(off, value) != off.end()) {
        return false;
    }
    if (std::ranges::find(on, value) == on.end()) {
        throw invalid_option{"the environment has " + variable + "=" + given +
                             ": set it to ON or OFF, or remove it"};
    }
    return true;
}

}  // namespace pointsman
