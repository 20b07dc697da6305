// SPDX-License-Identifier: Apache-2.0
// Why a policy chose a resource, as data and as a sentence.
#pragma once

#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace pointsman {

/// A resource from which a policy chose.
struct explained_candidate {
    std::string name;  ///< as it is printed; "number 2 of 3" for a type that cannot be
    std::optional<double>
        score;          ///< what the policy compared, in the explanation's `unit`; the lowest wins
    std::string state;  ///< its load or time at the choice, or why it was left out
};

/// Why a policy chose a resource, by what the policy knew when it chose. `submission.explain()` of an
/// `observed_policy` returns it.
struct explanation {
    std::string policy;  ///< name of the rule, such as "earliest_finish"
    std::string
        reason;        ///< why the resource was chosen, such as "it was the turn of number 2 of 3"
    std::string unit;  ///< of the scores: "submissions", "seconds" or, without scores, empty
    /// All resources of the set from which the policy chose, with the scores and states of the first eight.
    /// Empty if a user-defined backend submitted a stored selection after the set had been replaced.
    std::vector<explained_candidate> candidates;
    std::size_t chosen = 0;  ///< an index into `candidates`

    /// For example "dynamic_load chose cpu: it had the fewest outstanding submissions (idle) (others: gpu:
    /// 2 outstanding)".
    friend std::ostream& operator<<(std::ostream& out, const explanation& e) {
        out << e.policy << " chose "
            << (e.candidates.empty() ? "a resource" : e.candidates[e.chosen].name) << ": "
            << e.reason;
        const char* before = " (others: ";
        for (std::size_t i = 0; i < e.candidates.size(); ++i) {
            if (i != e.chosen && !e.candidates[i].state.empty()) {
                out << before << e.candidates[i].name << ": " << e.candidates[i].state;
                before = "; ";
            }
        }
        return out << (*before == ';' ? ")" : "");
    }
};

}  // namespace pointsman
