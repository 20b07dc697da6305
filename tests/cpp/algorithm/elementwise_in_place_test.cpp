// SPDX-License-Identifier: Apache-2.0
// for_each, for_each_n and generate: the elementwise algorithms that change a range in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/for_each_n.hpp"
#include "pointsman/algorithm/generate.hpp"
#include "pointsman/algorithm/generate_n.hpp"
#include "pointsman/execution/auto_policy.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(void, triple, (int32_t* x), { *x *= 3; });
POINTSMAN_FUNCTION(void, clip, (float* x), {
    if (*x < 2)
        return;
    *x = 2;
});
POINTSMAN_FUNCTION(int16_t, seven, (), { return 7; });
POINTSMAN_FUNCTION(float, halved, (float x), { return x / 2; });

static_assert(changes_at_address<triple_function, std::int32_t>);
static_assert(!changes_at_address<halved_function, float>, "its result would be lost");
static_assert(!changes_at_address<decltype([](int*) {}), int>,
              "a device has no source of a lambda");
#ifndef POINTSMAN_WITHOUT_OPENCL
static_assert(makes_values_on_device<seven_function>);
static_assert(!makes_values_on_device<halved_function>, "it has a parameter");
static_assert(!makes_values_on_device<decltype([] { return 7; })>,
              "a device has no source of a lambda");
#endif

class ForEach : public EveryExecutionPolicy {
  protected:
    /// Calls `check` under every policy, and under auto_ until each of its candidates has run.
    template <class Check>
    void under_all(Check check) {
        under_policies(check);
        for (int times = 0; times < 16; ++times) {
            check(execution::auto_, "auto");
        }
    }
};

TEST_F(ForEach, changes_each_value_by_its_address) {
    for (const std::size_t size : {0, 1, 33, 1000, 70'000}) {
        std::vector<std::int32_t> x(size);
        for (std::size_t i = 0; i < size; ++i) {
            x[i] = static_cast<std::int32_t>(i);
        }
        under_all([&](const auto& policy, const std::string& name) {
            auto changed = x;
            for_each(policy, changed.begin(), changed.end(), triple);
            for (std::size_t i = 0; i < size; ++i) {
                ASSERT_EQ(changed[i], 3 * x[i]) << name << ", size " << size;
            }
        });
    }
}

TEST_F(ForEach, takes_a_function_that_returns_early_and_values_that_are_not_contiguous) {
    under_all([&](const auto& policy, const std::string& name) {
        std::deque<float> x{1, 2, 3, 0.5F, 5};
        for_each(policy, x.begin(), x.end(), clip);
        EXPECT_EQ(x, (std::deque<float>{1, 2, 2, 0.5F, 2})) << name;
    });
}

TEST_F(ForEach, for_each_n_changes_the_first_n_values_only) {
    under_all([&](const auto& policy, const std::string& name) {
        std::vector<std::int32_t> x{1, 2, 3, 4};
        EXPECT_EQ(for_each_n(policy, x.begin(), 3, triple), x.begin() + 3) << name;
        EXPECT_EQ(for_each_n(policy, x.begin(), 0, triple), x.begin()) << name;
        EXPECT_EQ(for_each_n(policy, x.begin(), -1, triple), x.begin()) << name;
        EXPECT_EQ(x, (std::vector<std::int32_t>{3, 6, 9, 4})) << name;
    });
}

TEST_F(ForEach, generate_converts_the_results_of_the_function) {
    under_all([&](const auto& policy, const std::string& name) {
        std::vector<float> x(1000);
        generate(policy, x.begin() + 1, x.end(), seven);
        EXPECT_EQ(x[0], 0) << name;
        x[0] = 7;
        EXPECT_EQ(x, std::vector<float>(1000, 7)) << name;
    });
}

TEST_F(ForEach, takes_any_function_on_the_host_also_under_auto) {
    std::vector<float> x{1, 2};
    for_each(execution::auto_, x.begin(), x.end(), [](float& value) { value += 1; });
    EXPECT_EQ(x, (std::vector<float>{2, 3}));
    for_each(execution::auto_, x.begin(), x.end(), halved);
    EXPECT_EQ(x, (std::vector<float>{2, 3})) << "the result of the function is ignored";
    for_each(execution::par, x.begin(), x.end(), [](float* value) { *value = 0; });
    EXPECT_EQ(x, (std::vector<float>{0, 0}));
}

TEST(HostForEach, calls_the_function_once_with_each_value) {
    for (const std::size_t size : algorithm_sizes) {
        under_host_policies([&](const auto& policy) {
            auto x = counting(size);
            for_each(policy, x.begin(), x.end(), [](std::int32_t& value) { ++value; });
            const auto middle = static_cast<std::ptrdiff_t>(size / 2);
            EXPECT_EQ(for_each_n(policy, x.begin(), middle, [](std::int32_t& value) { --value; }),
                      x.begin() + middle);
            for (std::size_t i = 0; i < size; ++i) {
                ASSERT_EQ(x[i], static_cast<std::int32_t>(i + (i < size / 2 ? 0 : 1)));
            }
        });
    }
}

TEST(HostGenerate, calls_the_function_once_for_each_value) {
    for (const std::size_t size : algorithm_sizes) {
        const auto in_turn = [&](const auto& policy) {
            std::atomic<std::int32_t> next{0};
            std::vector<std::int32_t> x(size, -1);
            generate(policy, x.begin(), x.end(), [&] { return next++; });
            std::ranges::sort(x);
            EXPECT_EQ(x, counting(size));
        };
        in_turn(execution::seq);
        in_turn(execution::par);
        under_host_policies([&](const auto& policy) {
            std::vector<std::int32_t> x(size, -1);
            generate(policy, x.begin(), x.end(), [] { return 7; });
            EXPECT_EQ(x, std::vector<std::int32_t>(size, 7));
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
TEST_F(ForEach, changes_a_buffer_on_its_device) {
    on_every_device([&](const auto& policy) {
        const std::vector<std::int32_t> x{1, 2, 3, 4, 5, 6};
        opencl::buffer<std::int32_t> values{policy.queue(), x};
        for_each(policy, begin(values) + 1, begin(values) + 3, triple);
        EXPECT_EQ(for_each_n(policy, begin(values), 1, triple), begin(values) + 1);
        generate(policy, begin(values) + 3, begin(values) + 4, seven);
        EXPECT_EQ(generate_n(policy, begin(values) + 4, 1, seven), begin(values) + 5);
        std::vector<std::int32_t> got(6);
        values.read(policy.queue(), got);
        EXPECT_EQ(got, (std::vector<std::int32_t>{3, 6, 9, 7, 7, 6}));
    });
}
#endif

}  // namespace
}  // namespace pointsman::test
