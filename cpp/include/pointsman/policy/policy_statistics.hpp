// SPDX-License-Identifier: Apache-2.0
// What a policy has seen of its resources and kinds of task, printed as a table.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "pointsman/policy/detail/text_table.hpp"

namespace pointsman {

/// What a policy has seen of one resource since it was initialised.
struct resource_statistics {
    using duration = std::chrono::nanoseconds;

    std::string name;               ///< as it is printed; "number 2 of 3" for a type that cannot be
    std::uint64_t completed = 0;    ///< submissions that succeeded
    std::uint64_t failed = 0;       ///< submissions that failed or were cancelled
    std::uint64_t outstanding = 0;  ///< submissions, and selections that were not submitted yet
    duration busy{};                ///< how long at least one submission was outstanding
    double utilisation = 0;  ///< `busy` as a share of the time since the policy was initialised
    std::optional<duration> mean;    ///< time from submission to completion, over successes
    std::optional<duration> median;  ///< within 1.6 %
    std::optional<duration> p95;     ///< 95 % took no longer, within 1.6 %
    duration waited{};               ///< part of these times spent waiting for other submissions

    /// All submissions whose end has been noticed or is awaited.
    [[nodiscard]] std::uint64_t submissions() const noexcept {
        return completed + failed + outstanding;
    }
};

/// What a measuring policy has learnt of one kind of task.
struct kind_statistics {
    std::string name;  ///< of the callable, and the sizes of its arguments: "blur(2^20)"
    /// The expected time of a task that runs alone, by resource; empty if it was not measured.
    std::vector<std::optional<std::chrono::nanoseconds>> estimates;
    std::optional<std::size_t> best;  ///< the index of the resource with the shortest time
};

/// A snapshot of what a policy has seen, made by `statistics()` of an `observed_policy`.
/// **Example**: `std::cout << policy.statistics();`
struct policy_statistics {
    std::string policy;                          ///< name of the rule, such as "auto_tune"
    std::chrono::nanoseconds observed{};         ///< since the policy was initialised
    std::vector<resource_statistics> resources;  ///< in the order of the set
    std::vector<kind_statistics> kinds;  ///< the most used first; none of rules that do not measure

    /// Prints a table with a row for each resource and, if there are kinds, one with a row for each kind. A
    /// star marks the best resource.
    friend std::ostream& operator<<(std::ostream& out, const policy_statistics& s) {
        out << s.policy << ", observed for " << detail::written(s.observed) << '\n';
        out << detail::text_table(s.resource_rows());
        return s.kinds.empty() ? out : out << '\n' << detail::text_table(s.kind_rows());
    }

  private:
    [[nodiscard]] std::vector<std::vector<std::string>> resource_rows() const {
        std::vector<std::vector<std::string>> rows{{"resource", "submissions", "failed",
                                                    "outstanding", "busy", "utilisation", "mean",
                                                    "median", "p95", "waited"}};
        for (const auto& each : resources) {
            rows.push_back({each.name, std::to_string(each.submissions()),
                            std::to_string(each.failed), std::to_string(each.outstanding),
                            detail::written(each.busy), detail::written_share(each.utilisation),
                            detail::written(each.mean), detail::written(each.median),
                            detail::written(each.p95), detail::written(each.waited)});
        }
        return rows;
    }
    [[nodiscard]] std::vector<std::vector<std::string>> kind_rows() const {
        std::vector<std::vector<std::string>> rows{{"kind of task"}};
        for (const auto& each : resources) {
            rows.front().push_back(each.name);
        }
        for (const auto& kind : kinds) {
            rows.push_back({kind.name});
            for (std::size_t i = 0; i < kind.estimates.size(); ++i) {
                rows.back().push_back(detail::written(kind.estimates[i]) +
                                      (kind.best == i ? " *" : ""));
            }
        }
        return rows;
    }
};

}  // namespace pointsman
