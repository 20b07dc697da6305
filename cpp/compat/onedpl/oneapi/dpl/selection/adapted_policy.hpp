// SPDX-License-Identifier: Apache-2.0
// Makes a policy of oneDPL's name of one of pointsman's rules, over any backend that oneDPL's takes.
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "oneapi/dpl/selection/adapted_backend.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"

namespace oneapi::dpl::experimental::detail {

/// The policy as its selections and submissions name it.
template <class Rule, class Adapter, class Backend>
class core_policy : public pointsman::detail::rule_policy<core_policy<Rule, Adapter, Backend>, Rule,
                                                          Adapter, Backend> {
  public:
    using core_policy::rule_policy::rule_policy;
};

/// Base of the drop-in's policies, whose backends report `ReportReqs`. They differ from `core_policy` in the
/// backend that they name.
template <class Rule, class Adapter, class Backend, class... ReportReqs>
class adapted_policy
    : public core_policy<Rule, Adapter, adapted_backend_t<Backend, Adapter, ReportReqs...>> {
    using base = core_policy<Rule, Adapter, adapted_backend_t<Backend, Adapter, ReportReqs...>>;

  public:
    using backend_type = Backend;
    using base::base;
    /// What a selection or a submission says of its policy, which shares its state with this.
    template <std::same_as<base> Shared>
    adapted_policy(const Shared& shared) : base{shared} {}

    using base::initialize;
    /// Takes what becomes an adapter, too.
    template <std::convertible_to<Adapter> Given, class... Settings>
        requires(!std::same_as<Given, Adapter>)
    void initialize(const std::vector<typename base::resource_type>& resources, Given adapter,
                    Settings... settings) {
        base::initialize(resources, Adapter(std::move(adapter)), std::move(settings)...);
    }
};

}  // namespace oneapi::dpl::experimental::detail
