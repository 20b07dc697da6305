// SPDX-License-Identifier: Apache-2.0
// Runs the conformance suite of every policy over plain values: work that is complete at return.
#include "conformance/policy_conformance.hpp"

namespace pointsman::test {

struct value_case {
    using resource_type = int;
    static std::vector<int> resources() { return {3, 5, 7}; }
    static int work(int r) { return r; }
    static int failing_work(int) { throw std::runtime_error{"the work failed"}; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Value, PolicyConformance, all_policies<value_case>, policy_names);

}  // namespace pointsman::test
