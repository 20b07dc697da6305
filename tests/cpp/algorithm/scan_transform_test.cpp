// SPDX-License-Identifier: Apache-2.0
// transform_exclusive_scan equals the standard algorithm under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/transform_exclusive_scan.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(int64_t, times_three, (int32_t x), { return 3 * (int64_t)x; });
POINTSMAN_FUNCTION(double, negative, (float x), { return -x; });

using ScanTransform = EveryExecutionPolicy;

TEST_F(ScanTransform, folds_the_results_before_each_index_for_all_sizes) {
    random_values random;
    for (const std::size_t size : algorithm_sizes) {
        const auto x = random.of<std::int32_t>(size, 1'000'000);
        std::vector<std::int64_t> expected(size);
        std::transform_exclusive_scan(x.begin(), x.end(), expected.begin(), std::int64_t{7}, plus{},
                                      times_three);
        under_policies([&](const auto& policy, const std::string& name) {
            std::vector<std::int64_t> out(size);
            EXPECT_EQ(transform_exclusive_scan(policy, x.begin(), x.end(), out.begin(),
                                               std::int64_t{7}, plus{}, times_three),
                      out.end());
            EXPECT_EQ(out, expected) << name << ", size " << size << ", " << random.seed();
        });
    }
}

TEST_F(ScanTransform, writes_over_its_input_and_takes_any_associative_function) {
    random_values random;
    auto x = random.of<float>(100'000);
    x[50'000] = std::numeric_limits<float>::infinity();
    std::vector<float> expected(x.size());
    std::transform_exclusive_scan(x.begin(), x.end(), expected.begin(), -1e30f, maximum{},
                                  negative);
    under_policies([&](const auto& policy, const std::string& name) {
        auto out = x;
        transform_exclusive_scan(policy, out.begin(), out.end(), out.begin(), -1e30f, maximum{},
                                 negative);
        EXPECT_EQ(out, expected) << name << ", " << random.seed();
    });
}

TEST(ScanTransformOfForwardIterators, equals_the_standard) {
    const std::forward_list<int> x{1, 2, 3};
    const auto check = [&](const auto& policy) {
        std::vector<std::int64_t> out(3);
        transform_exclusive_scan(policy, x.begin(), x.end(), out.begin(), std::int64_t{1}, plus{},
                                 times_three);
        EXPECT_EQ(out, (std::vector<std::int64_t>{1, 4, 10}));
    };
    check(execution::seq);
    check(execution::par);
}

}  // namespace
}  // namespace pointsman::test
