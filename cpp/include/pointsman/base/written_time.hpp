// SPDX-License-Identifier: Apache-2.0
// Writes a duration as people do, with three digits and a unit, for explanations.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace pointsman::detail {

/// "403 ns" or "1.2 ms". From 1,000 s on all digits of the seconds are written.
[[nodiscard]] inline std::string written_time(double nanoseconds) {
    struct unit {
        const char* name;
        double nanoseconds;
    };
    constexpr std::array units{unit{"ns", 1}, unit{"µs", 1e3}, unit{"ms", 1e6}, unit{"s", 1e9}};
    constexpr double first_of_four_digits = 999.5;  // after rounding
    std::array<char, 64> written{};
    for (const auto& [name, length] : units) {
        if (const double count = nanoseconds / length; count < first_of_four_digits) {
            std::snprintf(written.data(), written.size(), "%.3g %s", count, name);
            return written.data();
        }
    }
    std::snprintf(written.data(), written.size(), "%.0f s", nanoseconds / 1e9);
    return written.data();
}

}  // namespace pointsman::detail
