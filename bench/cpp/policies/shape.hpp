// SPDX-License-Identifier: Apache-2.0
// Shapes of workload from the literature, on machines of any number of resources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pointsman/replay/place.hpp"
#include "pointsman/replay/workload.hpp"

namespace bench::policies {

/// Tasks and the machine for them. As many tasks arrive as the machine can do.
struct scenario {
    pointsman::replay::workload work{};
    std::vector<pointsman::replay::place> places{};
    std::vector<std::uint32_t>
        speeds{};  ///< of the places at the begin, for policies that take weights
};

/// A shape, with random details that depend on the seed.
struct shape {
    std::string name;
    std::function<scenario(std::size_t places, std::size_t tasks, std::uint64_t seed)> draw;
};

/// Returns the shapes, in the order of the table.
[[nodiscard]] const std::vector<shape>& all_shapes();

}  // namespace bench::policies
