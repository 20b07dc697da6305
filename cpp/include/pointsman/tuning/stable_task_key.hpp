// SPDX-License-Identifier: Apache-2.0
// A key for a kind of task that is the same in every process.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "pointsman/tuning/size_class.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman {

/// Returns a hash of `text` that is the same in every process (FNV-1a, 64 bits).
[[nodiscard]] constexpr std::uint64_t stable_hash(
    std::string_view text, std::uint64_t seed = 0xcbf29ce484222325ULL) noexcept {
    for (const char each : text) {
        seed = (seed ^ static_cast<unsigned char>(each)) * 0x100000001b3ULL;
    }
    return seed;
}

/// Returns the key of the task `name` with `args`, for the `task_key()` of a callable whose timings are to be
/// kept in a `history`: a key by the callable's type is another one in each process. `fingerprint` identifies
/// the code, such as the text of its kernel: where it changed, the task is measured anew.
/// **Example**: `pointsman::task_key task_key() const { return stable_task_key("triad", kernel_text, size); }`
template <class... Args>
[[nodiscard]] task_key stable_task_key(std::string_view name, std::string_view fingerprint,
                                       const Args&... args) {
    std::uint64_t sizes = sizeof...(Args);
    ((sizes = sizes * detail::size_classes + size_class<std::remove_cvref_t<Args>>::of(args)), ...);
    constexpr std::string_view between{"\0", 1};
    return {
        stable_hash(fingerprint, stable_hash(between, stable_hash(name))) | task_key::stable_mark,
        sizes};
}

}  // namespace pointsman
