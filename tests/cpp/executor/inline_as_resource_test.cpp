// SPDX-License-Identifier: Apache-2.0
// Every policy over executors of the calling thread.
#include "fairlead/executor/inline_executor.hpp"
#include "support/executor_case.hpp"

namespace fairlead::test {

struct inline_case : executor_case<inline_executor<>> {
    static std::vector<resource_type> resources() { return {resource_type{}, resource_type{}}; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(InlineExecutor, PolicyConformance, all_policies<inline_case>,
                               policy_names);

}  // namespace fairlead::test
