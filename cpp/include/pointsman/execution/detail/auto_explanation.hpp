// SPDX-License-Identifier: Apache-2.0
// What an auto_policy says of a choice.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace pointsman::execution {

/// Which policy ran an algorithm, and what is known of each that could have.
struct auto_explanation {
    struct candidate {
        std::string name;
        /// Of an algorithm on so many values of these types; empty while it was not measured.
        std::optional<std::chrono::nanoseconds> estimate;
    };

    std::string algorithm;
    std::vector<candidate> candidates;
    std::size_t chosen = 0;  ///< an index of `candidates`

    /// Such as "reduce ran under par: seq 91000 ns, par 48000 ns, unseq not measured".
    friend std::ostream& operator<<(std::ostream& out, const auto_explanation& e) {
        out << e.algorithm << " ran under " << e.candidates[e.chosen].name;
        for (std::size_t i = 0; i < e.candidates.size(); ++i) {
            const auto& [name, estimate] = e.candidates[i];
            out << (i == 0 ? ": " : ", ") << name;
            if (estimate) {
                out << ' ' << estimate->count() << " ns";
            } else {
                out << " not measured";
            }
        }
        return out;
    }
};

}  // namespace pointsman::execution
