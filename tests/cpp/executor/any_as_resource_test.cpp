// SPDX-License-Identifier: Apache-2.0
// Runs the conformance suite of every policy over host executors of all kinds in one set.
// not under thread: the tests of arenas and queues run there and compile faster than these
#include "pointsman/executor/any_executor.hpp"
#include "support/every_executor.hpp"
#include "support/executor_case.hpp"

namespace pointsman::test {

struct any_executor_case : executor_case<any_executor<>> {
    static std::vector<resource_type> resources() {
        return std::apply(
            [](const auto&... executors) { return std::vector<resource_type>{executors...}; },
            provided_executors());
    }
};
INSTANTIATE_TYPED_TEST_SUITE_P(AnyExecutor, PolicyConformance, all_policies<any_executor_case>,
                               policy_names);

TEST(EveryExecutor, is_a_resource_with_its_own_type) {
    on_every_executor([]<class Executor>(const Executor& executor) {
        static_assert(resource<Executor>);
        dynamic_load_policy<Executor> policy{std::vector{executor, executor}};
        for (int i = 0; i < 10; ++i) {
            policy.submit_and_wait(&executor_case<Executor>::work);
            EXPECT_THROW(policy.submit_and_wait(&executor_case<Executor>::failing_work),
                         std::runtime_error);
        }
        EXPECT_EQ(policy.loads(), (std::vector<std::size_t>{0, 0}));
    });
}

}  // namespace pointsman::test
