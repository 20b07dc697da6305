// SPDX-License-Identifier: Apache-2.0
// Makes policies whose rules do not look at loads count them all the same, for `loads()` in Python.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "pointsman/binding/policy.hpp"

namespace pointsman::python {

/// `Rule` with a count of what is outstanding on each resource. The rule itself does not see it.
template <class Rule>
class counted_rule : public Rule {
  public:
    using typename Rule::choice;

    template <class... Settings>
    explicit counted_rule(std::size_t size, Settings... settings)
        : Rule(size, std::move(settings)...), loads_{size} {}

    template <class... Task>
    [[nodiscard, gnu::always_inline]] choice choose(std::size_t thread, const Task&... task) {
        const choice chosen = Rule::choose(thread, task...);
        loads_.add(chosen.index, thread);
        return chosen;
    }
    void add(const choice& chosen) noexcept {
        loads_.add(chosen.index, binding::hazard_registry::thread());
    }
    [[gnu::always_inline]] void give_back(const choice& chosen) noexcept {
        loads_.subtract(chosen.index, binding::hazard_registry::thread());
    }
    [[nodiscard]] std::vector<std::size_t> loads() const { return loads_.loads(); }

  private:
    striped_loads loads_;
};

/// A policy by `counted_rule`.
template <class Rule, class Adapter, class Backend>
class counted_policy : public binding::rule_policy<counted_policy<Rule, Adapter, Backend>,
                                                   counted_rule<Rule>, Adapter, Backend> {
  public:
    using counted_policy::rule_policy::rule_policy;
};

/// `Policy`, whose class template has a rule, if it counts loads; else a policy by the same rule that does.
template <class Policy, class Adapter, class Backend>
struct counting {
    using type = counted_policy<typename Policy::rule_type, Adapter, Backend>;
};
template <class Policy, class Adapter, class Backend>
    requires requires(const Policy& policy) { policy.loads(); }
struct counting<Policy, Adapter, Backend> {
    using type = Policy;
};

}  // namespace pointsman::python
