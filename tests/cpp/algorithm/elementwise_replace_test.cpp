// SPDX-License-Identifier: Apache-2.0
// move, the forms with a length, and replacements equal the standard algorithms under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/copy_n.hpp"
#include "pointsman/algorithm/fill_n.hpp"
#include "pointsman/algorithm/generate_n.hpp"
#include "pointsman/algorithm/move.hpp"
#include "pointsman/algorithm/replace.hpp"
#include "pointsman/algorithm/replace_copy.hpp"
#include "pointsman/algorithm/replace_copy_if.hpp"
#include "pointsman/algorithm/replace_if.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(int, is_small_number, (double x), { return x < 2 ? 3 : 0; });
POINTSMAN_FUNCTION(bool, is_no_number, (float x), { return x != x; });
POINTSMAN_FUNCTION(int32_t, always_seven, (), { return 7; });

template <class T>
class ElementwiseReplace : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    std::string message(const std::string& policy, std::size_t size) const {
        return policy + ", size " + std::to_string(size) + ", " + random.seed();
    }
};

TYPED_TEST_SUITE(ElementwiseReplace, few_types);

TYPED_TEST(ElementwiseReplace, puts_the_new_value_in_place_of_the_chosen_ones) {
    const auto two = TypeParam{2};
    const auto new_value = TypeParam{90};
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size, 3);
        auto without_two = x;
        std::replace(without_two.begin(), without_two.end(), two, new_value);
        auto without_small = x;
        std::replace_if(without_small.begin(), without_small.end(), is_small_number, new_value);
        this->under_policies([&](const auto& policy, const std::string& name) {
            auto out = x;
            replace(policy, out.begin(), out.end(), two, new_value);
            EXPECT_EQ(out, without_two) << this->message(name, size);
            out = x;
            replace_if(policy, out.begin(), out.end(), is_small_number, new_value);
            EXPECT_EQ(out, without_small) << this->message(name, size);
            std::vector<TypeParam> copy(size);
            EXPECT_EQ(replace_copy(policy, x.begin(), x.end(), copy.begin(), two, new_value),
                      copy.end());
            EXPECT_EQ(copy, without_two) << this->message(name, size);
            EXPECT_EQ(
                replace_copy_if(policy, x.begin(), x.end(), copy.begin(), is_small_number, 90),
                copy.end());
            EXPECT_EQ(copy, without_small) << this->message(name, size);
        });
    }
}

TYPED_TEST(ElementwiseReplace, puts_the_new_value_in_place_of_whole_blocks) {
    for (const std::size_t size : {63U, 64U, 129U, 70'000U}) {
        auto x = this->random.template of<TypeParam>(size, 3);
        std::ranges::sort(x);
        auto expected = x;
        std::replace_if(expected.begin(), expected.end(), is_small_number, TypeParam{90});
        this->under_policies([&](const auto& policy, const std::string& name) {
            auto out = x;
            replace_if(policy, out.begin(), out.end(), is_small_number, TypeParam{90});
            EXPECT_EQ(out, expected) << this->message(name, size);
        });
    }
}

TEST(HostReplace, takes_an_element_of_the_range_as_the_old_or_the_new_value) {
    std::vector<int> x(200, 7);
    x.back() = 9;
    replace(execution::seq, x.begin(), x.end(), x[0], x.back());
    EXPECT_EQ(x, std::vector<int>(200, 9));
    std::vector<float> y(200, 1.5F);
    replace(execution::par, y.begin(), y.end(), 1.5F, 2.0F);
    replace_if(execution::par, y.begin(), y.end(), [](float value) { return value == 2; }, 0);
    EXPECT_EQ(y, std::vector<float>(200));
}

TEST(HostReplaceIf, calls_the_predicate_once_for_each_value) {
    std::vector<int> x(1000), calls(1000);
    std::iota(x.begin(), x.end(), 0);
    replace_if(
        execution::seq, x.begin(), x.end(),
        [&](int value) { return ++calls[static_cast<std::size_t>(value)] > 0 && value % 3 == 0; },
        -1);
    EXPECT_EQ(calls, std::vector<int>(1000, 1));
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(x[static_cast<std::size_t>(i)], i % 3 == 0 ? -1 : i);
    }
}

TYPED_TEST(ElementwiseReplace, and_the_forms_with_a_length_write_just_their_range) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size);
        const auto length = static_cast<std::ptrdiff_t>(size - size / 3);
        this->under_policies([&](const auto& policy, const std::string& name) {
            const std::string message = this->message(name, size);
            std::vector<TypeParam> out(size, TypeParam{1});
            EXPECT_EQ(copy_n(policy, x.begin(), length, out.begin()), out.begin() + length);
            auto expected = std::vector<TypeParam>(size, TypeParam{1});
            std::copy_n(x.begin(), length, expected.begin());
            EXPECT_EQ(out, expected) << message;
            EXPECT_EQ(fill_n(policy, out.begin(), length, TypeParam{3}), out.begin() + length);
            std::fill_n(expected.begin(), length, TypeParam{3});
            EXPECT_EQ(out, expected) << message;
            EXPECT_EQ(generate_n(policy, out.begin(), length, always_seven), out.begin() + length);
            std::fill_n(expected.begin(), length, TypeParam{7});
            EXPECT_EQ(out, expected) << message;
            std::vector<TypeParam> moved(size);
            EXPECT_EQ(move(policy, x.begin(), x.end(), moved.begin()), moved.end());
            EXPECT_EQ(moved, x) << message;
        });
    }
}

using ElementwiseReplaceOf = EveryExecutionPolicy;

TEST_F(ElementwiseReplaceOf, zero_takes_both_zeros_and_of_nan_none) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> x(20'000, 1);
    x[0] = -0.0f;
    x[19'000] = 0;
    x[19'001] = nan;
    under_policies([&](const auto& policy, const std::string& name) {
        auto out = x;
        replace(policy, out.begin(), out.end(), 0.0f, 5.0f);
        EXPECT_EQ(out[0], 5) << name;
        EXPECT_EQ(out[19'000], 5) << name;
        replace(policy, out.begin(), out.end(), nan, 6.0f);
        EXPECT_TRUE(std::isnan(out[19'001])) << name;
        replace_if(policy, out.begin(), out.end(), is_no_number,
                   -std::numeric_limits<float>::infinity());
        EXPECT_EQ(out[19'001], -std::numeric_limits<float>::infinity()) << name;
    });
}

TEST_F(ElementwiseReplaceOf, values_of_other_types_converts_as_cpp_does) {
    const std::vector<std::int64_t> x{(std::int64_t{1} << 60) + 1, 2, 3};
    under_policies([&](const auto& policy, const std::string& name) {
        auto out = x;
        replace(policy, out.begin(), out.end(), 2.0f, 7.5f);
        EXPECT_EQ(out, (std::vector<std::int64_t>{(std::int64_t{1} << 60) + 1, 7, 3})) << name;
        std::vector<double> wide(3);
        replace_copy(policy, x.begin() + 1, x.end(), wide.begin(), 3, 4);
        EXPECT_EQ(wide, (std::vector<double>{2, 4, 0})) << name;
    });
}

TEST_F(ElementwiseReplaceOf, no_value_happens_without_a_positive_length) {
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<std::int32_t> x(1, 4);
        for (const int length : {0, -1}) {
            EXPECT_EQ(copy_n(policy, x.begin(), length, x.begin()), x.begin()) << name;
            EXPECT_EQ(fill_n(policy, x.begin(), length, 5), x.begin()) << name;
            EXPECT_EQ(generate_n(policy, x.begin(), length, always_seven), x.begin()) << name;
        }
        EXPECT_EQ(x[0], 4) << name;
    });
}

TEST(MoveOnTheHost, leaves_owners_empty) {
    const auto check = [](const auto& policy) {
        std::vector<std::unique_ptr<int>> from(40'000);
        for (auto& each : from) {
            each = std::make_unique<int>(3);
        }
        std::list<std::unique_ptr<int>> to(from.size());
        EXPECT_EQ(move(policy, from.begin(), from.end(), to.begin()), to.end());
        EXPECT_TRUE(std::ranges::all_of(from, [](const auto& each) { return !each; }));
        EXPECT_TRUE(std::ranges::all_of(to, [](const auto& each) { return *each == 3; }));
    };
    check(execution::seq);
    check(execution::unseq);
    check(execution::par);
    check(execution::par_unseq);
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(ElementwiseReplaceOf, buffers_stays_on_the_device) {
    on_every_device([&](const auto& policy) {
        const std::vector<std::int32_t> x{3, 1, 4, 1};
        opencl::buffer<std::int32_t> values{policy.queue(), x};
        replace(policy, begin(values) + 2, end(values), 1, 8);
        EXPECT_EQ(fill_n(policy, begin(values), 1, 9), begin(values) + 1);
        std::vector<std::int32_t> out(4);
        EXPECT_EQ(copy_n(policy, begin(values), 4, out.begin()), out.end());
        EXPECT_EQ(out, (std::vector<std::int32_t>{9, 1, 4, 8}));
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
