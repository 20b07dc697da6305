// SPDX-License-Identifier: Apache-2.0
// Any text of a user-defined function in a program: it is kept as it is, once, before the kernel.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "pointsman/algorithm/opencl/engine/expression.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/error.hpp"
#include "target.hpp"

namespace {

using namespace pointsman::detail;
using pointsman::fuzz::check;

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// `mentions_half` by splitting the text into words.
bool has_word_half(std::string_view text) {
    std::string word;
    for (const char c : std::string{text} + " ") {
        if (is_word(c)) {
            word += c;
            continue;
        }
        if (word == "half" || (word.ends_with("_half") && c == '(')) {
            return true;
        }
        word.clear();
    }
    return false;
}

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

void check_program(const std::string& first, const std::string& second) {
    const std::string program = program_text({first, second, first}, "kernel");
    check(program.starts_with(opencl_prelude) && program.ends_with("kernel"), "the frame is kept");
    check(first.empty() || count_of(program, first) > 0, "a function is missing");
    const bool is_inside = ("\n" + first).find("\n" + second) != std::string::npos;
    const std::string both = is_inside ? first : first + second;
    check(program.ends_with(both + "kernel"), "each function is defined once, in order");
    check(mentions_half(both + "kernel") == has_word_half(both + "kernel"), "the word `half`");
}

void check_name(std::string_view name) {
    const bool is_identifier = !name.empty() &&
                               std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
                               std::all_of(name.begin(), name.end(), is_word);
    try {
        check(checked_name(name) == name, "a name is kept");
        check(is_identifier, "a name that is no identifier was accepted");
    } catch (const pointsman::invalid_option&) {
        check(!is_identifier, "an identifier was refused");
    }
}

void check_expression(std::string_view value) {
    const engine::element type{"float", "ushort", 2};
    const engine::expression computed{"", {type, type}, "", std::string{value}, type};
    const std::string text = engine::expression_text(computed, "float", 4);
    check(count_of(text, "    return " + std::string{value} + ";\n}\n") > 0, "the value is kept");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest = pointsman::fuzz::text_of(data, size);
    const std::string_view name = pointsman::fuzz::take_text(rest);
    const std::string first{pointsman::fuzz::take_text(rest)};
    check_name(name);
    check_program(first, std::string{rest});
    check_expression(first);
    return 0;
}
