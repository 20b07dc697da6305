// SPDX-License-Identifier: Apache-2.0
// A policy that chooses as another one does, and can say why it chose and what happened.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "pointsman/policy/detail/observed_rule.hpp"
#include "pointsman/policy/detail/resource_names.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/policy_statistics.hpp"
#include "pointsman/policy/round_robin_policy.hpp"

namespace pointsman {

/// A policy by the rule of `Policy`, one of the provided policies, that records each choice and times each
/// submission. Use it to see why work went where it went, and how busy the resources are. Constructors,
/// settings and all other members are those of `Policy`.
///
/// `submission.explain()` returns an `explanation` by what the rule knew when it chose, whatever was measured
/// since; so does `explain(selection)` as a sentence.
///
/// **Needs**: the reports of `Policy`, and `task_submission`, `task_completion` and `task_time`.
/// **Throws**: as `Policy`.
/// **Thread safety**: all members from any thread; copies share what has been observed.
/// **Cost**: an allocation, five locks and four clock reads for each submission, and 1 to 2 KiB for each resource;
/// other policies pay nothing.
/// **Example**: `observed_policy<auto_tune_policy<arena>> p;  submit(p, work);  std::cout << p.statistics();`
template <class Policy>
class observed_policy
    : public detail::rule_policy<observed_policy<Policy>,
                                 detail::observed_rule<detail::rule_of<Policy>>,
                                 typename Policy::adapter_type, typename Policy::backend_type> {
  public:
    using observed_policy::rule_policy::rule_policy;

    /// Returns what has been seen of the resources since the last `initialize`, and of rules that measure the
    /// estimates of the `most_kinds` kinds of task with the most submissions.
    /// **Throws**: `not_initialized` before the first `initialize`.
    [[nodiscard]] policy_statistics statistics(std::size_t most_kinds = 10) const {
        const auto current = this->backend_.current();
        const auto& rule = current->set->state;
        policy_statistics all = rule.seen().read();
        all.policy = Policy::rule_type::name;
        auto names = detail::names_of(current->set->resources);
        for (std::size_t i = 0; i < names.size(); ++i) {
            all.resources[i].name = std::move(names[i]);
        }
        if constexpr (requires { rule.most_used_kinds(most_kinds); }) {
            for (const auto& kind : rule.most_used_kinds(most_kinds)) {
                all.kinds.push_back(learnt(kind, rule.names().name_of(kind.key)));
            }
        }
        return all;
    }

  private:
    template <class Kind>
    static kind_statistics learnt(const Kind& kind, std::string name) {
        kind_statistics of{std::move(name), {}, {}};
        for (const auto& timings : kind.resources) {
            of.estimates.push_back(timings.mean);
        }
        const auto best = std::ranges::min_element(
            of.estimates, [](const auto& a, const auto& b) { return a && (!b || *a < *b); });
        if (best != of.estimates.end() && *best) {
            of.best = static_cast<std::size_t>(best - of.estimates.begin());
        }
        return of;
    }
};

static_assert(detail::policy_by_rule<observed_policy<round_robin_policy<detail::sample_resource>>>);

}  // namespace pointsman
