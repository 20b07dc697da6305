// SPDX-License-Identifier: Apache-2.0
// Every policy over executors of host code.
#include "conformance/policy_conformance.hpp"
#include "fairlead/executor/bulk_execute.hpp"
#include "fairlead/fairlead.hpp"

namespace fairlead::test {
namespace {

/// A case of `conformance/policy_conformance.hpp` over executors.
template <class Executor>
struct executor_case {
    using resource_type = Executor;
    static auto work(const Executor& executor) {
        return bulk_execute(executor, [](std::size_t) {}, 10);
    }
    static auto failing_work(const Executor& executor) {
        return bulk_execute(
            executor,
            [](std::size_t i) {
                if (i == 5) {
                    throw std::runtime_error{"the work failed"};
                }
            },
            10);
    }
};

}  // namespace

struct inline_case : executor_case<inline_executor<>> {
    static std::vector<resource_type> resources() { return {resource_type{}, resource_type{}}; }
};
struct unsequenced_case : executor_case<unsequenced_executor<>> {
    static std::vector<resource_type> resources() { return {resource_type{}, resource_type{}}; }
};
struct arena_executor_case : executor_case<arena_executor<>> {
    static std::vector<resource_type> resources() {
        return {resource_type{arena{1}}, resource_type{arena{2}}};
    }
};
struct background_case : executor_case<arena_executor<blocking_t::never_t>> {
    static std::vector<resource_type> resources() {
        return {resource_type{arena{1}}, resource_type{arena{2}}};
    }
};

INSTANTIATE_TYPED_TEST_SUITE_P(InlineExecutor, PolicyConformance, all_policies<inline_case>,
                               policy_names);
INSTANTIATE_TYPED_TEST_SUITE_P(UnsequencedExecutor, PolicyConformance,
                               all_policies<unsequenced_case>, policy_names);
INSTANTIATE_TYPED_TEST_SUITE_P(ArenaExecutor, PolicyConformance, all_policies<arena_executor_case>,
                               policy_names);
INSTANTIATE_TYPED_TEST_SUITE_P(ArenaExecutorThatNeverBlocks, PolicyConformance,
                               all_policies<background_case>, policy_names);

#ifdef _OPENMP
struct openmp_case : executor_case<openmp_executor<>> {
    static std::vector<resource_type> resources() { return {resource_type{1}, resource_type{2}}; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(OpenmpExecutor, PolicyConformance, all_policies<openmp_case>,
                               policy_names);
#endif

TEST(ExecutorAsResource, gives_a_submission_of_its_work) {
    dynamic_load_policy policy{{arena_executor<blocking_t::never_t>{arena{1}},
                                arena_executor<blocking_t::never_t>{arena{1}}}};
    std::atomic<int> calls{0};
    for (int i = 0; i < 10; ++i) {
        policy.submit_and_wait([&](const auto& executor) {
            return bulk_execute(executor, [&](std::size_t) { ++calls; }, 100);
        });
    }
    EXPECT_EQ(calls, 1000);
}

}  // namespace fairlead::test
