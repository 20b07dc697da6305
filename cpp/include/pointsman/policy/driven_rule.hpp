// SPDX-License-Identifier: Apache-2.0
// Drives the rule of a policy by hand, with tasks that are only a key, in a time that the caller advances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/error.hpp"
#include "pointsman/policy/detail/hazard.hpp"
#include "pointsman/policy/policy_state.hpp"
#include "pointsman/tuning/domain.hpp"
#include "pointsman/tuning/model_record.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman {

/// Calls the members of a `policy_state` as a policy does for each submission, but without resources, a
/// backend or the machine's clock. Use it to simulate a policy.
///
/// All submissions count as those of one thread.
/// **Thread safety**: none.
/// **Example**: `driven_rule<earliest_finish_rule> rule{domains};  auto chosen = rule.choose(key, now);`
template <class Rule>
class driven_rule {
  public:
    using choice = typename Rule::choice;
    /// True if a choice that was empty stays so until the next `complete`.
    static constexpr bool waits_for_completion = [] {
        if constexpr (requires { Rule::notifies_always; }) {
            return Rule::notifies_always;
        } else {
            return false;
        }
    }();

    /// For one resource of each of `domains`.
    /// **Throws**: `empty_resource_set` without domains; what the rule throws for `settings`.
    template <class... Settings>
    explicit driven_rule(const std::vector<domain>& domains, Settings... settings)
        : rule_(told_of(domains), std::move(settings)...) {
        static_cast<void>(
            detail::hazard_registry::thread());  // sums are over the registered threads
        if constexpr (requires { rule_.use_time(now_); }) {
            rule_.use_time(now_);
        }
    }
    driven_rule(const driven_rule&) = delete;
    driven_rule& operator=(const driven_rule&) = delete;

    /// The choice for a task of the kind `key` that is submitted at `now`; empty if it has to wait.
    [[nodiscard]] std::optional<choice> choose(const task_key& key, clock::duration now) {
        now_ = now;
        return rule_.choose(0, keyed_task{key});
    }
    /// The task of `chosen` is complete at `now`, `elapsed` after its submission.
    void complete(const choice& chosen, clock::duration elapsed, clock::duration now) {
        now_ = now;
        if constexpr (requires { rule_.learn(chosen, elapsed, true); }) {
            if (rule_.wants_time(chosen)) {
                rule_.learn(chosen, elapsed, true);
            }
        }
        if constexpr (requires { rule_.give_back(chosen); }) {
            rule_.give_back(chosen);
        }
    }

    /// What a rule that measures has learnt, as `rule_policy` has it.
    [[nodiscard]] std::vector<model_record> records() const
        requires requires(const Rule& rule) { rule.records(); }
    {
        return rule_.records();
    }
    void take(std::span<const model_record> known)
        requires requires(Rule& rule) { rule.take(known); }
    {
        rule_.take(known);
    }

  private:
    struct keyed_task {
        pointsman::task_key key;
        [[nodiscard]] pointsman::task_key task_key() const noexcept { return key; }
    };

    static auto told_of(const std::vector<domain>& domains) {
        if (domains.empty()) {
            throw empty_resource_set{};
        }
        if constexpr (std::is_constructible_v<Rule, const std::vector<domain>&>) {
            return domains;
        } else {
            return domains.size();
        }
    }

    clock::duration now_{};
    Rule rule_;
};

}  // namespace pointsman
