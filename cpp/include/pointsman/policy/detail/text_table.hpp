// SPDX-License-Identifier: Apache-2.0
// Aligns the cells of a table for a terminal, and writes durations and shares into them.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pointsman/base/written_time.hpp"

namespace pointsman::detail {

[[nodiscard]] inline std::string written(std::chrono::nanoseconds time) {
    return written_time(static_cast<double>(time.count()));
}
/// Returns a dash for an unknown time.
[[nodiscard]] inline std::string written(const std::optional<std::chrono::nanoseconds>& time) {
    return time ? written(*time) : "-";
}
/// "43 %" for 0.43.
[[nodiscard]] inline std::string written_share(double share) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.3g %%", 100 * share);
    return text.data();
}

/// The number of characters of UTF-8 text.
[[nodiscard]] inline std::size_t width_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Returns a table as lines of text. `rows.front()` has the headings. The first column is aligned to the left,
/// the others to the right.
[[nodiscard]] inline std::string text_table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], width_of(row[i]));
        }
    }
    std::string lines;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string blanks(widths[i] - width_of(row[i]), ' ');
            lines += i == 0 ? row[i] + blanks : "  " + blanks + row[i];
        }
        lines += '\n';
    }
    return lines;
}

}  // namespace pointsman::detail
