// SPDX-License-Identifier: Apache-2.0
// Algorithms under an auto_policy equal the same algorithms under each of its candidates.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/all_of.hpp"
#include "pointsman/algorithm/any_of.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/for_each_n.hpp"
#include "pointsman/algorithm/generate.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/none_of.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"
#include "pointsman/algorithm/transform_iterator.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "pointsman/execution/auto_policy.hpp"

namespace pointsman::test {
namespace {

using execution::auto_policy;

POINTSMAN_FUNCTION(int32_t, twice, (int32_t x), { return 2 * x; });
POINTSMAN_FUNCTION(int, is_negative, (int32_t x), { return x < 0; });

/// After this many calls of one kind, each candidate has run.
constexpr int enough_calls = 40;
constexpr std::size_t sizes[] = {0, 1, 33, 1000};

/// Calls `check(x, y)` with values and space for results, `enough_calls` times for each size.
template <class Check>
void on_counted(Check check) {
    for (const std::size_t size : sizes) {
        for (int i = 0; i < enough_calls; ++i) {
            const auto x = counting(size);
            std::vector<std::int32_t> y(size, -1);
            check(x, y);
        }
    }
}

TEST(AutoAlgorithm, writes_the_same_as_each_of_its_candidates) {
    const auto_policy policy;
    on_counted([&](const auto& x, auto& y) {
        EXPECT_EQ(transform(policy, x.begin(), x.end(), y.begin(), twice), y.end());
        EXPECT_EQ(reduce(policy, y.begin(), y.end(), 0), 2 * std::reduce(x.begin(), x.end()));
        transform(policy, x.begin(), x.end(), y.begin(), y.begin(), plus{});
        EXPECT_EQ(transform_reduce(policy, y.begin(), y.end(), 0, plus{}, twice),
                  6 * std::reduce(x.begin(), x.end()));
        copy(policy, x.begin(), x.end(), y.begin());
        EXPECT_EQ(x, y);
        fill(policy, y.begin(), y.end(), 7);
        EXPECT_EQ(y, std::vector<std::int32_t>(x.size(), 7));
    });
}

TEST(AutoAlgorithm, scans_and_searches_the_same_as_each_of_its_candidates) {
    const auto_policy policy;
    on_counted([&](const auto& x, auto& y) {
        auto expected = x;
        std::inclusive_scan(x.begin(), x.end(), expected.begin());
        inclusive_scan(policy, x.begin(), x.end(), y.begin());
        EXPECT_EQ(y, expected);
        exclusive_scan(policy, x.begin(), x.end(), y.begin(), 0);
        transform(policy, y.begin(), y.end(), x.begin(), y.begin(), plus{});
        EXPECT_EQ(y, expected);
        EXPECT_EQ(count_if(policy, x.begin(), x.end(), is_negative), 0);
        EXPECT_EQ(find_if(policy, x.begin(), x.end(), is_negative), x.end());
        EXPECT_TRUE(none_of(policy, x.begin(), x.end(), is_negative));
        EXPECT_FALSE(any_of(policy, x.begin(), x.end(), is_negative));
        EXPECT_EQ(all_of(policy, x.begin(), x.end(), is_negative), x.empty());
    });
}

TEST(AutoAlgorithm, takes_functions_and_iterators_for_the_host_only) {
    const auto_policy policy;
    const std::int32_t added = 3;
    on_counted([&](const auto& x, auto& y) {
        generate(policy, y.begin(), y.end(), [] { return 1; });
        for_each(policy, y.begin(), y.end(), [=](std::int32_t& value) { value += added; });
        EXPECT_EQ(y, std::vector<std::int32_t>(x.size(), 4));
        EXPECT_EQ(for_each_n(policy, y.begin(), y.size(), [](std::int32_t& value) { value = 0; }),
                  y.end());
        EXPECT_EQ(reduce(policy, y.begin(), y.end(), 0, [](int a, int b) { return a + b; }), 0);
    });
    std::list<int> linked{1, 2, 3};
    for_each(policy, linked.begin(), linked.end(), [](int& value) { ++value; });
    EXPECT_EQ(linked, (std::list<int>{2, 3, 4}));
}

TEST(AutoAlgorithm, explains_which_algorithm_ran_where) {
    const auto_policy policy{{execution::seq, execution::par}};
    const auto x = counting(10);
    any_of(policy, x.begin(), x.end(), is_negative);
    const auto why = policy.explain();
    ASSERT_TRUE(why);
    EXPECT_EQ(why->algorithm, "any_of");
    ASSERT_EQ(why->candidates.size(), 2U);
    EXPECT_EQ(why->candidates[0].name, "seq");
    EXPECT_EQ(why->candidates[1].name, "par");
    EXPECT_LT(why->chosen, 2U);
}

TEST(AutoAlgorithm, may_be_called_by_many_threads_concurrently) {
    const auto_policy policy{{execution::seq, execution::unseq}};
    const auto x = counting(1000);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 1000; ++i) {
                wrong += reduce(policy, x.begin(), x.end(), 0, plus{}) == 499'500 ? 0 : 1;
                wrong += policy.explain() ? 0 : 1;
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
}

bool is_even(int x) { return x % 2 == 0; }
bool is_odd(int x) { return x % 2 != 0; }

TEST(AutoAlgorithm, distinguishes_plain_functions_and_sizes) {
    using call = detail::count_if_call;
    const auto x = counting(100);
    const auto key = [&](std::size_t size, bool (*f)(int)) {
        return detail::auto_key_of<call>(x.data(), x.data() + size, f);
    };
    EXPECT_EQ(key(65, is_even), key(100, is_even));
    EXPECT_NE(key(10, is_even), key(100, is_even));
    EXPECT_NE(key(100, is_even), key(100, is_odd));
}

#ifndef POINTSMAN_WITHOUT_OPENCL

POINTSMAN_FUNCTION(int32_t, host_only, (int32_t x), { return std::int32_t{x}; });

using AutoOnDevice = EveryExecutionPolicy;

TEST_F(AutoOnDevice, tries_devices_if_they_support_the_function_and_the_values) {
    on_every_device([&](const execution::device_policy<>& device) {
        const auto_policy policy{{device, execution::seq}};
        const auto x = counting(100);
        std::vector<std::int32_t> y(100);
        transform(policy, x.begin(), x.end(), y.begin(), twice);
        ASSERT_EQ(policy.explain()->candidates.size(), 2U);
        EXPECT_EQ(policy.explain()->candidates[1].name, device.queue().device().label());
        transform(policy, x.begin(), x.end(), y.begin(), [](int value) { return value; });
        EXPECT_EQ(policy.explain()->candidates.size(), 1U);
    });
}

TEST_F(AutoOnDevice, keeps_buffers_on_their_device) {
    on_every_device([&](const execution::device_policy<>& device) {
        const auto_policy policy{{execution::seq, device}};
        const auto x = counting(100);
        opencl::buffer<std::int32_t> on_device{device.queue(), x};
        transform(policy, begin(on_device), end(on_device), begin(on_device), twice);
        EXPECT_EQ(reduce(policy, begin(on_device), end(on_device), 0), 9'900);
        EXPECT_EQ(policy.explain()->candidates.size(), 1U);
    });
}

TEST_F(AutoOnDevice, tries_only_devices_of_the_context_that_has_the_values) {
    on_every_device([&](const execution::device_policy<>& device) {
        const cl::Device handle = device.queue().device().handle();
        const execution::device_policy<> elsewhere{
            opencl::queue{cl::CommandQueue{cl::Context{handle}, handle}}};
        const auto_policy policy{{execution::seq, device, elsewhere, device}};
        const auto x = counting(100);
        const opencl::buffer<std::int32_t> near{device.queue(), x};
        const opencl::buffer<std::int32_t> far{elsewhere.queue(), x};
        const transform_iterator doubled{begin(far), twice};
        for (int i = 0; i < enough_calls; ++i) {
            EXPECT_EQ(reduce(policy, begin(near), end(near), 0), 4'950);
            EXPECT_EQ(policy.explain()->candidates.size(), 2U);
            EXPECT_EQ(reduce(policy, begin(far), end(far), 0), 4'950);
            EXPECT_EQ(policy.explain()->candidates.size(), 1U);
            EXPECT_EQ(reduce(policy, doubled, doubled + 100, 0), 9'900);
        }
        const auto_policy without{{execution::seq, device}};
        EXPECT_THROW(reduce(without, begin(far), end(far), 0), unsuitable_resources);
        EXPECT_EQ(reduce(without, begin(near), end(near), 0), 4'950);
    });
}

TEST_F(AutoOnDevice, runs_functions_on_the_host_that_the_device_cannot_compile) {
    on_every_device([&](const execution::device_policy<>& device) {
        const auto_policy policy{{execution::seq, device}};
        const auto x = counting(100);
        for (int i = 0; i < enough_calls; ++i) {
            std::vector<std::int32_t> y(100);
            transform(policy, x.begin(), x.end(), y.begin(), host_only);
            EXPECT_EQ(x, y);
        }
        const auto_policy device_alone{{device}};
        std::vector<std::int32_t> y(100);
        EXPECT_THROW(transform(device_alone, x.begin(), x.end(), y.begin(), host_only),
                     opencl::build_error);
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
