// SPDX-License-Identifier: Apache-2.0
// includes and the operations on sorted ranges as sets equal the standard algorithms under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <list>
#include <string>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/includes.hpp"
#include "pointsman/algorithm/set_difference.hpp"
#include "pointsman/algorithm/set_intersection.hpp"
#include "pointsman/algorithm/set_symmetric_difference.hpp"
#include "pointsman/algorithm/set_union.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(bool, precedes_by_tens, (int32_t a, int32_t b), { return a / 10 < b / 10; });

/// Equal, or NaN both.
template <class T>
bool are_same(const T& a, const T& b) {
    return a == b || (a != a && b != b);
}

class Sets : public ParallelAndDevicePolicies {
  protected:
    random_values random;

    /// Compares all operations on the two sorted ranges with the standard's.
    template <class T, class U, class Compare = less>
    void check(const std::vector<T>& a, const std::vector<U>& b, Compare compare = {}) {
        check_in_order(a, b, compare, compare);
    }
    /// The same, with `order` instead of `compare` for the standard's operations.
    template <class T, class U, class Compare, class Order>
    void check_in_order(const std::vector<T>& a, const std::vector<U>& b, Compare compare,
                        Order order) {
        std::vector<T> all;
        std::vector<T> both;
        std::vector<T> first;
        std::vector<T> one;
        std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all), order);
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both),
                              order);
        std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(first),
                            order);
        std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                      std::back_inserter(one), order);
        const bool has_all = std::includes(a.begin(), a.end(), b.begin(), b.end(), order);
        under_policies([&](const auto& policy, const std::string& name) {
            const std::string message = name + ", sizes " + std::to_string(a.size()) + " and " +
                                        std::to_string(b.size()) + ", " + random.seed();
            const auto holds = [&](const auto& expected, const auto& operation) {
                std::vector<T> out(a.size() + b.size());
                const auto end =
                    operation(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin(), compare);
                EXPECT_EQ(end - out.begin(), std::ssize(expected)) << message;
                out.resize(expected.size());
                EXPECT_TRUE(std::equal(out.begin(), out.end(), expected.begin(), are_same<T>))
                    << message;
            };
            holds(all, [](const auto&... each) { return set_union(each...); });
            holds(both, [](const auto&... each) { return set_intersection(each...); });
            holds(first, [](const auto&... each) { return set_difference(each...); });
            holds(one, [](const auto&... each) { return set_symmetric_difference(each...); });
            EXPECT_EQ(includes(policy, a.begin(), a.end(), b.begin(), b.end(), compare), has_all)
                << message;
        });
    }

    template <class T>
    std::vector<T> sorted(std::size_t size, T limit) {
        auto values = random.of<T>(size, limit);
        std::ranges::sort(values);
        return values;
    }
};

TEST_F(Sets, of_many_sizes_and_numbers_of_equal_values_are_those_of_the_standard) {
    for (const std::size_t size : algorithm_sizes) {
        for (const std::int32_t limit : {3, 300, 1'000'000'000}) {
            if (size > 100'000 && limit < 300) {
                continue;
            }
            const auto a = sorted<std::int32_t>(size, limit);
            check(a, sorted<std::int32_t>(size, limit));
            check(a, sorted<std::int32_t>(size / 3, limit));
            if (size < 100'000) {
                check(sorted<std::int32_t>(size / 5, limit), a);
                check(a, std::vector<std::int32_t>{});
                check(std::vector<std::int32_t>{}, a);
            }
        }
    }
}

TEST_F(Sets, that_overlap_in_part_or_not_at_all_are_those_of_the_standard) {
    const auto x = counting(100'000);
    for (const auto begin : {0, 20'000, 60'000}) {
        for (const auto end : {60'000, 61'000, 99'000}) {
            check(std::vector(x.begin(), x.begin() + 60'000),
                  std::vector(x.begin() + begin, x.begin() + end));
            check(std::vector(x.begin() + begin, x.begin() + end),
                  std::vector(x.begin(), x.begin() + 60'000));
        }
    }
    auto changed = std::vector(x.begin() + 10, x.end() - 10);
    check(x, changed);
    changed[50'000] = changed[50'001];
    check(x, changed);
}

TEST_F(Sets, of_other_types_are_those_of_the_standard) {
    check(sorted<std::uint64_t>(50'000, 5000), sorted<std::uint64_t>(40'000, 5000));
    check(sorted<double>(50'000, 5000), sorted<float>(40'000, 5000));
    const auto few = sorted<std::int32_t>(40'000, 300);
    const std::vector<float> floats(few.begin() + 50, few.end());
    check(floats, few);
}

TEST_F(Sets, of_equivalent_values_have_those_of_the_range_that_the_standard_takes) {
    for (const std::size_t size : {20, 3000, 70'000}) {
        auto a = random.of<std::int32_t>(size, 4000);
        auto b = random.of<std::int32_t>(size, 4000);
        std::ranges::stable_sort(a, precedes_by_tens);
        std::ranges::stable_sort(b, precedes_by_tens);
        check(a, b, precedes_by_tens);
        std::ranges::sort(a, greater{});
        std::ranges::sort(b, greater{});
        check(a, b, greater{});
    }
}

TEST_F(Sets, of_floating_numbers_have_one_nan_and_one_zero) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> a{-infinity, -0.0f, 1, infinity, nan, nan};
    const std::vector<float> b{0, 2, nan};
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<float> out(9);
        EXPECT_EQ(set_union(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin()),
                  out.begin() + 7)
            << name;
        EXPECT_EQ(out[1], 0) << name;
        EXPECT_TRUE(std::signbit(out[1])) << name;
        EXPECT_EQ(out[3], 2) << name;
        EXPECT_TRUE(std::isnan(out[6])) << name;
        EXPECT_EQ(set_difference(policy, a.begin(), a.end(), b.begin(), b.end(), out.begin()),
                  out.begin() + 4)
            << name;
        EXPECT_TRUE(includes(policy, a.begin(), a.end(), b.begin() + 2, b.end())) << name;
        EXPECT_FALSE(includes(policy, a.begin(), a.end(), b.begin() + 1, b.end())) << name;
    });
}

TEST_F(Sets, of_floating_numbers_have_nan_last_in_either_range) {
    const auto values = [&](std::size_t size, std::size_t nans, auto compare) {
        std::vector<double> sorted(size);
        for (double& value : sorted) {
            value = random.of<std::uint32_t>(1, 50)[0];
        }
        std::ranges::sort(sorted, compare);
        sorted.resize(size + nans, std::numeric_limits<double>::quiet_NaN());
        return sorted;
    };
    const auto check_by = [&](auto compare) {
        const auto order = [&](double a, double b) {
            return std::isnan(a) || std::isnan(b) ? std::isnan(b) && !std::isnan(a) : compare(a, b);
        };
        for (const std::size_t of_first : {0, 1, 30}) {
            for (const std::size_t of_second : {0, 2, 20}) {
                check_in_order(values(100, of_first, compare), values(70, of_second, compare),
                               compare, order);
            }
        }
        check_in_order(values(10'000, 300, compare), values(10'000, 0, compare), compare, order);
    };
    check_by(less{});
    check_by(greater{});
}

/// A number with the name of the range that it is from.
struct named {
    int number;
    std::string from;
    bool operator==(const named&) const = default;
};

TEST(SetsOnTheHost, take_any_type_and_forward_iterators) {
    const auto is_less = [](const named& a, const named& b) { return a.number < b.number; };
    std::vector<named> a(30'000);
    std::vector<named> b(30'000);
    for (int i = 0; i < 30'000; ++i) {
        a[static_cast<std::size_t>(i)] = {i / 3, "a range with a rather long name"};
        b[static_cast<std::size_t>(i)] = {i / 2, "another range with such a name"};
    }
    std::vector<named> expected;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                  std::back_inserter(expected), is_less);
    const std::list<named> list(b.begin(), b.end());
    const auto check = [&](const auto& policy) {
        std::vector<named> out(60'000);
        out.erase(set_symmetric_difference(policy, a.begin(), a.end(), b.begin(), b.end(),
                                           out.begin(), is_less),
                  out.end());
        EXPECT_EQ(out, expected);
        EXPECT_FALSE(includes(policy, a.begin(), a.end(), list.begin(), list.end(), is_less));
        EXPECT_EQ(set_intersection(policy, list.begin(), list.end(), a.begin(), a.end(),
                                   out.begin(), is_less) -
                      out.begin(),
                  20'000);
    };
    check(execution::seq);
    check(execution::unseq);
    check(execution::par);
    check(execution::par_unseq);
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(Sets, of_buffers_stay_on_the_device) {
    on_every_device([&](const auto& policy) {
        const std::vector<std::int32_t> x{9, 1, 2, 2, 3, 2, 3, 4, 0, 0, 0, 0, 0};
        opencl::buffer<std::int32_t> values{policy.queue(), x};
        const auto a = begin(values) + 1;  // 1 2 2 3
        const auto b = a + 4;              // 2 3 4
        const auto out = b + 3;
        EXPECT_EQ(set_union(policy, a, b, b, out, out), out + 5);
        std::vector<std::int32_t> got(13);
        values.read(policy.queue(), got);
        EXPECT_EQ(std::vector(got.begin() + 8, got.end()),
                  (std::vector<std::int32_t>{1, 2, 2, 3, 4}));
        EXPECT_TRUE(includes(policy, out, end(values), a, b));
        EXPECT_EQ(set_difference(policy, a, b, b, out, out), out + 2);
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
