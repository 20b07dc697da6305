// SPDX-License-Identifier: Apache-2.0
// How a replay's resource is made of a recorded one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "pointsman/clock.hpp"

namespace pointsman::replay {

/// A resource of a replay, described by a recorded one.
struct recorded_place {
    std::string name{};
    std::string like{};                  ///< the recorded resource; that called `name` if empty
    double ratio = 1;                    ///< of the times there to those of `like`
    std::optional<std::size_t> slots{};  ///< tasks at a time; as recorded if empty
    std::optional<clock::duration> latency{};  ///< as recorded if empty
};

}  // namespace pointsman::replay
