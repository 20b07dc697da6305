// SPDX-License-Identifier: Apache-2.0
// Simulated workloads: jobs on a machine, with the shortest time in which they can be completed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "chooser.hpp"
#include "machine.hpp"

namespace bench::choice {

/// Jobs, of which `outstanding` are submitted and incomplete at any time.
struct workload {
    machine hardware;
    std::vector<job> jobs{};
    std::size_t outstanding = 1;
    std::size_t passes = 1;  ///< runs of the jobs by the same chooser; the last one counts
    bool restarts = false;   ///< the last pass is another process
    time_ns ideal = 0;       ///< of one pass
};

/// A kind of workload, with random details that depend on the seed.
struct scene {
    std::string name;
    std::function<workload(std::uint64_t seed)> draw;
    std::map<std::string, double> bounds{};  ///< of the ratio to the ideal, by rule; 0: not checked
};

/// Returns the scenes in which rules are compared.
[[nodiscard]] const std::vector<scene>& all_scenes();

/// Returns the time of the last pass with `choose`, divided by the ideal time.
[[nodiscard]] double ratio_to_ideal(const workload& work, chooser& choose);

}  // namespace bench::choice
