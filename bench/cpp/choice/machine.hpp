// SPDX-License-Identifier: Apache-2.0
// The machines and the jobs of the scenes; pointsman::replay simulates them.
#pragma once

#include <cstddef>
#include <vector>

#include "pointsman/replay/machine.hpp"
#include "pointsman/replay/place.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace bench::choice {

using pointsman::replay::time_ns;

/// Runs up to `slots` tasks at a time, each with `threads` threads of its domain.
struct server {
    std::size_t domain = 0;
    std::size_t slots = 1;
    double threads = 1;
    time_ns latency = 0;  ///< from a submission until the task can start
};

/// The servers, and how many threads of each domain run at full speed at the same time.
struct machine {
    std::vector<server> servers{};
    std::vector<double> capacity{};
};

/// Returns the servers as places of a replay.
[[nodiscard]] std::vector<pointsman::replay::place> places_of(const machine& hardware);

/// Returns servers with one slot each that share no hardware.
[[nodiscard]] machine separate_servers(std::size_t count);

/// A task: its kind, and how long it takes alone on each server.
struct job {
    pointsman::task_key key;
    std::vector<time_ns> costs{};
    bool is_left_out = false;  ///< not counted in the result, such as an outlier
};

}  // namespace bench::choice
