// SPDX-License-Identifier: Apache-2.0
// Base of the drop-in's policies: a rule of pointsman over any backend that oneDPL's policy accepts.
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "oneapi/dpl/selection/adapted_backend.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"

namespace oneapi::dpl::experimental::detail {

/// The type of the policy that selections and submissions return.
template <class Rule, class Adapter, class Backend>
class core_policy : public pointsman::detail::rule_policy<core_policy<Rule, Adapter, Backend>, Rule,
                                                          Adapter, Backend> {
  public:
    using core_policy::rule_policy::rule_policy;
};

/// Base of the drop-in's policies, whose backends report `ReportReqs`. Their `backend_type` is the user's
/// backend; that of `core_policy` is the adapted one.
template <class Rule, class Adapter, class Backend, class... ReportReqs>
class adapted_policy
    : public core_policy<Rule, Adapter, adapted_backend_t<Backend, Adapter, ReportReqs...>> {
    using base = core_policy<Rule, Adapter, adapted_backend_t<Backend, Adapter, ReportReqs...>>;

  public:
    using backend_type = Backend;
    using base::base;
    /// Converts the policy that a selection or a submission returns; both share the state.
    template <std::same_as<base> Shared>
    adapted_policy(const Shared& shared) : base{shared} {}

    using base::initialize;
    /// Also accepts objects that are convertible to the adapter.
    template <std::convertible_to<Adapter> Given, class... Settings>
        requires(!std::same_as<Given, Adapter>)
    void initialize(const std::vector<typename base::resource_type>& resources, Given adapter,
                    Settings... settings) {
        base::initialize(resources, Adapter(std::move(adapter)), std::move(settings)...);
    }
};

}  // namespace oneapi::dpl::experimental::detail
