// SPDX-License-Identifier: Apache-2.0
// Explains which policy an auto_policy chose, with the estimates of all candidates.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "pointsman/base/written_time.hpp"

namespace pointsman::execution {

/// Which policy ran an algorithm, and the estimate of each candidate.
struct auto_explanation {
    struct candidate {
        std::string name;
        /// The expected time for these types and about this number of values; empty if not measured.
        std::optional<std::chrono::nanoseconds> estimate;
    };

    std::string algorithm;
    std::vector<candidate> candidates;
    std::size_t chosen = 0;  ///< an index into `candidates`

    /// For example "reduce ran under par: seq 91 µs, par 48 µs, unseq not measured".
    friend std::ostream& operator<<(std::ostream& out, const auto_explanation& e) {
        out << e.algorithm << " ran under " << e.candidates[e.chosen].name;
        for (std::size_t i = 0; i < e.candidates.size(); ++i) {
            const auto& [name, estimate] = e.candidates[i];
            out << (i == 0 ? ": " : ", ") << name;
            if (estimate) {
                out << ' '
                    << pointsman::detail::written_time(static_cast<double>(estimate->count()));
            } else {
                out << " not measured";
            }
        }
        return out;
    }
};

}  // namespace pointsman::execution
