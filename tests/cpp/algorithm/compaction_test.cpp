// SPDX-License-Identifier: Apache-2.0
// copy_if and unique equal the standard algorithms under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <list>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/unique.hpp"
#include "pointsman/clock.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(int, is_below_two, (double x), { return x < 2 ? 3 : 0; });
POINTSMAN_FUNCTION(bool, is_large, (int32_t x), { return x > 100; });
POINTSMAN_FUNCTION(bool, are_of_one_ten, (int32_t a, int32_t b), { return a / 10 == b / 10; });

template <class T>
class Compaction : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    std::string message(const std::string& policy, std::size_t size) const {
        return policy + ", size " + std::to_string(size) + ", " + random.seed();
    }
};

TYPED_TEST_SUITE(Compaction, few_types);

TYPED_TEST(Compaction, copy_if_copies_the_matching_values_and_writes_nothing_else) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size, 3);
        std::vector<TypeParam> expected;
        std::copy_if(x.begin(), x.end(), std::back_inserter(expected), is_below_two);
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(expected.size());
            EXPECT_EQ(copy_if(policy, x.begin(), x.end(), out.begin(), is_below_two), out.end())
                << this->message(name, size);
            EXPECT_EQ(out, expected) << this->message(name, size);
        });
    }
}

TYPED_TEST(Compaction, unique_keeps_the_first_of_equal_neighbours) {
    for (const std::size_t size : algorithm_sizes) {
        auto x = this->random.template of<TypeParam>(size, 3);
        for (std::size_t i = 1; i < size; i += 2) {
            x[i] = x[i - 1];
        }
        auto expected = x;
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        this->under_policies([&](const auto& policy, const std::string& name) {
            auto kept = x;
            kept.erase(unique(policy, kept.begin(), kept.end()), kept.end());
            EXPECT_EQ(kept, expected) << this->message(name, size);
        });
    }
}

using CompactionOf = EveryExecutionPolicy;

TEST(CompactionOnTheHost, writes_to_any_output_in_several_threads) {
    std::vector<char> x(1'000'000);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<char>(i % 7);
    }
    const auto is_low = [](char value) { return value < 3; };
    std::vector<char> expected;
    std::copy_if(x.begin(), x.end(), std::back_inserter(expected), is_low);
    std::vector<char> appended;
    copy_if(execution::par, x.begin(), x.end(), std::back_inserter(appended), is_low);
    EXPECT_EQ(appended, expected);
    std::list<char> linked(expected.size());
    EXPECT_EQ(copy_if(execution::par, x.begin(), x.end(), linked.begin(), is_low), linked.end());
    EXPECT_TRUE(std::ranges::equal(linked, expected));
    std::vector<bool> bits(expected.size());  // eight in each byte
    EXPECT_EQ(copy_if(execution::par, x.begin(), x.end(), bits.begin(), is_low), bits.end());
    EXPECT_TRUE(std::ranges::equal(bits, expected, {}, {}, [](char value) { return value != 0; }));
}

TEST(CompactionOnTheHost, divides_a_few_costly_values_among_threads) {
    if (tbb::this_task_arena::max_concurrency() < 2) {
        GTEST_SKIP() << "one thread";
    }
    const std::vector<int> x(1'000, 1);
    std::vector<int> out(x.size());
    std::mutex mutex;
    std::set<std::thread::id> threads;
    const auto is_kept = [&](int) {
        const auto until = pointsman::clock::now() + std::chrono::microseconds{100};
        {
            const std::lock_guard lock{mutex};
            threads.insert(std::this_thread::get_id());
        }
        while (pointsman::clock::now() < until) {
        }
        return true;
    };
    for (int call = 0; call < 20 && threads.size() < 2; ++call) {
        EXPECT_EQ(copy_if(execution::par, x.begin(), x.end(), out.begin(), is_kept), out.end());
    }
    EXPECT_GE(threads.size(), 2U);
}

TEST_F(CompactionOf, values_without_a_match_leaves_the_output_unchanged) {
    const auto x = random_values{}.of<std::int32_t>(1000, 100);
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<std::int32_t> out(1, 7);
        EXPECT_EQ(copy_if(policy, x.begin(), x.end(), out.begin(), is_large), out.begin()) << name;
        EXPECT_EQ(out.front(), 7) << name;
    });
}

TEST_F(CompactionOf, neighbours_equal_by_a_predicate_keeps_the_first) {
    random_values random;
    auto x = random.of<std::int32_t>(100'000, 100);
    std::ranges::sort(x);
    auto expected = x;
    expected.erase(std::unique(expected.begin(), expected.end(), are_of_one_ten), expected.end());
    under_policies([&](const auto& policy, const std::string& name) {
        auto kept = x;
        kept.erase(unique(policy, kept.begin(), kept.end(), are_of_one_ten), kept.end());
        EXPECT_EQ(kept, expected) << name << ", " << random.seed();
    });
}

TEST_F(CompactionOf, nan_keeps_every_value) {
    const std::vector<float> x(1000, std::numeric_limits<float>::quiet_NaN());
    under_policies([&](const auto& policy, const std::string& name) {
        auto kept = x;
        EXPECT_EQ(unique(policy, kept.begin(), kept.end()), kept.end()) << name;
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(CompactionOf, a_buffer_stays_on_the_device) {
    on_every_device([&](const auto& policy) {
        const std::vector<std::int32_t> x{1, 1, 2, 2, 2, 3, 1, 1};
        opencl::buffer<std::int32_t> values{policy.queue(), x};
        EXPECT_EQ(unique(policy, begin(values) + 1, end(values)), begin(values) + 5);
        std::vector<std::int32_t> got(8);
        values.read(policy.queue(), got);
        got.resize(5);
        EXPECT_EQ(got, (std::vector<std::int32_t>{1, 1, 2, 3, 1}));
        EXPECT_THROW(copy_if(policy, x.begin(), x.end(), begin(values) + 5, is_below_two),
                     invalid_option);
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
