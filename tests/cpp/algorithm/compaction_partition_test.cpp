// SPDX-License-Identifier: Apache-2.0
// Removals, unique_copy and partitions equal the standard algorithms under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/partition.hpp"
#include "pointsman/algorithm/partition_copy.hpp"
#include "pointsman/algorithm/remove.hpp"
#include "pointsman/algorithm/remove_copy.hpp"
#include "pointsman/algorithm/remove_copy_if.hpp"
#include "pointsman/algorithm/remove_if.hpp"
#include "pointsman/algorithm/stable_partition.hpp"
#include "pointsman/algorithm/unique_copy.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(int, is_under_two, (double x), { return x < 2 ? 3 : 0; });
POINTSMAN_FUNCTION(bool, is_under_zero, (int32_t x), { return x < 0; });
POINTSMAN_FUNCTION(bool, share_a_ten, (int32_t a, int32_t b), { return a / 10 == b / 10; });

template <class T>
class CompactionPartition : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    std::string message(const std::string& policy, std::size_t size) const {
        return policy + ", size " + std::to_string(size) + ", " + random.seed();
    }
};

TYPED_TEST_SUITE(CompactionPartition, few_types);

TYPED_TEST(CompactionPartition, removes_values_and_keeps_the_order_of_the_others) {
    const TypeParam two{2};
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size, 3);
        std::vector<TypeParam> without_two;
        std::remove_copy(x.begin(), x.end(), std::back_inserter(without_two), two);
        std::vector<TypeParam> large;
        std::remove_copy_if(x.begin(), x.end(), std::back_inserter(large), is_under_two);
        this->under_policies([&](const auto& policy, const std::string& name) {
            auto kept = x;
            kept.erase(remove(policy, kept.begin(), kept.end(), two), kept.end());
            EXPECT_EQ(kept, without_two) << this->message(name, size);
            kept = x;
            kept.erase(remove_if(policy, kept.begin(), kept.end(), is_under_two), kept.end());
            EXPECT_EQ(kept, large) << this->message(name, size);
            std::vector<TypeParam> out(without_two.size());
            EXPECT_EQ(remove_copy(policy, x.begin(), x.end(), out.begin(), two), out.end());
            EXPECT_EQ(out, without_two) << this->message(name, size);
            out.resize(large.size());
            EXPECT_EQ(remove_copy_if(policy, x.begin(), x.end(), out.begin(), is_under_two),
                      out.end());
            EXPECT_EQ(out, large) << this->message(name, size);
        });
    }
}

TYPED_TEST(CompactionPartition, copies_the_first_of_equal_neighbours) {
    for (const std::size_t size : algorithm_sizes) {
        auto x = this->random.template of<TypeParam>(size, 3);
        for (std::size_t i = 1; i < size; i += 2) {
            x[i] = x[i - 1];
        }
        std::vector<TypeParam> expected;
        std::unique_copy(x.begin(), x.end(), std::back_inserter(expected));
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(expected.size());
            EXPECT_EQ(unique_copy(policy, x.begin(), x.end(), out.begin()), out.end());
            EXPECT_EQ(out, expected) << this->message(name, size);
        });
    }
}

TYPED_TEST(CompactionPartition, separates_values_by_a_predicate) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size, 3);
        auto expected = x;
        const auto middle = std::stable_partition(expected.begin(), expected.end(), is_under_two) -
                            expected.begin();
        auto sorted = expected;
        std::sort(sorted.begin(), sorted.begin() + middle);
        std::sort(sorted.begin() + middle, sorted.end());
        this->under_policies([&](const auto& policy, const std::string& name) {
            auto out = x;
            EXPECT_EQ(stable_partition(policy, out.begin(), out.end(), is_under_two),
                      out.begin() + middle);
            EXPECT_EQ(out, expected) << this->message(name, size);
            out = x;
            EXPECT_EQ(partition(policy, out.begin(), out.end(), is_under_two),
                      out.begin() + middle);
            std::sort(out.begin(), out.begin() + middle);
            std::sort(out.begin() + middle, out.end());
            EXPECT_EQ(out, sorted) << this->message(name, size);
            const auto half = out.begin() + middle;
            std::ranges::fill(out, TypeParam{});
            EXPECT_EQ(partition_copy(policy, x.begin(), x.end(), out.begin(), half, is_under_two),
                      std::pair(half, out.end()));
            EXPECT_EQ(out, expected) << this->message(name, size);
        });
    }
}

using CompactionPartitionOf = EveryExecutionPolicy;

TEST_F(CompactionPartitionOf, values_all_alike_leaves_one_part_empty) {
    for (const std::size_t size : {1, 1000, 50'000}) {
        const auto x = counting(size);
        under_policies([&](const auto& policy, const std::string& name) {
            auto out = x;
            EXPECT_EQ(stable_partition(policy, out.begin(), out.end(), is_under_zero), out.begin());
            EXPECT_EQ(remove_if(policy, out.begin(), out.end(), is_under_zero), out.end());
            EXPECT_EQ(remove(policy, out.begin(), out.end(), -1), out.end());
            EXPECT_EQ(out, x) << name;
            std::ranges::fill(out, -1);
            EXPECT_EQ(partition(policy, out.begin(), out.end(), is_under_zero), out.end()) << name;
            EXPECT_EQ(remove_if(policy, out.begin(), out.end(), is_under_zero), out.begin())
                << name;
            EXPECT_EQ(remove(policy, out.begin(), out.end(), -1), out.begin()) << name;
        });
    }
}

TEST_F(CompactionPartitionOf, neighbours_equal_by_a_predicate_copies_the_first) {
    const auto x = counting(70'000);
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<std::int64_t> out(7000);
        EXPECT_EQ(unique_copy(policy, x.begin(), x.end(), out.begin(), share_a_ten), out.end());
        EXPECT_EQ(out.back(), 69'990) << name;
    });
}

TEST_F(CompactionPartitionOf, nan_removes_nothing_and_zero_both_zeros) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> x(20'000, nan);
    x[3] = -0.0f;
    x[19'000] = 0;
    x[19'001] = std::numeric_limits<float>::infinity();
    under_policies([&](const auto& policy, const std::string& name) {
        auto out = x;
        EXPECT_EQ(remove(policy, out.begin(), out.end(), nan), out.end()) << name;
        EXPECT_EQ(remove(policy, out.begin(), out.end(), 0), out.end() - 2) << name;
        EXPECT_EQ(out[18'999], std::numeric_limits<float>::infinity()) << name;
        EXPECT_TRUE(std::isnan(out[19'000])) << name;
    });
}

TEST(CompactionPartitionOnTheHost, copies_values_that_cannot_be_assigned) {
    struct fixed {
        int value;
        fixed() = default;
        explicit fixed(int of) : value{of} {}
        fixed(const fixed&) = default;
        fixed& operator=(const fixed&) = delete;
    };
    static_assert(std::is_trivially_copyable_v<fixed> && !std::copyable<fixed>);
    std::vector<fixed> x;
    for (const int value : {1, 2, 3}) {
        x.emplace_back(value);
    }
    std::vector<fixed> odd;
    remove_copy_if(execution::seq, x.begin(), x.end(), std::back_inserter(odd),
                   [](const fixed& each) { return each.value == 2; });
    ASSERT_EQ(odd.size(), 2U);
    EXPECT_EQ(odd[1].value, 3);
}

TEST(CompactionPartitionOnTheHost, removes_a_value_that_is_in_the_range) {
    const auto check_under = [](const auto& policy) {
        std::vector<int> x(300'000);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = static_cast<int>(i % 3);
        }
        const auto end = remove(policy, x.begin(), x.end(), x[1]);
        EXPECT_EQ(end - x.begin(), 200'000);
        EXPECT_EQ(std::count(x.begin(), end, 1), 0);
        EXPECT_EQ(std::count(x.begin(), end, 2), 100'000);
    };
    check_under(execution::seq);
    check_under(execution::par);
}

TEST(CompactionPartitionOnTheHost, takes_strings_and_forward_iterators) {
    const auto is_short = [](const std::string& each) { return each.size() < 30; };
    const auto check = [&](const auto& policy) {
        std::vector<std::string> x(40'000, "a string that is too long for a small buffer");
        for (std::size_t i = 0; i < x.size(); i += 3) {
            x[i] = std::to_string(i);
        }
        auto expected = x;
        std::stable_partition(expected.begin(), expected.end(), is_short);
        auto out = x;
        const auto middle = stable_partition(policy, out.begin(), out.end(), is_short);
        EXPECT_EQ(out, expected);
        EXPECT_EQ(middle - out.begin(), 13'334);
        out = x;
        EXPECT_EQ(remove_if(policy, out.begin(), out.end(), is_short) - out.begin(), 26'666);
        EXPECT_EQ(out[26'665], x[1]);
        std::forward_list<std::string> list(x.begin(), x.end());
        EXPECT_EQ(*std::next(list.begin(), 1), x[1]);
        partition(policy, list.begin(), list.end(), is_short);
        EXPECT_TRUE(std::is_partitioned(list.begin(), list.end(), is_short));
        std::vector<std::string> copy(2);
        unique_copy(policy, std::next(list.begin(), 13'333), list.end(), copy.begin());
        EXPECT_EQ(copy[1], x[1]);
    };
    check(execution::seq);
    check(execution::unseq);
    check(execution::par);
    check(execution::par_unseq);
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(CompactionPartitionOf, a_buffer_changes_the_given_part) {
    on_every_device([&](const auto& policy) {
        const std::vector<std::int32_t> x{-1, 4, -2, 3, -3, 4};
        opencl::buffer<std::int32_t> values{policy.queue(), x};
        const auto from = begin(values) + 1;
        EXPECT_EQ(stable_partition(policy, from, end(values), is_under_zero), from + 2);
        EXPECT_EQ(remove(policy, from, end(values), 3), from + 4);
        std::vector<std::int32_t> got(6);
        values.read(policy.queue(), got);
        got.resize(5);
        EXPECT_EQ(got, (std::vector<std::int32_t>{-1, -2, -3, 4, 4}));
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
