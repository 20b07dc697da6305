// SPDX-License-Identifier: Apache-2.0
// How a cost model learns: whether at all, when it measures again, how often short tasks are timed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "pointsman/tuning/resample_time.hpp"

namespace pointsman {

/// Whether a cost model learns.
enum class learning_mode : std::uint8_t {
    learning,
    frozen,  ///< goes by the records that it was given, and neither measures nor learns
};

/// The settings of a `cost_model`. A `time_span` alone sets `resample_time`.
struct learning_settings {
    std::chrono::nanoseconds resample_time{};  ///< zero: the clock never triggers new measurements
    /// How many runs in a row a measurement takes. With 2 or more, a run right after one on another
    /// resource is left out of the statistics: its threads may be asleep and its data in other caches.
    std::uint32_t runs_in_a_row = 1;
    /// Tasks of at least this length are all timed. Of shorter ones, one is timed for about four times this
    /// much work, so that timing takes 2 % at most.
    std::chrono::nanoseconds always_timed = std::chrono::microseconds{10};

    learning_mode mode = learning_mode::learning;
    /// While frozen, the resource for callables without a record; without it they throw `unknown_kind`.
    std::optional<std::size_t> default_resource{};

    constexpr learning_settings() noexcept = default;
    /// **Throws**: as `to_resample_time`.
    template <time_span Time>
    constexpr learning_settings(Time resample_time_)
        : resample_time{to_resample_time(resample_time_)} {}
};

}  // namespace pointsman
