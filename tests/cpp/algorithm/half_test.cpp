// SPDX-License-Identifier: Apache-2.0
// Half-precision numbers under every policy, on devices with and without native half arithmetic.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include "pointsman/algorithm/half.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/pointsman.hpp"

#ifdef POINTSMAN_HAS_HALF
namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(half, tripled, (half x), { return x * 3; });
POINTSMAN_FUNCTION(bool, is_above_one, (half x), { return x > 1; });

bool is_nan(half x) { return x != x; }

/// Every value of half by descending bit pattern, with or without NaN.
std::vector<half> all_halves(bool with_nan) {
    std::vector<half> all;
    for (std::uint32_t bits = 0x10000; bits-- > 0;) {
        const auto value = std::bit_cast<half>(static_cast<std::uint16_t>(bits));
        if (with_nan || !is_nan(value)) {
            all.push_back(value);
        }
    }
    return all;
}

/// Small integers whose sums half represents exactly.
std::vector<half> some_digits(std::size_t size) {
    std::vector<half> digits(size);
    for (std::size_t i = 0; i < size; ++i) {
        digits[i] = static_cast<half>(i * i % 3);
    }
    return digits;
}

/// Returns true if the values have the same bits, or are NaN in both.
bool same(const std::vector<half>& a, const std::vector<half>& b) {
    return std::ranges::equal(a, b, [](half x, half y) {
        return (is_nan(x) && is_nan(y)) ||
               std::bit_cast<std::uint16_t>(x) == std::bit_cast<std::uint16_t>(y);
    });
}

class Half : public ParallelAndDevicePolicies {};

TEST_F(Half, is_transformed_filled_and_copied) {
    const auto x = all_halves(true);
    std::vector<half> expected(x.size());
    std::transform(x.begin(), x.end(), expected.begin(), tripled);
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<half> out(x.size());
        transform(policy, x.begin(), x.end(), out.begin(), tripled);
        EXPECT_TRUE(same(out, expected)) << name;
        copy(policy, x.begin(), x.end(), out.begin());
        EXPECT_TRUE(same(out, x)) << name;
        fill(policy, out.begin(), out.end(), half(1.5F));
        EXPECT_EQ(out, std::vector<half>(x.size(), half(1.5F))) << name;
    });
}

TEST_F(Half, is_sorted_with_nan_last) {
    const auto x = all_halves(true);
    std::vector<half> expected = all_halves(false);
    const std::size_t numbers = expected.size();
    std::ranges::sort(expected);
    const auto check = [&](const std::vector<half>& sorted, const std::string& name) {
        // Zeros of both signs are equal: either may come first.
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), sorted.begin())) << name;
        EXPECT_TRUE(std::all_of(sorted.begin() + static_cast<std::ptrdiff_t>(numbers), sorted.end(),
                                is_nan))
            << name;
    };
    under_policies([&](const auto& policy, const std::string& name) {
        auto ascending = x;
        sort(policy, ascending.begin(), ascending.end());
        check(ascending, name);
        auto stable = x;
        stable_sort(policy, stable.begin(), stable.end());
        check(stable, name);
        auto descending = x;
        sort(policy, descending.begin(), descending.end(), greater{});
        std::reverse(descending.begin(), descending.begin() + static_cast<std::ptrdiff_t>(numbers));
        check(descending, name);
    });
}

TEST_F(Half, is_a_key_for_sort_by_key) {
    const auto keys = some_digits(1000);
    std::vector<std::int32_t> expected(keys.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::ranges::stable_sort(expected, {}, [&](std::int32_t i) { return keys[std::size_t(i)]; });
    under_policies([&](const auto& policy, const std::string& name) {
        auto sorted = keys;
        std::vector<std::int32_t> values(keys.size());
        std::iota(values.begin(), values.end(), 0);
        sort_by_key(policy, sorted.begin(), sorted.end(), values.begin());
        EXPECT_TRUE(std::ranges::is_sorted(sorted)) << name;
        EXPECT_EQ(values, expected) << name;
    });
}

TEST_F(Half, is_reduced_and_scanned) {
    const auto x = some_digits(1000);
    const half sum = std::accumulate(x.begin(), x.end(), half{3});
    std::vector<half> sums(x.size());
    std::inclusive_scan(x.begin(), x.end(), sums.begin());
    std::vector<half> sums_before(x.size());
    std::exclusive_scan(x.begin(), x.end(), sums_before.begin(), half{3});
    const std::vector<half> many(100'000, half{1});
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(reduce(policy, x.begin(), x.end(), half{3}), sum) << name;
        EXPECT_EQ(reduce(policy, many.begin(), many.end(), 0.0F), 100'000) << name;
        EXPECT_EQ(transform_reduce(policy, x.begin(), x.end(), half{0}, maximum{}, tripled), 3)
            << name;
        std::vector<half> out(x.size());
        inclusive_scan(policy, x.begin(), x.end(), out.begin());
        EXPECT_EQ(out, sums) << name;
        exclusive_scan(policy, x.begin(), x.end(), out.begin(), half{3});
        EXPECT_EQ(out, sums_before) << name;
    });
}

TEST_F(Half, is_searched_selected_and_merged) {
    const auto x = all_halves(false);
    const auto [least, greatest] = std::minmax_element(x.begin(), x.end());
    std::vector<half> expected;
    std::copy_if(x.begin(), x.end(), std::back_inserter(expected), is_above_one);
    const std::vector<half> few{0, 1, 1, 2, 2, 2, 3};
    const std::vector<half> others{-1, 1, half(2.5F)};
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(min_element(policy, x.begin(), x.end()), least) << name;
        EXPECT_EQ(minmax_element(policy, x.begin(), x.end()).second, greatest) << name;
        EXPECT_EQ(count_if(policy, x.begin(), x.end(), is_above_one), std::ssize(expected)) << name;
        EXPECT_EQ(find_if(policy, x.begin(), x.end(), is_above_one),
                  std::find_if(x.begin(), x.end(), is_above_one))
            << name;
        EXPECT_FALSE(all_of(policy, x.begin(), x.end(), is_above_one)) << name;
        std::vector<half> chosen(expected.size());
        EXPECT_EQ(copy_if(policy, x.begin(), x.end(), chosen.begin(), is_above_one), chosen.end());
        EXPECT_EQ(chosen, expected) << name;
        auto distinct = few;
        distinct.erase(unique(policy, distinct.begin(), distinct.end()), distinct.end());
        EXPECT_EQ(distinct, (std::vector<half>{0, 1, 2, 3})) << name;
        std::vector<half> merged(few.size() + others.size());
        merge(policy, few.begin(), few.end(), others.begin(), others.end(), merged.begin());
        EXPECT_EQ(merged, (std::vector<half>{-1, 0, 1, 1, 1, 2, 2, 2, half(2.5F), 3})) << name;
        std::vector<half> places(others.size());
        lower_bound(policy, few.begin(), few.end(), others.begin(), others.end(), places.begin());
        EXPECT_EQ(places, (std::vector<half>{0, 1, 6})) << name;
        upper_bound(policy, few.begin(), few.end(), others.begin(), others.end(), places.begin());
        EXPECT_EQ(places, (std::vector<half>{0, 3, 6})) << name;
        binary_search(policy, few.begin(), few.end(), others.begin(), others.end(), places.begin());
        EXPECT_EQ(places, (std::vector<half>{0, 1, 0})) << name;
    });
}

TEST_F(Half, is_counted_in_bins) {
    std::vector<half> x(2048);
    std::iota(x.begin(), x.end(), half{0});
    const std::vector<half> edges{0, 1, 1024, 2048};
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<std::int64_t> counts(2048);
        histogram(policy, x.begin(), x.end(), counts.size(), half{0}, half{2048}, counts.begin());
        EXPECT_EQ(counts, std::vector<std::int64_t>(2048, 1)) << name;
        counts.resize(3);
        histogram(policy, x.begin(), x.end(), edges.begin(), edges.end(), counts.begin());
        EXPECT_EQ(counts, (std::vector<std::int64_t>{1, 1023, 1024})) << name;
    });
}

TEST_F(Half, is_sorted_under_auto) {
    auto x = all_halves(false);
    for (int i = 0; i < 20; ++i) {
        auto sorted = x;
        sort(execution::auto_, sorted.begin(), sorted.end());
        EXPECT_TRUE(std::ranges::is_sorted(sorted));
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
TEST_F(Half, is_rounded_on_a_device_where_a_function_returns_it) {
    const std::vector<half> x{half(0.1F), 1000, 3000, -3000, 60'000};
    const std::vector<float> expected{static_cast<half>(half(0.1F) * 3.0F), 3000, 9000, -9000,
                                      std::numeric_limits<float>::infinity()};
    on_every_device([&](const auto& policy) {
        std::vector<float> out(x.size());
        transform(policy, x.begin(), x.end(), out.begin(), tripled);
        EXPECT_EQ(out, expected);
        // half represents neither 8999 nor 9001, so a sum in half precision would differ.
        EXPECT_EQ(transform_reduce(policy, x.begin() + 2, x.begin() + 4, half{1}, plus{}, tripled),
                  1);
    });
}

TEST_F(Half, is_folded_in_float_on_a_device) {
    const std::vector<half> many(10'000, half{1});  // counting in half stops at 2048
    on_every_device([&](const auto& policy) {
        EXPECT_EQ(reduce(policy, many.begin(), many.end(), half{0}), 10'000);
        std::vector<half> sums(many.size());
        inclusive_scan(policy, many.begin(), many.end(), sums.begin());
        EXPECT_EQ(sums.back(), 10'000);
        EXPECT_EQ(sums[4000], half(4001));
    });
}

POINTSMAN_FUNCTION(void, halve_in_place, (half * x), { *x = *x / 2; });

TEST_F(Half, is_changed_in_place_on_a_device) {
    on_every_device([&](const auto& policy) {
        auto x = some_digits(1000);
        auto expected = x;
        std::ranges::for_each(expected, [](half& value) { value = value / 2; });
        for_each(policy, x.begin(), x.end(), halve_in_place);
        EXPECT_EQ(x, expected);
    });
}

TEST_F(Half, keeps_the_bits_of_nan_on_a_device) {
    std::vector<half> x;
    for (const std::uint16_t bits : {0x7e00, 0x7e01, 0xfe00, 0x7fff, 0x7d00}) {
        x.push_back(std::bit_cast<half>(bits));
    }
    on_every_device([&](const auto& policy) {
        std::vector<half> out(x.size());
        transform(policy, x.begin(), x.end(), out.begin(), identity_value{});
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_EQ(std::bit_cast<std::uint16_t>(out[i]), std::bit_cast<std::uint16_t>(x[i]));
        }
    });
}
#endif

}  // namespace
}  // namespace pointsman::test
#endif
