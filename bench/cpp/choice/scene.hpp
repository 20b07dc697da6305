// SPDX-License-Identifier: Apache-2.0
// A workload on a machine, with the least time in which it can be done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "chooser.hpp"
#include "machine.hpp"

namespace bench::choice {

/// Jobs that are submitted while fewer than `outstanding` are incomplete.
struct workload {
    machine hardware;
    std::vector<job> jobs{};
    std::size_t outstanding = 1;
    std::size_t passes = 1;  ///< the jobs once more, with what was learnt; the last pass counts
    time_ns ideal = 0;       ///< of one pass
};

/// A kind of workload, drawn anew for each seed.
struct scene {
    std::string name;
    std::function<workload(std::uint64_t seed)> draw;
    double bound = 0;  ///< of the ratio to the ideal, for earliest_finish; 0: not checked
};

/// The scenes by which policies are compared.
[[nodiscard]] const std::vector<scene>& all_scenes();

/// The time that the last pass takes with `choose`, over the ideal.
[[nodiscard]] double ratio_to_ideal(const workload& work, chooser& choose);

}  // namespace bench::choice
