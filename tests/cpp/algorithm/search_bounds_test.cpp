// SPDX-License-Identifier: Apache-2.0
// lower_bound, upper_bound and binary_search equal a loop of the standard's searches under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <forward_list>
#include <iterator>
#include <limits>
#include <list>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/binary_search.hpp"
#include "pointsman/algorithm/lower_bound.hpp"
#include "pointsman/algorithm/upper_bound.hpp"
#include "pointsman/execution/auto_policy.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(bool, is_tens_below, (int32_t a, int32_t b), { return a / 10 < b / 10; });

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The results of the three searches for some values.
struct positions {
    std::vector<std::int64_t> lower;
    std::vector<std::int64_t> upper;
    std::vector<std::uint8_t> present;
    bool operator==(const positions&) const = default;

    explicit positions(std::size_t size) : lower(size, -1), upper(size, -1), present(size, 7) {}
};

/// What a loop of the standard's searches finds.
template <class Range, class Values, class Compare>
positions found_in_a_loop(const Range& x, const Values& values, Compare compare) {
    positions found{0};
    for (const auto& value : values) {
        const auto lower = std::lower_bound(x.begin(), x.end(), value, compare);
        found.lower.push_back(std::distance(x.begin(), lower));
        found.upper.push_back(
            std::distance(x.begin(), std::upper_bound(x.begin(), x.end(), value, compare)));
        found.present.push_back(lower != x.end() && !compare(value, *lower) ? 1 : 0);
    }
    return found;
}

/// What the algorithms find; they must write each result, and nothing behind the last.
template <class Policy, class Range, class Values, class... Compare>
positions found_under(const Policy& policy, const Range& x, const Values& values,
                      Compare... compare) {
    const auto count = std::distance(values.begin(), values.end());
    positions found{static_cast<std::size_t>(count) + 1};
    const auto search = [&](auto& results, const auto& algorithm) {
        EXPECT_EQ(algorithm(policy, x.begin(), x.end(), values.begin(), values.end(),
                            results.begin(), compare...),
                  results.begin() + count);
    };
    search(found.lower, [](const auto&... each) { return lower_bound(each...); });
    search(found.upper, [](const auto&... each) { return upper_bound(each...); });
    search(found.present, [](const auto&... each) { return binary_search(each...); });
    EXPECT_EQ(found.lower.back(), -1) << "written past the end";
    EXPECT_EQ(found.upper.back(), -1) << "written past the end";
    EXPECT_EQ(found.present.back(), 7) << "written past the end";
    found.lower.pop_back();
    found.upper.pop_back();
    found.present.pop_back();
    return found;
}

/// The order of floating-point numbers that has NaN last.
constexpr auto rises = []<class T>(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isnan(a) ? false : std::isnan(b) || a < b;
    } else {
        return a < b;
    }
};

template <class T>
class Bounds : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    template <class Compare>
    void check(const std::vector<T>& x, const std::vector<T>& values, Compare compare) {
        const positions expected = found_in_a_loop(x, values, compare);
        this->under_policies([&](const auto& policy, const std::string& name) {
            EXPECT_TRUE(found_under(policy, x, values, compare) == expected)
                << name << ", " << values.size() << " values in " << x.size() << ", "
                << random.seed();
        });
    }

    std::vector<T> sorted(std::size_t size, T limit = std::numeric_limits<T>::max()) {
        auto values = random.of<T>(size, limit);
        std::ranges::sort(values);
        return values;
    }
};

TYPED_TEST_SUITE(Bounds, algorithm_types);

TYPED_TEST(Bounds, of_random_values_are_those_of_the_standard_for_all_sizes) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->sorted(size);
        this->check(x, this->random.template of<TypeParam>(size), less{});
        this->check(x, this->random.template of<TypeParam>(100), less{});
        this->check(this->sorted(100), this->random.template of<TypeParam>(size / 20), less{});
    }
}

TYPED_TEST(Bounds, of_values_that_repeat_or_are_outside_are_those_of_the_standard) {
    for (const std::size_t size : {1, 2, 63, 64, 65, 5000}) {
        for (const int limit : {1, 20, 3000}) {
            const auto x = this->sorted(size, static_cast<TypeParam>(limit));
            auto values = this->random.template of<TypeParam>(size + 40, TypeParam(2 * limit));
            std::ranges::copy(x, values.begin());
            this->check(x, values, less{});
        }
    }
}

TYPED_TEST(Bounds, of_sorted_values_are_those_of_the_standard) {
    for (const std::size_t size : {31, 1000, 70'000}) {
        const auto x = this->sorted(size, TypeParam(30'000));
        for (const std::size_t count : {64, 1000, 20'000}) {
            auto values = this->sorted(count, TypeParam(31'000));
            this->check(x, values, less{});
            std::ranges::reverse(values);
            this->check(x, values, less{});
            std::ranges::fill(values, x[size / 2]);
            this->check(x, values, less{});
        }
    }
}

TYPED_TEST(Bounds, in_the_falling_order_are_those_of_the_standard) {
    for (const std::size_t size : {0, 1, 100, 20'000}) {
        auto x = this->sorted(size, TypeParam(5000));
        std::ranges::reverse(x);
        auto values = this->random.template of<TypeParam>(20'000, TypeParam(6000));
        this->check(x, values, greater{});
        std::ranges::sort(values, greater{});
        this->check(x, values, greater{});
    }
}

using BoundsOf = EveryExecutionPolicy;

TEST_F(BoundsOf, zeros_and_nan_are_those_of_one_zero_and_one_greatest_number) {
    const std::vector<double> x{-infinity, -1, -0.0, 0, 0, 2, infinity, nan, -nan};
    const std::vector<double> values{nan, 0, -0.0, infinity, -infinity, 1, -nan};
    under_policies([&](const auto& policy, const std::string& name) {
        const positions found = found_under(policy, x, values);
        EXPECT_EQ(found.lower, (std::vector<std::int64_t>{7, 2, 2, 6, 0, 5, 7})) << name;
        EXPECT_EQ(found.upper, (std::vector<std::int64_t>{9, 5, 5, 7, 1, 5, 9})) << name;
        EXPECT_EQ(found.present, (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 0, 1})) << name;
    });
}

TEST_F(BoundsOf, many_nan_are_those_of_the_order_that_has_nan_last) {
    random_values random;
    auto x = random.of<float>(30'000, 100);
    std::fill(x.begin() + 20'000, x.end(), static_cast<float>(nan));
    std::ranges::sort(x, rises);
    auto values = random.of<float>(40'000, 110);
    for (std::size_t i = 0; i < values.size(); i += 7) {
        values[i] = i % 2 == 0 ? static_cast<float>(nan) : x[i % 20'000];
    }
    for (int times = 0; times < 2; ++times) {
        const positions expected = found_in_a_loop(x, values, rises);
        under_policies([&](const auto& policy, const std::string& name) {
            EXPECT_TRUE(found_under(policy, x, values) == expected)
                << name << ", " << random.seed();
            EXPECT_TRUE(found_under(policy, x, values, less{}) == expected) << name;
        });
        std::ranges::sort(values, rises);
    }
}

TEST_F(BoundsOf, values_in_an_order_of_ones_own_have_its_equivalent_values) {
    random_values random;
    auto x = random.of<std::int32_t>(20'000, 50'000);
    std::ranges::sort(x, is_tens_below);
    const auto values = random.of<std::int32_t>(30'000, 60'000);
    const positions expected = found_in_a_loop(x, values, is_tens_below);
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_TRUE(found_under(policy, x, values, is_tens_below) == expected)
            << name << ", " << random.seed();
    });
}

TEST_F(BoundsOf, values_of_another_type_are_those_in_the_common_type) {
    const std::vector<std::int32_t> x{-3, 0, 1, 1, 2, 70'000};
    const std::vector<float> floats{0.5F, 1, 1.5F, -3, 1e9F, static_cast<float>(nan)};
    const std::vector<std::int8_t> bytes{-3, 1, 5};
    under_policies([&](const auto& policy, const std::string& name) {
        const positions of_floats = found_under(policy, x, floats);
        EXPECT_EQ(of_floats.lower, (std::vector<std::int64_t>{2, 2, 4, 0, 6, 6})) << name;
        EXPECT_EQ(of_floats.upper, (std::vector<std::int64_t>{2, 4, 4, 1, 6, 6})) << name;
        EXPECT_EQ(of_floats.present, (std::vector<std::uint8_t>{0, 1, 0, 1, 0, 0})) << name;
        const positions of_bytes = found_under(policy, x, bytes);
        EXPECT_EQ(of_bytes.lower, (std::vector<std::int64_t>{0, 2, 5})) << name;
        EXPECT_EQ(of_bytes.upper, (std::vector<std::int64_t>{1, 4, 5})) << name;
    });
}

TEST_F(BoundsOf, values_in_an_empty_range_are_zero_and_of_no_values_are_none) {
    const std::vector<std::int32_t> none;
    const auto x = counting(100);
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_TRUE(found_under(policy, x, none) == positions{0}) << name;
        EXPECT_TRUE(found_under(policy, none, none) == positions{0}) << name;
        const positions found = found_under(policy, none, x);
        EXPECT_EQ(found.lower, std::vector<std::int64_t>(100, 0)) << name;
        EXPECT_EQ(found.upper, std::vector<std::int64_t>(100, 0)) << name;
        EXPECT_EQ(found.present, std::vector<std::uint8_t>(100, 0)) << name;
    });
}

TEST_F(BoundsOf, values_are_written_as_the_type_of_the_results) {
    const std::vector<std::uint8_t> x{0, 3, 3, 200, 255};
    const std::vector<std::uint8_t> values{255, 3, 0, 199};
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<std::uint8_t> bytes(4);
        upper_bound(policy, x.begin(), x.end(), values.begin(), values.end(), bytes.begin());
        EXPECT_EQ(bytes, (std::vector<std::uint8_t>{5, 3, 1, 3})) << name;
        std::deque<float> floats(4);
        lower_bound(policy, x.begin(), x.end(), values.begin(), values.end(), floats.begin());
        EXPECT_EQ(floats, (std::deque<float>{4, 1, 0, 3})) << name;
        std::vector<std::int16_t> shorts(4);
        binary_search(policy, x.begin(), x.end(), values.begin(), values.end(), shorts.begin());
        EXPECT_EQ(shorts, (std::vector<std::int16_t>{1, 1, 1, 0})) << name;
    });
}

TEST_F(BoundsOf, values_under_the_auto_policy_are_the_same) {
    const auto x = counting(1000);
    const std::vector<std::int32_t> values{-1, 0, 500, 999, 1000};
    const positions expected = found_in_a_loop(x, values, less{});
    for (int i = 0; i < 40; ++i) {
        EXPECT_TRUE(found_under(execution::auto_, x, values) == expected);
        EXPECT_TRUE(found_under(execution::auto_, x, values, less{}) == expected);
    }
}

TEST(AutoBounds, are_measured_by_the_number_of_values) {
    using call = detail::lower_bound_call;
    const auto x = counting(1000);
    std::vector<int> out(1000);
    const auto key = [&](std::size_t size, std::size_t count) {
        return detail::auto_key_of<call>(x.data(), x.data() + size, x.data(), x.data() + count,
                                         out.data());
    };
    EXPECT_EQ(key(1000, 65), key(10, 100));
    EXPECT_NE(key(1000, 10), key(1000, 100));
}

TEST(BoundsOnTheHost, take_forward_iterators) {
    const std::vector<std::int32_t> values{7, -1, 3, 3, 100, 50, 4};
    const std::forward_list<std::int32_t> in_list(values.begin(), values.end());
    const std::list<std::int32_t> x{0, 3, 3, 5, 50, 50, 99};
    const positions expected = found_in_a_loop(x, values, less{});
    under_host_policies([&](const auto& policy) {
        EXPECT_TRUE(found_under(policy, x, values) == expected);
        EXPECT_TRUE(found_under(policy, x, in_list) == expected);
        std::forward_list<int> out(values.size(), -1);
        EXPECT_EQ(
            upper_bound(policy, x.begin(), x.end(), in_list.begin(), in_list.end(), out.begin()),
            out.end());
        EXPECT_TRUE(std::ranges::equal(out, expected.upper));
        std::vector<int> appended;
        lower_bound(policy, x.begin(), x.end(), in_list.begin(), in_list.end(),
                    std::back_inserter(appended));
        EXPECT_TRUE(std::ranges::equal(appended, expected.lower));
    });
}

TEST(BoundsOnTheHost, are_written_as_bits_by_one_thread) {
    const auto x = counting(1000);
    random_values random;
    const auto values = random.of<std::int32_t>(100'000, 1500);
    const auto expected = found_in_a_loop(x, values, less{}).present;
    std::atomic<bool> is_elsewhere = false;
    const auto is_below = [&, caller = std::this_thread::get_id()](std::int32_t a, std::int32_t b) {
        if (std::this_thread::get_id() != caller) {
            is_elsewhere = true;
        }
        return a < b;
    };
    under_host_policies([&](const auto& policy) {
        std::vector<bool> bits(values.size());
        EXPECT_EQ(binary_search(policy, x.begin(), x.end(), values.begin(), values.end(),
                                bits.begin(), is_below),
                  bits.end());
        EXPECT_TRUE(std::ranges::equal(bits, expected)) << random.seed();
    });
    EXPECT_FALSE(is_elsewhere) << "threads that write bits of the same word lose some";
}

/// A number with a name of some length.
struct labelled {
    int number;
    std::string label;
};

TEST(BoundsOnTheHost, take_elements_and_values_without_a_common_order) {
    std::vector<labelled> x;
    for (int i = 0; i < 30'000; ++i) {
        x.push_back({i / 3, "a label that is not within the object"});
    }
    random_values random;
    const auto values = random.of<long>(40'000, 11'000);
    const auto is_below = [](const labelled& element, long value) {
        return element.number < value;
    };
    const auto is_above = [](long value, const labelled& element) {
        return value < element.number;
    };
    under_host_policies([&](const auto& policy) {
        std::vector<std::ptrdiff_t> lower(values.size());
        std::vector<std::ptrdiff_t> upper(values.size());
        lower_bound(policy, x.begin(), x.end(), values.begin(), values.end(), lower.begin(),
                    is_below);
        upper_bound(policy, x.begin(), x.end(), values.begin(), values.end(), upper.begin(),
                    is_above);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::ptrdiff_t before = std::clamp(3 * values[i], 0L, 30'000L);
            ASSERT_EQ(lower[i], before) << values[i] << ", " << random.seed();
            ASSERT_EQ(upper[i], values[i] < 0 ? 0 : std::min<long>(before + 3, 30'000));
        }
    });
}

TEST(BoundsOnTheHost, of_nan_in_an_order_that_does_not_know_it_are_those_of_the_standard) {
    const auto is_below = [](float a, float b) { return a < b; };
    std::vector<float> x(1000);
    std::ranges::copy(counting(1000), x.begin());
    std::vector<float> values(6400);
    for (std::size_t i = 0; i < values.size(); ++i) {  // no neighbours are in the wrong order
        values[i] = i % 2 == 0 ? static_cast<float>(nan) : static_cast<float>((64 - i % 64) * 9);
    }
    const positions expected = found_in_a_loop(x, values, is_below);
    under_host_policies([&](const auto& policy) {
        EXPECT_TRUE(found_under(policy, x, values, is_below) == expected);
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(BoundsOf, values_of_a_buffer_stay_on_the_device) {
    on_every_device([&](const auto& policy) {
        const std::vector<std::int32_t> x{9, 1, 2, 2, 3, 2, 3, 4, 0, 0, 0, 0};
        opencl::buffer<std::int32_t> values{policy.queue(), x};
        const auto sorted = begin(values) + 1;  // 1 2 2 3
        const auto sought = sorted + 4;         // 2 3 4
        const auto out = sought + 3;
        EXPECT_EQ(upper_bound(policy, sorted, sought, sought, out, out), out + 3);
        std::vector<std::int32_t> got(12);
        values.read(policy.queue(), got);
        EXPECT_EQ(std::vector(got.begin() + 8, got.end()), (std::vector<std::int32_t>{3, 4, 4, 0}));
        EXPECT_THROW(lower_bound(policy, sorted, sought, sought, out, out + 2), invalid_option);
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
