// SPDX-License-Identifier: Apache-2.0
// Runs a workload in virtual time under a policy of choice.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "pointsman/policy/driven_rule.hpp"
#include "pointsman/replay/detail/run.hpp"
#include "pointsman/replay/place.hpp"
#include "pointsman/replay/result.hpp"
#include "pointsman/replay/workload.hpp"

namespace pointsman::replay {

/// Whether a result has a `placement` for each task: 40 bytes each.
enum class placements : std::uint8_t { kept, dropped };

/// Runs `work` on `places` in virtual time under `rule`, which is made for their domains and has chosen nothing
/// yet. Use `replay` for a policy of the library.
/// **Throws**: `invalid_option` for a workload that submits a task twice or never or waits for ever, and for a
/// rule that finds no resource; what the rule throws.
/// **Thread safety**: calls with distinct rules may overlap.
/// **Cost**: less than a microsecond for each task, and what the rule takes.
template <class Rule>
[[nodiscard]] result run(const workload& work, const std::vector<place>& places,
                         driven_rule<Rule>& rule, placements kept = placements::kept) {
    work.check();
    return detail::run<driven_rule<Rule>>{work, places, rule, kept == placements::kept}.make();
}

/// Runs `work` on `places` in virtual time under a policy, with its rule and `settings` as in a program.
/// Equal arguments give equal results, under `random_policy` with a seed.
///
/// **Throws**: `empty_resource_set` without places; as `run`; what the policy throws for the settings.
/// **Thread safety**, **Cost**: as `run`.
/// **Example**:
///
///     namespace replay = pointsman::replay;
///     const auto made = replay::replay<pointsman::earliest_finish_policy>(work, places);
///     std::cout << made.makespan / replay::makespan_bound(work, places);
template <template <class...> class Policy, class... Settings>
[[nodiscard]] result replay(const workload& work, const std::vector<place>& places,
                            Settings... settings) {
    driven_rule<typename Policy<int>::rule_type> rule{domains_of(places), std::move(settings)...};
    return run(work, places, rule);
}

}  // namespace pointsman::replay
