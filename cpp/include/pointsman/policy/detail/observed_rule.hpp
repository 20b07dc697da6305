// SPDX-License-Identifier: Apache-2.0
// A rule that chooses as another one does, and records each choice and the end of each submission.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/info/execution_info.hpp"
#include "pointsman/policy/detail/choice_states.hpp"
#include "pointsman/policy/detail/observations.hpp"
#include "pointsman/policy/detail/resource_names.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/detail/task_names.hpp"
#include "pointsman/policy/explanation.hpp"
#include "pointsman/tuning/domain.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::detail {

template <class Policy>
struct has_rule {
    static_assert(
        requires { typename Policy::rule_type; },
        "only a policy with a rule can be observed: put one of the provided policies into "
        "observed_policy, such as round_robin_policy<int>");
    using type = typename Policy::rule_type;
};
/// The rule of a policy, which must have one.
template <class Policy>
using rule_of = typename has_rule<Policy>::type;

/// `Reports` with those of `More` that it lacks.
template <class Reports, class... More>
struct with_reports {
    using type = Reports;
};
template <class... Reports, class First, class... More>
struct with_reports<needed_reports<Reports...>, First, More...>
    : with_reports<
          std::conditional_t<(std::same_as<Reports, First> || ...), needed_reports<Reports...>,
                             needed_reports<Reports..., First>>,
          More...> {};

/// Stands for a task: asks a rule that measures for the record of its choice.
struct recorded_task {
    measured_record& record;
    pointsman::task_key key;

    [[nodiscard]] measured_record& recorder() const noexcept { return record; }
    [[nodiscard]] pointsman::task_key task_key() const noexcept { return key; }
};

/// A choice of `Rule` and the record of it.
template <class Choice>
struct observed_choice : Choice {
    ref<choice_record> record;
};

/// `Rule` with a record of each choice, and with `observations` of all submissions.
template <class Rule>
class observed_rule : public Rule {
  public:
    using choice = observed_choice<typename Rule::choice>;
    using reports =
        typename with_reports<typename Rule::reports, execution_info::task_submission_t,
                              execution_info::task_completion_t, execution_info::task_time_t>::type;

    template <class... Settings>
    explicit observed_rule(const std::vector<domain>& domains, Settings... settings)
        : Rule(rule_argument(domains), std::move(settings)...), seen_{domains} {}

    template <class... Task>
    [[nodiscard]] auto choose(std::size_t thread, const Task&... task) {
        Rule& rule = *this;
        return recorded([&](const auto&... asking) { return rule.choose(thread, asking...); },
                        task...);
    }
    template <class Suits, class... Task>
        requires requires(Rule& rule, const Suits& suits, const Task&... task) {
            rule.choose_among(std::size_t{}, suits, task...);
        }
    [[nodiscard]] std::optional<choice> choose_among(std::size_t thread, const Suits& suits,
                                                     const Task&... task) {
        Rule& rule = *this;
        return recorded(
            [&](const auto&... asking) { return rule.choose_among(thread, suits, asking...); },
            task...);
    }

    void add(const choice& chosen) {
        seen_.begin(chosen.index, *chosen.record);
        if constexpr (requires(Rule& rule) { rule.add(chosen); }) {
            Rule::add(chosen);
        }
    }
    void give_back(const choice& chosen) noexcept {
        seen_.end(chosen.index, *chosen.record);
        give_back_to_rule(chosen);
    }
    /// True for every task: its time is needed for the statistics, even if `Rule` does not learn from it.
    [[nodiscard]] static bool wants_time(const choice&) noexcept { return true; }
    void learn(const choice& chosen, std::chrono::nanoseconds time, bool exact) noexcept {
        seen_.took(chosen.index, *chosen.record, time);
        if constexpr (requires(Rule& rule) { rule.learn(chosen, time, exact); }) {
            Rule::learn(chosen, time, exact);
        }
    }
    void fail(const choice& chosen) noexcept {
        seen_.failed(chosen.index);
        refuse(chosen);
    }
    /// To the rule a task that refuses a resource has failed there, but nothing was submitted.
    void refuse(const choice& chosen) noexcept {
        if constexpr (requires(Rule& rule) { rule.fail(chosen); }) {
            Rule::fail(chosen);
        }
    }

    /// The reason for a choice, by its record.
    [[nodiscard]] std::string explain(const choice& chosen) const {
        if constexpr (records_choices<Rule>) {
            return Rule::explain(chosen.index, chosen.record->measured);
        } else {
            return Rule::explain(chosen);
        }
    }

    /// Explains a choice among `resources`, those of this rule.
    template <class Resource>
    [[nodiscard]] explanation explanation_of(const choice& chosen,
                                             const std::vector<Resource>& resources) const {
        explanation of{Rule::name, explain(chosen), unit, {}, chosen.index};
        if (chosen.record->seen_by != &seen_) {
            return of;
        }
        auto names = names_of(resources);
        auto states = states_of(chosen);
        if constexpr (compares_loads<Rule>) {
            of.reason += " (" + states[chosen.index].text + ")";
        }
        for (std::size_t i = 0; i < names.size(); ++i) {
            of.candidates.push_back(
                {std::move(names[i]), states[i].score, std::move(states[i].text)});
        }
        return of;
    }

    [[nodiscard]] const observations& seen() const noexcept { return seen_; }
    [[nodiscard]] const task_names& names() const noexcept { return names_; }

  private:
    static constexpr auto unit = records_choices<Rule>  ? "seconds"
                                 : compares_loads<Rule> ? "submissions"
                                                        : "";

    [[nodiscard]] std::vector<choice_state> states_of(const choice& chosen) const {
        const choice_record& record = *chosen.record;
        const std::span<const std::uint32_t> loads{record.loads.data(), record.recorded};
        if constexpr (records_choices<Rule>) {
            return states_by_time(record.measured, seen_.size());
        } else if constexpr (compares_loads<Rule>) {
            return states_by_load(loads, chosen.index, seen_.size());
        } else {
            return states_by_nothing(loads, chosen.index, seen_.size());
        }
    }

    /// Gives a choice back to `Rule` unless `keep` is called.
    class unrecorded_choice {
      public:
        unrecorded_choice(observed_rule& rule, const typename Rule::choice& chosen) noexcept
            : rule_{&rule}, chosen_{chosen} {}
        unrecorded_choice(const unrecorded_choice&) = delete;
        unrecorded_choice& operator=(const unrecorded_choice&) = delete;
        ~unrecorded_choice() {
            if (rule_ != nullptr) {
                rule_->give_back_to_rule(chosen_);
            }
        }
        void keep() noexcept { rule_ = nullptr; }

      private:
        observed_rule* rule_;
        const typename Rule::choice& chosen_;
    };

    static auto rule_argument(const std::vector<domain>& domains) {
        if constexpr (std::is_constructible_v<Rule, const std::vector<domain>&>) {
            return domains;
        } else {
            return domains.size();
        }
    }

    /// Returns what `ask(task...)` chose, and its record.
    template <class Ask, class... Task>
    auto recorded(Ask ask, const Task&... task) {
        auto record = make_ref<choice_record>();
        auto found = asked(ask, *record, task...);
        if constexpr (std::same_as<decltype(found), typename Rule::choice>) {
            return begun(found, std::move(record));
        } else {
            return found ? std::optional{begun(*found, std::move(record))}
                         : std::optional<choice>{};
        }
    }
    template <class Ask>
    static auto asked(Ask ask, choice_record&) {
        return ask();
    }
    template <class Ask, class F, class... Args>
    auto asked(Ask ask, choice_record& record, const F& f, const Args&... args) {
        if constexpr (records_choices<Rule>) {
            const task_key key = Rule::key_of(f, args...);
            names_.remember(key, [&] { return written_task(f, args...); });
            return ask(recorded_task{record.measured, key}, args...);
        } else {
            return ask(f, args...);
        }
    }
    choice begun(const typename Rule::choice& chosen, ref<choice_record> record) {
        record->seen_by = &seen_;
        unrecorded_choice unrecorded{*this, chosen};
        seen_.begin(chosen.index, *record);
        unrecorded.keep();
        if constexpr (compares_loads<Rule>) {
            record->recorded = record_loads(Rule::table(), record->loads);
        } else if constexpr (!records_choices<Rule>) {
            seen_.record_outstanding(*record);
        }
        return {chosen, std::move(record)};
    }
    void give_back_to_rule(const typename Rule::choice& chosen) noexcept {
        if constexpr (requires(Rule& rule) { rule.give_back(chosen); }) {
            Rule::give_back(chosen);
        }
    }

    observations seen_;
    task_names names_;
};

}  // namespace pointsman::detail
