// SPDX-License-Identifier: Apache-2.0
// Runs the conformance suite of every policy over work that has only a wait(), and over work that calls back
// from another thread.
#include "support/manual_work.hpp"
#include "conformance/calling_case.hpp"
#include "conformance/policy_conformance.hpp"

namespace pointsman::test {

struct waited_case {
    using resource_type = int;
    static std::vector<int> resources() { return {1, 2}; }
    static waited_work work(int) {
        waited_work w;
        w.succeed();
        return w;
    }
    static waited_work failing_work(int) {
        waited_work w;
        w.fail();
        return w;
    }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Waited, PolicyConformance, all_policies<waited_case>, policy_names);

using calling_policies = all_policies<calling_case, every_kind>;
INSTANTIATE_TYPED_TEST_SUITE_P(Calling, PolicyConformance, calling_policies, policy_names);

}  // namespace pointsman::test
