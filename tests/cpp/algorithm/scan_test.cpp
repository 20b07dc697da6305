// SPDX-License-Identifier: Apache-2.0
// inclusive_scan, exclusive_scan and transform_inclusive_scan equal the standard algorithms.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(int32_t, later, (int32_t a, int32_t b), { return b != 0 ? b : a; });
POINTSMAN_FUNCTION(int32_t, doubled, (int32_t x), { return 2 * x; });

/// Small integers whose sums every type represents exactly.
template <class T>
std::vector<T> small_integers(std::size_t size) {
    std::vector<T> values(size);
    for (std::size_t i = 0; i < size; ++i) {
        values[i] = static_cast<T>(i % 7);
    }
    return values;
}

template <class T>
class Scan : public ExecutionPoliciesFor<T> {};

TYPED_TEST_SUITE(Scan, algorithm_types);

TYPED_TEST(Scan, inclusive_sums_include_each_value) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = small_integers<TypeParam>(size);
        std::vector<TypeParam> expected(size);
        std::inclusive_scan(x.begin(), x.end(), expected.begin());
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size);
            EXPECT_EQ(inclusive_scan(policy, x.begin(), x.end(), out.begin()), out.end());
            EXPECT_EQ(out, expected) << name << ", size " << size;
            auto in_place = x;
            inclusive_scan(policy, in_place.begin(), in_place.end(), in_place.begin());
            EXPECT_EQ(in_place, expected) << name << " in place, size " << size;
        });
    }
}

TYPED_TEST(Scan, exclusive_sums_begin_with_the_initial_value) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = small_integers<TypeParam>(size);
        std::vector<TypeParam> expected(size);
        std::exclusive_scan(x.begin(), x.end(), expected.begin(), TypeParam{3});
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size);
            EXPECT_EQ(exclusive_scan(policy, x.begin(), x.end(), out.begin(), TypeParam{3}),
                      out.end());
            EXPECT_EQ(out, expected) << name << ", size " << size;
            auto in_place = x;
            exclusive_scan(policy, in_place.begin(), in_place.end(), in_place.begin(),
                           TypeParam{3});
            EXPECT_EQ(in_place, expected) << name << " in place, size " << size;
        });
    }
}

using ScanOf = EveryExecutionPolicy;

TEST_F(ScanOf, a_function_that_is_not_commutative_keeps_the_order) {
    for (const std::size_t size : algorithm_sizes) {
        std::vector<std::int32_t> x(size);
        for (std::size_t i = 0; i < size; i += 3) {
            x[i] = static_cast<std::int32_t>(i + 1);
        }
        std::vector<std::int32_t> expected(size);
        std::inclusive_scan(x.begin(), x.end(), expected.begin(), later);
        under_policies([&](const auto& policy, const std::string& name) {
            std::vector<std::int32_t> out(size);
            inclusive_scan(policy, x.begin(), x.end(), out.begin(), later);
            EXPECT_EQ(out, expected) << name << ", size " << size;
        });
    }
}

TEST_F(ScanOf, transformed_values_begins_with_the_initial_value) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = small_integers<std::int32_t>(size);
        std::vector<std::int32_t> expected(size);
        std::transform_inclusive_scan(x.begin(), x.end(), expected.begin(), plus{}, doubled, 11);
        under_policies([&](const auto& policy, const std::string& name) {
            std::vector<std::int32_t> out(size);
            transform_inclusive_scan(policy, x.begin(), x.end(), out.begin(), plus{}, doubled, 11);
            EXPECT_EQ(out, expected) << name << ", size " << size;
        });
    }
}

}  // namespace
}  // namespace pointsman::test
