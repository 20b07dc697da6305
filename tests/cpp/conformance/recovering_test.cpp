// SPDX-License-Identifier: Apache-2.0
// Runs the conformance suite over every policy inside a recovering_policy.
#include <vector>

#include "conformance/calling_case.hpp"
#include "conformance/policy_conformance.hpp"
#include "pointsman/recovery/recovering_policy.hpp"

namespace pointsman::test {

/// A recovering policy with the constructors of `Policy`, and with its members that are not part of recovery.
template <class Policy>
struct recovering : recovering_policy<Policy> {
    using resources_type = std::vector<resource_t<Policy>>;

    explicit recovering(const resources_type& resources)
        : recovering_policy<Policy>{Policy{resources}} {}
    explicit recovering(deferred_initialization_t deferred)
        : recovering_policy<Policy>{Policy{deferred}} {}

    void initialize(const resources_type& resources) { inner().initialize(resources); }
    [[nodiscard]] auto loads() const
        requires requires(const Policy& p) { p.loads(); }
    {
        return this->policy().loads();
    }
    template <class Task>
    [[nodiscard]] auto select(const Task& task) {
        return inner().select(task);
    }

  private:
    /// A copy, which shares its state.
    [[nodiscard]] Policy inner() const { return this->policy(); }
};

using recovering_policies = all_wrapped_policies<recovering, calling_case>;
INSTANTIATE_TYPED_TEST_SUITE_P(Recovering, PolicyConformance, recovering_policies, policy_names);

}  // namespace pointsman::test
