// SPDX-License-Identifier: Apache-2.0
// Prints result tables in Markdown.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace bench {

using markdown_lines = std::vector<std::vector<std::string>>;

/// Prints a table whose first line is the headings. The first column is aligned to the left, the
/// others, numbers, to the right.
void print(std::ostream& out, const markdown_lines& table);

}  // namespace bench
