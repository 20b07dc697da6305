// SPDX-License-Identifier: Apache-2.0
// What a device can do with any task, measured once, by which the first trials of a new task are ordered.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "pointsman/error.hpp"

namespace pointsman {

/// How fast a device starts work, moves memory, and is reached. Rates are in bytes each second.
struct device_speed {
    double launch = 0;  ///< nanoseconds until an empty task is complete
    double bandwidth =
        0;  ///< of a copy within its memory, which reads and writes each byte; 0: not measured
    double upload = 0;    ///< from the host's memory; 0 where the device works in that
    double download = 0;  ///< to the host's memory; 0 likewise

    /// Nanoseconds for a task that moves `bytes` there, through its memory and back; infinite if not measured.
    [[nodiscard]] double time_for(double bytes) const noexcept {
        constexpr double second = 1e9;
        const auto at = [&](double rate) { return rate > 0 ? second * bytes / rate : 0; };
        return bandwidth > 0 ? launch + at(bandwidth) + at(upload) + at(download)
                             : std::numeric_limits<double>::infinity();
    }
    /// Returns false for numbers that no measurement has.
    [[nodiscard]] bool is_possible() const noexcept {
        const auto is_amount = [](double x) {
            return x >= 0 && x <= std::numeric_limits<double>::max();
        };
        return is_amount(launch) && is_amount(bandwidth) && bandwidth > 0 && is_amount(upload) &&
               is_amount(download);
    }
    /// **Throws**: `invalid_option`, which names `owner`, unless `is_possible()`.
    void check(const std::string& owner) const {
        if (!is_possible()) {
            throw invalid_option{"the speed of " + owner + " has launch " + std::to_string(launch) +
                                 " ns, bandwidth " + std::to_string(bandwidth) + ", upload " +
                                 std::to_string(upload) + " and download " +
                                 std::to_string(download) +
                                 " bytes/s: pass measured numbers, a bandwidth above 0 and none "
                                 "negative"};
        }
    }
    friend bool operator==(const device_speed&, const device_speed&) = default;
};

/// The speed of one resource of a `cost_model`.
struct model_speed {
    std::size_t resource = 0;  ///< its index
    device_speed speed{};
};

}  // namespace pointsman
