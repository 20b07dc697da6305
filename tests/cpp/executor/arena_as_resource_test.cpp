// SPDX-License-Identifier: Apache-2.0
// Runs the conformance suite of every policy over arena executors, whose work continues after the call.
// not under thread: the tests of arenas and queues run there and compile faster than these
#include "pointsman/executor/arena_executor.hpp"
#include "support/executor_case.hpp"

namespace pointsman::test {

struct arena_executor_case : executor_case<arena_executor<blocking_t::never_t>> {
    static std::vector<resource_type> resources() {
        return {resource_type{arena{1}}, resource_type{arena{2}}};
    }
};
INSTANTIATE_TYPED_TEST_SUITE_P(ArenaExecutor, PolicyConformance, all_policies<arena_executor_case>,
                               policy_names);

}  // namespace pointsman::test
