// SPDX-License-Identifier: Apache-2.0
// Converts a resample time, given as a duration or a number of seconds, and checks its range.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdio>
#include <string>
#include <type_traits>

#include "pointsman/error.hpp"

namespace pointsman {
namespace detail {
template <class T>
inline constexpr bool is_duration_v = false;
template <class Rep, class Period>
inline constexpr bool is_duration_v<std::chrono::duration<Rep, Period>> = true;

[[noreturn]] inline void refuse_resample_time(double seconds) {
    char shown[32];
    std::snprintf(shown, sizeof shown, "%g", seconds);
    throw invalid_option{std::string{"resample_time is "} + shown +
                         " s: pass 0 (never_resample) or a positive time, at most 9e9 s"};
}
}  // namespace detail

/// A `std::chrono` duration of any unit and type, or a number of seconds.
template <class T>
concept time_span = detail::is_duration_v<T> || (std::is_arithmetic_v<T> && !std::same_as<T, bool>);

/// The `resample_time` of a policy for which the clock never triggers new measurements.
inline constexpr std::chrono::nanoseconds never_resample{};

/// Returns `time` in nanoseconds, rounded up, so that a positive time never becomes `never_resample`.
/// **Throws**: `invalid_option` for a time that is negative, infinite, not a number, or longer than 9e9
/// seconds (about 285 years), which nanoseconds can still represent.
template <time_span T>
[[nodiscard]] constexpr std::chrono::nanoseconds to_resample_time(T time) {
    using seconds = std::chrono::duration<double>;
    constexpr seconds longest{9e9};
    seconds given{};
    if constexpr (detail::is_duration_v<T>) {
        given = std::chrono::duration_cast<seconds>(time);
    } else {
        given = seconds{static_cast<double>(time)};
    }
    if (!(given >= seconds::zero() && given <= longest)) {
        detail::refuse_resample_time(given.count());
    }
    if constexpr (std::is_convertible_v<T, std::chrono::nanoseconds>) {
        return time;
    } else {
        return std::chrono::ceil<std::chrono::nanoseconds>(given);
    }
}

}  // namespace pointsman
