// SPDX-License-Identifier: Apache-2.0
// Partitions and partial sorts of numbers in patterns that mislead estimates from samples.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/nth_element.hpp"
#include "pointsman/algorithm/partial_sort.hpp"
#include "pointsman/algorithm/partial_sort_copy.hpp"
#include "pointsman/algorithm/partition.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/stable_partition.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
class OrderStatistics : public ::testing::Test {
  protected:
    /// Values below 32,000, floating ones with zeros of both signs and NaN among them.
    std::vector<T> pattern(const std::string& name, std::size_t size) {
        auto values = random.template of<T>(size, 32'000);
        for (std::size_t i = 0; i < size; ++i) {
            const auto set = [&](std::size_t to) { values[i] = static_cast<T>(to % 32'000); };
            if (name == "rising") {
                set(i * 32'000 / size);
            } else if (name == "falling") {
                set((size - i) * 31'999 / size);
            } else if (name == "equal") {
                set(7);
            } else if (name == "two values") {
                set(i % 2);
            } else if (name == "mostly one value") {
                set(i % 10 == 0 ? i : 100);
            } else if (name == "pipes") {
                set(std::min(i, size - i));
            } else if (name ==
                       "samples lie") {  // every value of the sample is less than all others
                set(i % (size / 1'023) == 0 ? 0 : 1 + i);
            } else if (std::numeric_limits<T>::has_quiet_NaN && i % 50 < 3) {
                values[i] = i % 50 == 0   ? std::numeric_limits<T>::quiet_NaN()
                            : i % 50 == 1 ? static_cast<T>(-0.0)
                                          : static_cast<T>(0);
            }
        }
        return values;
    }
    template <class Check>
    void each(const Check& check) {
        for (const std::string name : {"random", "rising", "falling", "equal", "two values",
                                       "mostly one value", "pipes", "samples lie"}) {
            for (const std::size_t size : {4'095U, 4'097U, 20'000U, 70'001U}) {
                SCOPED_TRACE(name + ", size " + std::to_string(size) + ", " + random.seed());
                check(pattern(name, size));
            }
        }
    }
    /// The places that are sought in so many values.
    static std::vector<std::size_t> places(std::size_t size) {
        return {0, 1, size / 1'000, size / 10, size / 2, size - 2, size - 1};
    }
    template <class Check>
    static void under_policies(const Check& check) {
        check(execution::seq);
        check(execution::par_unseq);
    }
    static bool are_same(const T* a, const T* b, std::size_t count) {
        return count == 0 || std::memcmp(a, b, count * sizeof(T)) == 0;
    }

    random_values random;
};

using types_of_statistics = ::testing::Types<float, double, std::int32_t, std::uint16_t>;
TYPED_TEST_SUITE(OrderStatistics, types_of_statistics);

TYPED_TEST(OrderStatistics, nth_element_puts_the_value_there_and_lesser_ones_before_it) {
    this->each([&](const std::vector<TypeParam>& x) {
        auto sorted = x;
        sort(execution::seq, sorted.begin(), sorted.end());
        for (const std::size_t place : this->places(x.size())) {
            this->under_policies([&](const auto& policy) {
                auto y = x;
                const auto nth = y.begin() + static_cast<std::ptrdiff_t>(place);
                nth_element(policy, y.begin(), nth, y.end());
                EXPECT_TRUE(this->are_same(&*nth, &sorted[place], 1)) << place;
                sort(execution::seq, y.begin(), nth);
                EXPECT_TRUE(this->are_same(y.data(), sorted.data(), place)) << place;
                sort(execution::seq, nth, y.end());
                EXPECT_TRUE(this->are_same(y.data(), sorted.data(), x.size())) << place;
            });
        }
    });
}

TYPED_TEST(OrderStatistics, partial_sort_sorts_the_greatest_to_the_front) {
    this->each([&](const std::vector<TypeParam>& x) {
        auto sorted = x;
        sort(execution::seq, sorted.begin(), sorted.end(), greater{});
        for (const std::size_t place : this->places(x.size())) {
            this->under_policies([&](const auto& policy) {
                auto y = x;
                const auto middle = y.begin() + static_cast<std::ptrdiff_t>(place);
                partial_sort(policy, y.begin(), middle, y.end(), greater{});
                EXPECT_TRUE(this->are_same(y.data(), sorted.data(), place)) << place;
                sort(execution::seq, middle, y.end(), greater{});
                EXPECT_TRUE(this->are_same(y.data(), sorted.data(), x.size())) << place;
                std::vector<TypeParam> copy(place);
                EXPECT_EQ(partial_sort_copy(policy, x.begin(), x.end(), copy.begin(), copy.end(),
                                            greater{}),
                          copy.end());
                EXPECT_TRUE(this->are_same(copy.data(), sorted.data(), place)) << place;
            });
        }
    });
}

TYPED_TEST(OrderStatistics, partitions_separate_the_values_and_call_the_predicate_once_for_each) {
    this->each([&](const std::vector<TypeParam>& x) {
        for (const int limit : {-1, 0, 7, 100, 16'000, 40'000}) {
            const auto is_low = [limit](TypeParam value) {
                return value < static_cast<TypeParam>(limit) && limit >= 0;
            };
            auto sorted = x;
            sort(execution::seq, sorted.begin(), sorted.end());
            const auto low = std::count_if(x.begin(), x.end(), is_low);
            this->under_policies([&](const auto& policy) {
                auto y = x;
                EXPECT_EQ(partition(policy, y.begin(), y.end(), is_low) - y.begin(), low);
                EXPECT_EQ(std::count_if(y.begin(), y.begin() + low, is_low), low);
                sort(execution::seq, y.begin(), y.end());
                EXPECT_TRUE(this->are_same(y.data(), sorted.data(), x.size()));
            });
            auto expected = x;
            std::stable_partition(expected.begin(), expected.end(), is_low);
            this->under_policies([&](const auto& policy) {
                auto y = x;
                EXPECT_EQ(stable_partition(policy, y.begin(), y.end(), is_low) - y.begin(), low);
                EXPECT_TRUE(this->are_same(y.data(), expected.data(), x.size()));
            });
            std::size_t calls = 0;
            auto y = x;
            partition(execution::seq, y.begin(), y.end(), [&](TypeParam value) {
                ++calls;
                return is_low(value);
            });
            EXPECT_EQ(calls, x.size());
        }
    });
}

TEST(HostPartition, takes_predicates_of_references_that_are_not_const) {
    std::vector<int> x{3, 1, 4, 1, 5, 9, 2, 6};
    const auto middle =
        partition(execution::par, x.begin(), x.end(), [](int& value) { return value < 4; });
    EXPECT_EQ(middle - x.begin(), 4);
    EXPECT_TRUE(std::all_of(x.begin(), middle, [](int value) { return value < 4; }));
}

TEST(HostPartialSort, of_few_of_many_strings_keeps_them_in_a_heap) {
    std::vector<std::string> x;
    for (int i = 0; i < 30'000; ++i) {
        x.push_back(std::to_string(i * 7'919 % 30'011));
    }
    auto sorted = x;
    std::ranges::sort(sorted);
    std::vector<std::string> copy(10);
    partial_sort_copy(execution::par, x.begin(), x.end(), copy.begin(), copy.end());
    EXPECT_TRUE(std::equal(copy.begin(), copy.end(), sorted.begin()));
    partial_sort(execution::par, x.begin(), x.begin() + 10, x.end());
    EXPECT_TRUE(std::equal(copy.begin(), copy.end(), x.begin()));
}

}  // namespace
}  // namespace pointsman::test
