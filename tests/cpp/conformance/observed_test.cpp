// SPDX-License-Identifier: Apache-2.0
// Runs the conformance suite of every policy with each policy observed, over work that calls back.
#include "conformance/calling_case.hpp"
#include "conformance/policy_conformance.hpp"
#include "pointsman/policy/observed_policy.hpp"

namespace pointsman::test {

using observed_policies = all_wrapped_policies<observed_policy, calling_case>;
INSTANTIATE_TYPED_TEST_SUITE_P(Observed, PolicyConformance, observed_policies, policy_names);

}  // namespace pointsman::test
