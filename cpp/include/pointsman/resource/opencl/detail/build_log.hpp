// SPDX-License-Identifier: Apache-2.0
// Shows a compiler's messages together with the source lines that they refer to.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace pointsman::opencl::detail {

/// A position in a file, as compilers write it: `name:line:column`, both from 1.
struct source_position {
    std::string_view file;
    std::size_t line;
    std::size_t column;
};

/// Removes a `:number` from the front of `text` and returns it; empty if there is none.
[[nodiscard]] inline std::optional<std::size_t> take_number(std::string_view& text) {
    std::size_t number = 0;
    if (!text.starts_with(':')) {
        return std::nullopt;
    }
    const auto [end, failed] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (failed != std::errc{}) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// The first position that a message names; empty if it names none. Drivers differ in the text before
/// it (nothing, or `error: `) and in the name of the file: `<kernel>`, `input.cl`, the path of a
/// temporary file.
[[nodiscard]] inline std::optional<source_position> position_in(std::string_view message) {
    for (auto colon = message.find(':'); colon != message.npos;
         colon = message.find(':', colon + 1)) {
        std::string_view rest = message.substr(colon);
        const auto line = take_number(rest);
        const auto column = line ? take_number(rest) : std::nullopt;
        if (column && rest.starts_with(':')) {
            const std::string_view before = message.substr(0, colon);
            const auto blank = before.find_last_of(" \t");
            return source_position{before.substr(blank == before.npos ? 0 : blank + 1), *line,
                                   *column};
        }
    }
    return std::nullopt;
}

/// Returns true if a message about `file` is about a file that `source` includes.
[[nodiscard]] inline bool is_included(std::string_view file, std::string_view source) {
    const auto slash = file.rfind('/');
    const auto name = file.substr(slash == file.npos ? 0 : slash + 1);
    return name.ends_with(".h") || name.ends_with(".hpp") ||
           (name.find('.') != name.npos && source.find(name) != source.npos);
}

/// Line `number` of `text`, from 1, without its end of line; empty if `text` has fewer lines.
[[nodiscard]] inline std::string_view line_of(std::string_view text, std::size_t number) {
    for (; number > 1; --number) {
        const auto end = text.find('\n');
        if (end == text.npos) {
            return {};
        }
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    return text.substr(0, text.find('\r'));
}

/// The white space that puts a caret below `column` of `line`; tabs of `line` remain tabs.
[[nodiscard]] inline std::string indent_to(std::size_t column, std::string_view line) {
    std::string indent;
    for (const char c : line.substr(0, column - 1)) {
        const bool continues_a_character = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        if (!continues_a_character) {
            indent += c == '\t' ? '\t' : ' ';
        }
    }
    return indent;
}

inline constexpr std::size_t most_shown_lines = 100;  // in one log
inline constexpr std::size_t widest_shown_line =
    500;  // in bytes; generated lines may be far longer

/// `log` with, below each message, the line of `source` that it names and a caret below the column. A
/// message that already shows its line is left unchanged, and so are the messages after the first
/// `most_shown_lines` and those about longer lines than `widest_shown_line`.
[[nodiscard]] inline std::string with_source_lines(std::string_view log, std::string_view source) {
    std::string shown;
    std::size_t lines = 0;
    while (!log.empty()) {
        const std::string_view message = log.substr(0, log.find('\n'));
        log.remove_prefix(message.size() < log.size() ? message.size() + 1 : log.size());
        shown.append(message) += '\n';
        const auto position = position_in(message);
        if (lines == most_shown_lines || !position || position->line == 0 ||
            position->column == 0 || is_included(position->file, source)) {
            continue;
        }
        const std::string_view line = line_of(source, position->line);
        if (line.empty() || line.size() > widest_shown_line ||
            log.substr(0, log.find('\n')).ends_with(line)) {
            continue;
        }
        ++lines;
        const std::string number = std::to_string(position->line);
        shown += "    " + number + " | " + std::string{line} + "\n    " +
                 std::string(number.size(), ' ') + " | " + indent_to(position->column, line) +
                 "^\n";
    }
    return shown;
}

}  // namespace pointsman::opencl::detail
