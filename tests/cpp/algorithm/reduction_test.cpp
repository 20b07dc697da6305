// SPDX-License-Identifier: Apache-2.0
// reduce and transform_reduce equal the standard algorithms for every policy, type and size.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
class Reduction : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    /// Unsigned values of any size, since their sums wrap; signed values small enough not to overflow.
    std::vector<T> values(std::size_t size) {
        return random.of<T>(size, std::is_unsigned_v<T> ? std::numeric_limits<T>::max() : T{1000});
    }
};

TYPED_TEST_SUITE(Reduction, algorithm_types);

TYPED_TEST(Reduction, sums_integers_exactly_and_floating_point_values_within_the_bound) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->values(size);
        this->under_policies([&](const auto& policy, const std::string& name) {
            const TypeParam sum = reduce(policy, x.begin(), x.end(), TypeParam{5});
            if constexpr (std::is_floating_point_v<TypeParam>) {
                const long double expected = std::accumulate(x.begin(), x.end(), 5.0L);
                const long double all =
                    std::accumulate(x.begin(), x.end(), 5.0L,
                                    [](long double a, TypeParam b) { return a + std::abs(b); });
                EXPECT_NEAR(
                    static_cast<double>(sum), static_cast<double>(expected),
                    static_cast<double>(all * std::numeric_limits<TypeParam>::epsilon() * 1400))
                    << name << ", size " << size << ", " << this->random.seed();
            } else {
                EXPECT_EQ(sum, std::accumulate(x.begin(), x.end(), TypeParam{5}))
                    << name << ", size " << size << ", " << this->random.seed();
            }
        });
    }
}

TYPED_TEST(Reduction, takes_any_associative_and_commutative_function) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->values(size);
        const auto expected = std::accumulate(x.begin(), x.end(), TypeParam{1}, maximum{});
        this->under_policies([&](const auto& policy, const std::string& name) {
            EXPECT_EQ(reduce(policy, x.begin(), x.end(), TypeParam{1}, maximum{}), expected)
                << name << ", size " << size << ", " << this->random.seed();
        });
    }
}

TYPED_TEST(Reduction, computes_in_the_type_of_the_initial_value) {
    const std::vector<std::int16_t> x{3, 7, 5};
    this->under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(reduce(policy, x.begin(), x.end(), TypeParam{1}, maximum{}), TypeParam{7})
            << name;
    });
}

TYPED_TEST(Reduction, computes_inner_products) {
    for (const std::size_t size : algorithm_sizes) {
        std::vector<TypeParam> x(size);
        std::vector<TypeParam> y(size);
        for (std::size_t i = 0; i < size; ++i) {  // every type represents the sums exactly
            x[i] = static_cast<TypeParam>(i % 3);
            y[i] = static_cast<TypeParam>(i % 5);
        }
        const auto expected = std::inner_product(x.begin(), x.end(), y.begin(), TypeParam{2});
        this->under_policies([&](const auto& policy, const std::string& name) {
            EXPECT_EQ(transform_reduce(policy, x.begin(), x.end(), y.begin(), TypeParam{2}),
                      expected)
                << name << ", size " << size;
        });
    }
}

TEST(ReductionInThreads, has_the_same_rounding_in_every_run_and_on_every_number_of_threads) {
    random_values random;
    const auto x = random.of<float>(1'500'000, 1);
    const auto sum = [&] { return reduce(execution::par, x.begin(), x.end(), 0.0F, plus{}); };
    const float expected = sum();
    for (const int threads : {1, 2, 3, 8}) {
        tbb::task_arena arena{threads};
        for (int run = 0; run < 10; ++run) {
            EXPECT_EQ(arena.execute(sum), expected) << threads << " threads, " << random.seed();
        }
    }
}

}  // namespace
}  // namespace pointsman::test
