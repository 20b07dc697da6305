// SPDX-License-Identifier: Apache-2.0
// Every policy over executors of vector lanes.
#include "fairlead/executor/unsequenced_executor.hpp"
#include "support/executor_case.hpp"

namespace fairlead::test {

struct unsequenced_case : executor_case<unsequenced_executor<>> {
    static std::vector<resource_type> resources() { return {resource_type{}, resource_type{}}; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(UnsequencedExecutor, PolicyConformance,
                               all_policies<unsequenced_case>, policy_names);

}  // namespace fairlead::test
