// SPDX-License-Identifier: Apache-2.0
// Any log of a compiler and any source: every message is shown, and few lines are added.
#include "pointsman/resource/opencl/detail/build_log.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "target.hpp"

namespace {

using namespace pointsman::opencl::detail;
using pointsman::fuzz::check;

/// Returns true if `text` consists of the lines of `log`, in order, and of other lines.
bool has_all_lines(std::string_view text, std::string_view log) {
    while (!log.empty()) {
        const std::string_view line = log.substr(0, log.find('\n'));
        log.remove_prefix(std::min(line.size() + 1, log.size()));
        for (bool found = false; !found;) {
            if (text.empty()) {
                return false;
            }
            const std::string_view shown = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(shown.size() + 1, text.size()));
            found = shown == line;
        }
    }
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view source = pointsman::fuzz::text_of(data, size);
    const std::string_view log = pointsman::fuzz::take_text(source);
    const std::string shown = with_source_lines(log, source);
    check(has_all_lines(shown, log), "a message of the compiler is missing");
    constexpr std::size_t added = 2 * (widest_shown_line + 40);
    check(shown.size() <= log.size() + 1 + most_shown_lines * added, "too much text was added");
    return 0;
}
