// SPDX-License-Identifier: Apache-2.0
// The library's clock with a time that the simulation sets, in place of the machine's.
#pragma once

#include <chrono>

namespace pointsman {

/// As `pointsman/clock.hpp` declares it.
struct clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<clock>;
    static constexpr bool is_steady = true;

    [[nodiscard]] static time_point now() noexcept { return time_point{virtual_time}; }

    static inline duration virtual_time{};
};

}  // namespace pointsman
