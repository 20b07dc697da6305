// SPDX-License-Identifier: Apache-2.0
// Prints a table whose columns are as wide as their widest cell.
#include "markdown.hpp"

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <ostream>

void bench::print(std::ostream& out, const markdown_lines& table) {
    std::vector<std::size_t> widths(table.front().size());
    for (const auto& line : table) {
        std::ranges::transform(line, widths, widths.begin(),
                               [](const std::string& cell, std::size_t width) {
                                   return std::max(cell.size(), width);
                               });
    }
    const auto print_line = [&](const auto& cell_of) {
        for (std::size_t i = 0; i < widths.size(); ++i) {
            out << "| " << (i == 0 ? std::left : std::right)
                << std::setw(static_cast<int>(widths[i])) << cell_of(i) << ' ';
        }
        out << "|\n";
    };
    out << '\n';
    for (const auto& line : table) {
        print_line([&](std::size_t i) { return line[i]; });
        if (&line == &table.front()) {
            print_line([&](std::size_t i) {
                return std::string(widths[i] - 1, '-') + (i == 0 ? '-' : ':');
            });
        }
    }
}
