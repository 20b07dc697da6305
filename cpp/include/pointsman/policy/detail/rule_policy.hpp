// SPDX-License-Identifier: Apache-2.0
// Makes a policy from a rule: adds constructors, state, deduction guides and checks.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/fwd.hpp"
#include "pointsman/policy/policy.hpp"
#include "pointsman/policy/policy_base.hpp"
#include "pointsman/policy/policy_state.hpp"
#include "pointsman/policy/selection.hpp"
#include "pointsman/resource/resource.hpp"
#include "pointsman/tuning/domain.hpp"

namespace pointsman::detail {

/// The events that a backend has to report for a rule, as tags of `execution_info`.
template <class... Reports>
struct needed_reports {};

/// The types of a rule's constructor arguments after the resources; trailing ones may be left out.
template <class... Settings>
struct rule_settings {};

/// A choice that consists of the index alone.
struct chosen_index {
    std::size_t index;
};

/// Returns "number 2 of 3" for index 1: the sentences of `explain` count from one.
[[nodiscard]] inline std::string number_of(std::size_t index, std::size_t size) {
    return "number " + std::to_string(index + 1) + " of " + std::to_string(size);
}

/// The members of every policy with a rule, except the constructors that take settings.
template <class Policy, class Rule, class ResourceAdapter, class Backend,
          class Reports = typename Rule::reports>
class rule_frame;
template <class Policy, class Rule, class ResourceAdapter, class Backend, class... Reports>
class rule_frame<Policy, Rule, ResourceAdapter, Backend, needed_reports<Reports...>>
    : public policy_base<Policy, ResourceAdapter, Backend, Reports...> {
    using base = policy_base<Policy, ResourceAdapter, Backend, Reports...>;

  public:
    using typename base::resource_type;
    using adapter_type = ResourceAdapter;
    using rule_type = Rule;
    using selection_type = typename base::state_selection;

    /// The rule, constructed for the resources of the policy.
    struct state_type : Rule {
        template <class... Settings>
        explicit state_type(const std::vector<resource_type>& resources, Settings... settings)
            : Rule(rule_argument(resources), std::move(settings)...) {}

      private:
        /// Returns the rule's first argument: the domains of the resources, or else their number.
        static auto rule_argument(const std::vector<resource_type>& resources) {
            if constexpr (std::is_constructible_v<Rule, const std::vector<domain>&>) {
                std::vector<domain> domains;
                for (const resource_type& each : resources) {
                    domains.push_back(domain_of(each));
                }
                return domains;
            } else {
                return resources.size();
            }
        }
    };

    explicit rule_frame(deferred_initialization_t) {}
    explicit rule_frame() { base::initialize(); }
    explicit rule_frame(const std::vector<resource_type>& resources) {
        base::initialize(resources);
    }
    rule_frame(const std::vector<resource_type>& resources, ResourceAdapter adapter) {
        base::initialize(resources, std::move(adapter));
    }

    /// Returns the outstanding submissions by resource.
    [[nodiscard]] std::vector<std::size_t> loads() const
        requires requires(const Rule& rule) { rule.loads(); }
    {
        return this->backend_.current()->set->state.loads();
    }

    /// Returns the estimated time of a task (a function and its arguments, as for `submit`) on each
    /// resource; empty for a resource without an estimate.
    template <class... Task>
        requires requires(Rule& rule, const Task&... task) { rule.estimates(task...); }
    [[nodiscard]] auto estimates(const Task&... task) const {
        return this->backend_.current()->set->state.estimates(task...);
    }

    /// Returns what the policy has learnt of its present resources, as plain data; `take` hands it to a policy
    /// of another process, in which the records' resources have the same indices. What is taken over is not
    /// measured again; a kind and resource that has timings keeps them. See `policy_history`.
    /// **Throws**: `take` throws `invalid_option` for a record that is not from timings or of no resource.
    [[nodiscard]] auto records() const
        requires requires(const Rule& rule) { rule.records(); }
    {
        return this->backend_.current()->set->state.records();
    }
    template <class Records>
        requires requires(Rule& rule, const Records& known) { rule.take(known); }
    void take(const Records& known) {
        this->backend_.current()->set->state.take(known);
    }
    /// As the members of `cost_model` with these names.
    template <class Speeds>
        requires requires(Rule& rule, const Speeds& speeds) { rule.expect(speeds); }
    void expect(const Speeds& speeds) {
        this->backend_.current()->set->state.expect(speeds);
    }
    template <class Pins>
        requires requires(Rule& rule, const Pins& pins) { rule.pin(pins); }
    void pin(const Pins& pins) {
        this->backend_.current()->set->state.pin(pins);
    }
};

/// Adds constructors that take `Setting` and all of `Others`; those of `Frame` take fewer settings.
template <class Frame, class Setting, class... Others>
class with_constructors : public Frame {
    using resources_type = std::vector<typename Frame::resource_type>;

  public:
    using Frame::Frame;
    /// Takes the default set. The type of the first setting is deduced, which is impossible for the `{3}` in
    /// `policy{{3}}`: that is a set.
    template <std::convertible_to<Setting> Given>
        requires(!is_vector_v<Setting>)
    explicit with_constructors(Given setting, Others... others) : Frame{deferred_initialization} {
        this->initialize(static_cast<Setting>(setting), std::move(others)...);
    }
    with_constructors(const resources_type& resources, Setting setting, Others... others)
        : Frame{deferred_initialization} {
        this->initialize(resources, std::move(setting), std::move(others)...);
    }
    with_constructors(const resources_type& resources, typename Frame::adapter_type adapter,
                      Setting setting, Others... others)
        : Frame{deferred_initialization} {
        this->initialize(resources, std::move(adapter), std::move(setting), std::move(others)...);
    }
};

/// `Frame` with a constructor for each number of settings: `Given` are done, `Left` are to be added.
template <class Frame, class Given, class Left>
struct constructible {
    using type = Frame;
};
template <class Frame, class... Given, class Next, class... Left>
struct constructible<Frame, rule_settings<Given...>, rule_settings<Next, Left...>>
    : constructible<with_constructors<Frame, Given..., Next>, rule_settings<Given..., Next>,
                    rule_settings<Left...>> {};

template <class Policy, class Rule, class ResourceAdapter, class Backend>
using rule_policy_base = typename constructible<rule_frame<Policy, Rule, ResourceAdapter, Backend>,
                                                rule_settings<>, typename Rule::settings>::type;

/// CRTP base of a policy that chooses by `Rule`; the policy inherits its constructors with
/// `using <policy>::rule_policy::rule_policy`.
///
/// A rule is a pure object, constructed as `Rule(size, settings...)` for `size` resources, or with their
/// domains instead of `size`: it depends on no resources and no backend, so it is tested without them. It
/// is the policy's state, so `policy_base` and `policy_state` describe its members. Two member types
/// describe its inputs: `settings`, a `rule_settings`, and `reports`, a `needed_reports`. If the rule has
/// `loads()` or `estimates(task...)`, the policy has them too.
template <class Policy, class Rule, class ResourceAdapter, class Backend>
class rule_policy : public rule_policy_base<Policy, Rule, ResourceAdapter, Backend> {
    using base = rule_policy_base<Policy, Rule, ResourceAdapter, Backend>;

  public:
    using base::base;
};

/// Requirements on every provided policy.
template <class T>
concept policy_by_rule =
    policy<T> && policy_state<typename T::state_type> && selection<typename T::selection_type> &&
    requires(const typename T::state_type& rule, const typename T::state_type::choice& chosen) {
        { rule.explain(chosen) } -> std::same_as<std::string>;
    };

}  // namespace pointsman::detail

// clang-format off
/// Deduction guides for a policy that is given its resources in a vector or in braces, with or without an
/// adapter; `setting_` and at most one more argument are the types of its settings.
#define POINTSMAN_GUIDES_FOR_RESOURCES(policy_, setting_, ...)                                       \
    template <class Resource>                                                                        \
    policy_(const std::vector<Resource>&, setting_ = {} __VA_OPT__(, __VA_ARGS__ = {}))              \
        -> policy_<Resource>;                                                                        \
    template <pointsman::detail::listed_resource Resource>                                           \
    policy_(std::initializer_list<Resource>, setting_ = {} __VA_OPT__(, __VA_ARGS__ = {}))           \
        -> policy_<Resource>;                                                                        \
    template <class Resource, class Adapter>                                                         \
        requires(!std::is_convertible_v<Adapter, setting_>)                                          \
    policy_(const std::vector<Resource>&, Adapter, setting_ = {} __VA_OPT__(, __VA_ARGS__ = {}))     \
        -> policy_<Resource, Adapter>;                                                               \
    template <pointsman::detail::listed_resource Resource, class Adapter>                            \
        requires(!std::is_convertible_v<Adapter, setting_>)                                          \
    policy_(std::initializer_list<Resource>, Adapter, setting_ = {} __VA_OPT__(, __VA_ARGS__ = {}))  \
        -> policy_<Resource, Adapter>

/// As above, and the guides for the default set of `any_resource`.
#define POINTSMAN_POLICY_GUIDES(policy_, setting_, ...)                                              \
    template <class Resource = any_resource>                                                         \
    explicit policy_(deferred_initialization_t) -> policy_<Resource>;                                \
    template <class Resource = any_resource>                                                         \
        requires(!detail::is_vector_v<setting_>)                                                     \
    explicit policy_(setting_ __VA_OPT__(, __VA_ARGS__ = {})) -> policy_<Resource>;                  \
    POINTSMAN_GUIDES_FOR_RESOURCES(policy_, setting_ __VA_OPT__(, ) __VA_ARGS__)
// clang-format on
