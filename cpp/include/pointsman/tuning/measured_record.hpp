// SPDX-License-Identifier: Apache-2.0
// What a rule that measures knew and compared when it chose, recorded for tasks that ask for it.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace pointsman::detail {

/// Why a rule that measures took a resource.
enum class measured_reason : std::uint8_t {
    first_timing,    ///< to measure it, as it had no timing for this kind of task
    another_timing,  ///< to measure it again
    lowest_score,
    pinned,      ///< the kind of task is pinned to it
    by_default,  ///< a frozen model has no record of this kind of task
};

/// A resource as a rule saw it when it chose. Infinite values are unknown, or were not compared.
struct measured_candidate {
    float time;   ///< expected nanoseconds of the task if it runs alone
    float score;  ///< what the rule compared, in nanoseconds; the lowest wins
};

/// What a rule knew of the first resources when it chose. Valid once a rule has written it: it has no
/// initial values, so that a task may have one at no cost.
struct measured_record {
    static constexpr std::size_t most = 8;

    std::array<measured_candidate, most> candidates;
    std::uint32_t size;        ///< number of valid candidates
    std::uint8_t failing;      ///< a bit for each candidate that was left out as it had failed
    std::uint8_t from_others;  ///< a bit for each whose time was predicted from other sizes
    measured_reason reason;
};

/// Used instead of a pointer to the record of a task that asks for none.
struct no_record {};

/// True for a pointer to a record; false for `no_record`.
template <class Record>
inline constexpr bool is_record_v = std::same_as<Record, measured_record*>;

/// Returns a pointer to the record for which a task asks by a callable with a `recorder()`, or else a
/// `no_record`. The rule is compiled for both, so that a choice without a record has no code for one.
template <class F, class... Args>
[[nodiscard, gnu::always_inline]] inline auto record_of(const F& f, const Args&...) noexcept {
    if constexpr (requires {
                      { f.recorder() } -> std::same_as<measured_record&>;
                  }) {
        return &f.recorder();
    } else {
        return no_record{};
    }
}

}  // namespace pointsman::detail
