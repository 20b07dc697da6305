// SPDX-License-Identifier: Apache-2.0
// The entry point that libFuzzer and replay.cpp call, and the check that every target uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

/// Handles one input: `size` bytes at `data`. Ends the process if a promise is broken.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace pointsman::fuzz {

/// Ends the process, so that the fuzzer keeps the input, unless `holds`.
inline void check(bool holds, const char* promise) {
    if (!holds) {
        std::fprintf(stderr, "broken promise: %s\n", promise);
        std::abort();
    }
}

[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Removes the front of `text` up to a NUL, or all of it, and returns that part without the NUL.
[[nodiscard]] inline std::string_view take_text(std::string_view& text) {
    const std::string_view taken = text.substr(0, text.find('\0'));
    text.remove_prefix(taken.size() < text.size() ? taken.size() + 1 : taken.size());
    return taken;
}

}  // namespace pointsman::fuzz
