// SPDX-License-Identifier: Apache-2.0
// Inputs, initial values and results of different types are converted as by the standard algorithms.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "pointsman/execution/auto_policy.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(double, halve, (double x), { return x * 0.5; });
POINTSMAN_FUNCTION(int32_t, greater_than_one, (double x), { return x > 1; });

/// The types of the input values, of the initial value or second input, and of the results.
template <class In, class T, class Out>
struct types {
    using in = In;
    using initial = T;
    using out = Out;
};

template <class Types>
class MixedTypes : public ParallelAndDevicePolicies {
  protected:
    using out = typename Types::out;
    static constexpr std::size_t sizes[4] = {0, 1, 500, 70'000};

    /// Multiples of 0.5, or integers for integer types: every floating-point type represents their sums exactly.
    template <class T>
    static std::vector<T> counting(std::size_t size, int steps) {
        std::vector<T> values(size);
        for (std::size_t i = 0; i < size; ++i) {
            const auto step = static_cast<int>(i) % steps;
            values[i] =
                std::is_floating_point_v<T> ? static_cast<T>(step * 0.5) : static_cast<T>(step);
        }
        return values;
    }

    /// Calls `check(policy, name)` with every policy except those with work groups, whose kernels take too
    /// long to compile, and with auto_ often enough that each of its candidates runs.
    template <class Check>
    void under_all(std::size_t size, Check check) {
        this->under_policies([&](const auto& policy, const std::string& name) {
            if (name.find("work groups") == std::string::npos) {
                check(policy, name);
            }
        });
        for (int times = 0; times < (size == 500 ? 16 : 1); ++times) {
            check(execution::auto_, "auto");
        }
    }

    /// Compares the `size` values that `standard(out)` and `call(policy, out)` write.
    template <class Standard, class Call>
    void compare(const std::string& what, std::size_t size, Standard standard, Call call) {
        std::vector<out> expected(size);
        standard(expected.begin());
        under_all(size, [&](const auto& policy, const std::string& name) {
            std::vector<out> got(size);
            EXPECT_EQ(call(policy, got.begin()), got.end()) << what << ", " << name;
            EXPECT_EQ(got, expected) << what << ", " << name << ", size " << size;
        });
    }
};

using mixed = testing::Types<types<float, int, float>, types<std::int8_t, std::int64_t, int>,
                             types<int, double, std::int64_t>>;
TYPED_TEST_SUITE(MixedTypes, mixed);

TYPED_TEST(MixedTypes, are_scanned_in_the_type_of_the_initial_value_or_else_of_the_input) {
    using initial = typename TypeParam::initial;
    for (const std::size_t size : this->sizes) {
        const auto x = this->template counting<typename TypeParam::in>(size, 5);
        const auto first = x.begin();
        const auto last = x.end();
        const initial begin{3};
        this->compare(
            "exclusive_scan", size, [&](auto to) { std::exclusive_scan(first, last, to, begin); },
            [&](const auto& p, auto to) { return exclusive_scan(p, first, last, to, begin); });
        this->compare(
            "inclusive_scan", size, [&](auto to) { std::inclusive_scan(first, last, to); },
            [&](const auto& p, auto to) { return inclusive_scan(p, first, last, to); });
        this->compare(
            "inclusive_scan with an initial value", size,
            [&](auto to) { std::inclusive_scan(first, last, to, plus{}, begin); },
            [&](const auto& p, auto to) {
                return inclusive_scan(p, first, last, to, plus{}, begin);
            });
        this->compare(
            "transform_inclusive_scan", size,
            [&](auto to) { std::transform_inclusive_scan(first, last, to, plus{}, halve); },
            [&](const auto& p, auto to) {
                return transform_inclusive_scan(p, first, last, to, plus{}, halve);
            });
        this->compare(
            "transform_inclusive_scan with an initial value", size,
            [&](auto to) { std::transform_inclusive_scan(first, last, to, plus{}, halve, begin); },
            [&](const auto& p, auto to) {
                return transform_inclusive_scan(p, first, last, to, plus{}, halve, begin);
            });
    }
}

TYPED_TEST(MixedTypes, are_reduced_in_the_type_of_the_initial_value) {
    using initial = typename TypeParam::initial;
    for (const std::size_t size : this->sizes) {
        const auto x = this->template counting<typename TypeParam::in>(size, 5);
        const auto y = this->template counting<typename TypeParam::out>(size, 3);
        const initial sum = std::accumulate(x.begin(), x.end(), initial{3});
        const initial product = std::inner_product(x.begin(), x.end(), y.begin(), initial{3});
        this->under_all(size, [&](const auto& policy, const std::string& name) {
            const auto reduced = reduce(policy, x.begin(), x.end(), initial{3});
            static_assert(std::is_same_v<decltype(reduced), const initial>);
            EXPECT_EQ(reduced, sum) << name << ", size " << size;
            EXPECT_EQ(transform_reduce(policy, x.begin(), x.end(), y.begin(), initial{3}), product)
                << name << ", size " << size;
        });
    }
}

TYPED_TEST(MixedTypes, are_converted_when_they_are_written) {
    using in = typename TypeParam::in;
    using initial = typename TypeParam::initial;
    for (const std::size_t size : this->sizes) {
        const auto x = this->template counting<in>(size, 7);
        const auto y = this->template counting<initial>(size, 4);
        this->compare(
            "copy", size, [&](auto to) { std::copy(x.begin(), x.end(), to); },
            [&](const auto& p, auto to) { return copy(p, x.begin(), x.end(), to); });
        this->compare(
            "fill", size, [&](auto to) { std::fill_n(to, size, initial{100}); },
            [&](const auto& p, auto to) {
                const auto last = to + static_cast<std::ptrdiff_t>(size);
                fill(p, to, last, initial{100});
                return last;
            });
        const auto same_place = [&](const std::string& what, auto f) {
            this->compare(
                what, size, [&](auto to) { std::transform(x.begin(), x.end(), y.begin(), to, f); },
                [&](const auto& p, auto to) {
                    return transform(p, x.begin(), x.end(), y.begin(), to, f);
                });
        };
        same_place("plus", plus{});
        same_place("multiplies", multiplies{});
        same_place("maximum", maximum{});
        same_place("less", less{});
        const auto kept = static_cast<std::size_t>(
            std::count_if(x.begin(), x.end(), [](auto v) { return greater_than_one(v) != 0; }));
        this->compare(
            "copy_if", kept,
            [&](auto to) { std::copy_if(x.begin(), x.end(), to, greater_than_one); },
            [&](const auto& p, auto to) {
                return copy_if(p, x.begin(), x.end(), to, greater_than_one);
            });
    }
}

TYPED_TEST(MixedTypes, are_merged) {
    for (const std::size_t size : this->sizes) {
        auto x = this->template counting<typename TypeParam::in>(size, 9);
        auto y = this->template counting<typename TypeParam::initial>(size / 3, 7);
        std::ranges::sort(x);
        std::ranges::sort(y);
        this->compare(
            "merge", x.size() + y.size(),
            [&](auto to) { std::merge(x.begin(), x.end(), y.begin(), y.end(), to); },
            [&](const auto& p, auto to) {
                return merge(p, x.begin(), x.end(), y.begin(), y.end(), to);
            });
    }
}

using MixedTypesOf = ParallelAndDevicePolicies;

TEST_F(MixedTypesOf, scans_use_the_same_type_in_work_groups) {
    const std::vector<float> halves(1000, 0.5F);
    const std::vector<std::int8_t> ones(1000, 1);
    on_every_device([&](const auto& policy) {
        std::vector<float> sums(1000);
        exclusive_scan(policy, halves.begin(), halves.end(), sums.begin(), 0);
        EXPECT_EQ(sums, std::vector<float>(1000)) << "integers";
        std::vector<int> wrapped(1000);
        inclusive_scan(policy, ones.begin(), ones.end(), wrapped.begin());
        EXPECT_EQ(wrapped[127], -128) << "8-bit integers";
    });
}

TEST_F(MixedTypesOf, products_of_integers_and_doubles_are_doubles) {
    const std::vector<int> x(1000, 3);
    const std::vector<double> y(1000, 0.5);
    under_policies([&](const auto& policy, const std::string& name) {
        const auto sum = transform_reduce(policy, x.begin(), x.end(), y.begin(), 0.0);
        static_assert(std::is_same_v<decltype(sum), const double>);
        EXPECT_EQ(sum, 1500.0) << name;
    });
}

TEST_F(MixedTypesOf, small_integers_are_promoted_as_by_the_operators_of_cpp) {
    const std::vector<std::int8_t> x(1000, 100);
    const std::vector<std::uint8_t> y(1000, 200);
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(transform_reduce(policy, x.begin(), x.end(), x.begin(), 0), 10'000'000) << name;
        std::vector<int> out(1000);
        transform(policy, x.begin(), x.end(), x.begin(), out.begin(), plus{});
        EXPECT_EQ(out, std::vector<int>(1000, 200)) << name;
        transform(policy, x.begin(), x.end(), y.begin(), out.begin(), minus{});
        EXPECT_EQ(out, std::vector<int>(1000, -100)) << name;
        EXPECT_EQ(reduce(policy, x.begin(), x.end(), 0), 100'000) << name;
    });
}

TEST_F(MixedTypesOf, a_merge_of_integers_and_floats_puts_nan_last) {
    const std::vector<int> x{1, 3, 5};
    const std::vector<float> y{-0.5F, 2.5F, std::numeric_limits<float>::quiet_NaN()};
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<double> out(6);
        merge(policy, x.begin(), x.end(), y.begin(), y.end(), out.begin());
        EXPECT_TRUE(out.back() != out.back()) << name;
        out.pop_back();
        EXPECT_EQ(out, (std::vector<double>{-0.5, 1, 2.5, 3, 5})) << name;
        out.resize(6);
        merge(policy, y.begin(), y.end(), x.begin(), x.end(), out.begin());
        EXPECT_TRUE(out.back() != out.back()) << name << ", arguments exchanged";
    });
}

}  // namespace
}  // namespace pointsman::test
