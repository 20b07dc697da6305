// SPDX-License-Identifier: Apache-2.0
// merge equals std::merge under every policy: sizes, orders, stability and NaN.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/inplace_merge.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
class Merge : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    /// Merges two sorted parts of `x` under every policy: the first `of_first` values and the others.
    template <class Compare>
    void check(std::vector<T> x, std::size_t of_first, Compare compare) {
        const auto middle = x.begin() + static_cast<std::ptrdiff_t>(of_first);
        std::sort(x.begin(), middle, compare);
        std::sort(middle, x.end(), compare);
        std::vector<T> expected(x.size());
        std::merge(x.begin(), middle, middle, x.end(), expected.begin(), compare);
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<T> out(x.size());
            EXPECT_EQ(merge(policy, x.begin(), middle, middle, x.end(), out.begin(), compare),
                      out.end());
            EXPECT_EQ(out, expected)
                << name << ", " << of_first << " of " << x.size() << ", " << random.seed();
        });
    }
};

TYPED_TEST_SUITE(Merge, few_types);

TYPED_TEST(Merge, equals_the_standard_algorithm_for_all_sizes) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size);
        for (const std::size_t of_first : {std::size_t{0}, size / 3, size}) {
            this->check(x, of_first, less{});
        }
        this->check(x, size / 2, greater{});
    }
}

using MergeOf = EveryExecutionPolicy;

TEST_F(MergeOf, arrays_of_narrow_and_wide_values_are_merged) {
    random_values random;
    const auto whole = random.of<std::int32_t>(70'000, 127);
    std::vector<std::int8_t> a(whole.begin(), whole.begin() + 30'000);
    std::vector<std::int64_t> b(whole.begin() + 30'000, whole.end());
    std::ranges::sort(a);
    std::ranges::sort(b);
    std::vector<std::int32_t> expected(whole);
    std::ranges::sort(expected);
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<std::int32_t> out(whole.size());
        merge(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin());
        EXPECT_EQ(out, expected) << name << ", " << random.seed();
        merge(policy, b.begin(), b.end(), a.begin(), a.end(), out.begin());
        EXPECT_EQ(out, expected) << name << ", wide first, " << random.seed();
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL

// The merged values are unspecified.
TEST_F(MergeOf, arrays_that_are_not_sorted_writes_only_to_the_output) {
    random_values random;
    const auto x = random.of<std::int32_t>(20'000);
    on_every_device([&](const auto& policy) {
        const opencl::buffer<std::int32_t> in{policy.queue(), x};
        const opencl::buffer<std::int32_t> out{policy.queue(), std::vector(40'002, 42)};
        EXPECT_EQ(merge(policy, begin(in), end(in), begin(in), end(in), begin(out) + 1),
                  begin(out) + 40'001);
        std::vector<std::int32_t> got(40'002);
        out.read(policy.queue(), got);
        EXPECT_EQ(got.front(), 42) << random.seed();
        EXPECT_EQ(got.back(), 42) << random.seed();
    });
}

#endif

POINTSMAN_FUNCTION(bool, has_fewer_tens, (int32_t a, int32_t b), { return a / 10 < b / 10; });

TEST_F(MergeOf, equivalent_values_takes_the_first_arrays_first) {
    std::vector<std::int32_t> a(50'000);
    std::vector<std::int32_t> b(70'000);
    for (std::size_t i = 0; i < b.size(); ++i) {
        b[i] = static_cast<std::int32_t>(i / 100 * 10 + 1);
        if (i < a.size()) {
            a[i] = static_cast<std::int32_t>(i / 70 * 10 + 2);
        }
    }
    std::vector<std::int32_t> expected(120'000);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin(), has_fewer_tens);
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<std::int32_t> out(120'000);
        merge(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin(), has_fewer_tens);
        EXPECT_EQ(out, expected) << name;
    });
}

TEST_F(MergeOf, floating_point_values_puts_nan_last) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> a{1, 3, nan, nan};
    const std::vector<float> b{2, 4, 5, nan};
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<float> out(8);
        merge(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin());
        EXPECT_TRUE(std::all_of(out.begin() + 5, out.end(), [](float x) { return std::isnan(x); }))
            << name;
        out.resize(5);
        EXPECT_EQ(out, (std::vector<float>{1, 2, 3, 4, 5})) << name;
    });
}

TEST_F(MergeOf, floating_point_values_puts_nan_of_either_range_last) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> with_nan{9, 5, 3, nan, nan};
    const std::vector<float> without{8, 5, 4, 2};
    const auto is_merged = [](const std::vector<float>& out) {
        return std::vector<float>(out.begin(), out.begin() + 7) ==
                   std::vector<float>{9, 8, 5, 5, 4, 3, 2} &&
               std::isnan(out[7]) && std::isnan(out[8]);
    };
    const auto check = [&](const std::vector<float>& a, const std::vector<float>& b) {
        under_policies([&](const auto& policy, const std::string& name) {
            std::vector<float> out(9);
            merge(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin(), greater{});
            EXPECT_TRUE(is_merged(out)) << name << testing::PrintToString(out);
            auto both = a;
            both.insert(both.end(), b.begin(), b.end());
            inplace_merge(policy, both.begin(), both.begin() + std::ssize(a), both.end(),
                          greater{});
            EXPECT_TRUE(is_merged(both)) << name << testing::PrintToString(both);
        });
    };
    check(with_nan, without);
    check(without, with_nan);
}

}  // namespace
}  // namespace pointsman::test
