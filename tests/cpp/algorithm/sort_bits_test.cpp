// SPDX-License-Identifier: Apache-2.0
// Sorts of floating-point numbers keep every bit pattern and order them equally under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
using bits_of =
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

template <class T>
std::vector<bits_of<T>> bits(const std::vector<T>& x) {
    std::vector<bits_of<T>> all;
    std::ranges::transform(x, std::back_inserter(all), std::bit_cast<bits_of<T>, T>);
    return all;
}

bool is_nan(auto x) { return x != x; }
bool sign_bit_set(auto x) {
    return std::bit_cast<bits_of<decltype(x)>>(x) >> (8 * sizeof x - 1) != 0;
}

template <class Identity>  // type_identity, because half has no typeid
class SortOfBits : public ExecutionPoliciesFor<typename Identity::type> {
  protected:
    using T = typename Identity::type;
    random_values random;

    /// Random bit patterns; a tenth are zeros of both signs, infinities, NaN or the numbers nearest to 0.
    std::vector<T> any_bits(std::size_t size) {
        const auto words = random.template of<std::uint64_t>(size);
        const auto sorts = random.template of<std::uint32_t>(size, 49);
        constexpr auto sign = static_cast<bits_of<T>>(bits_of<T>{1} << (8 * sizeof(T) - 1));
        const auto infinity =
            std::bit_cast<bits_of<T>>(static_cast<T>(std::numeric_limits<float>::infinity()));
        const bits_of<T> specials[] = {0, infinity, static_cast<bits_of<T>>(infinity + 1),
                                       static_cast<bits_of<T>>(sign - 1), 1};
        std::vector<T> x(size);
        for (std::size_t i = 0; i < size; ++i) {
            auto chosen = static_cast<bits_of<T>>(words[i]);
            if (sorts[i] < std::size(specials)) {
                chosen = static_cast<bits_of<T>>(specials[sorts[i]] | (chosen & sign));
            }
            x[i] = std::bit_cast<T>(chosen);
        }
        return x;
    }

    /// Returns true if numbers ascend, -0 comes before 0, and NaN comes last.
    static bool in_order(const std::vector<T>& x) {
        const auto numbers = std::find_if(x.begin(), x.end(), is_nan<T>);
        return std::all_of(numbers, x.end(), is_nan<T>) &&
               std::is_sorted(x.begin(), numbers, [](T a, T b) {
                   return a < b || (a == b && sign_bit_set(a) && !sign_bit_set(b));
               });
    }

    void check_sorts(const std::vector<T>& x) {
        std::vector<bits_of<T>> ascending;
        std::vector<bits_of<T>> descending;
        auto given = bits(x);
        std::ranges::sort(given);
        this->under_policies([&](const auto& policy, const std::string& name) {
            const std::string message =
                name + ", size " + std::to_string(x.size()) + ", " + random.seed();
            auto sorted = x;
            sort(policy, sorted.begin(), sorted.end());
            EXPECT_TRUE(in_order(sorted)) << message;
            auto got = bits(sorted);
            EXPECT_TRUE(ascending.empty() || got == ascending)
                << message << ", other than under seq";
            ascending = got;
            std::ranges::sort(got);
            EXPECT_EQ(got, given) << message;

            auto turned = x;
            sort(policy, turned.begin(), turned.end(), greater{});
            const auto descending_now = bits(turned);
            const auto numbers = std::find_if(turned.begin(), turned.end(), is_nan<T>);
            std::reverse(turned.begin(), numbers);
            EXPECT_TRUE(in_order(turned)) << message << ", descending";
            EXPECT_TRUE(descending.empty() || descending_now == descending)
                << message << ", descending";
            descending = descending_now;
        });
    }
};

#ifdef POINTSMAN_HAS_HALF
using floating_types =
    testing::Types<std::type_identity<float>, std::type_identity<double>, std::type_identity<half>>;
#else
using floating_types = testing::Types<std::type_identity<float>, std::type_identity<double>>;
#endif
TYPED_TEST_SUITE(SortOfBits, floating_types);

TYPED_TEST(SortOfBits, moves_every_bit_pattern_to_the_same_index_under_policies) {
    for (const std::size_t size : {0, 1, 33, 1000, 150'000}) {
        this->check_sorts(this->any_bits(size));
    }
}

TYPED_TEST(SortOfBits, separates_zeros_by_sign_whatever_their_number) {
    using number = typename TypeParam::type;
    for (int times = 0; times < 500; ++times) {
        const std::size_t size = 30 + this->random.template of<std::uint32_t>(1, 970)[0];
        const auto chances = this->random.template of<std::uint32_t>(size, 19);
        std::vector<number> x(size + 2, number{7});  // with a guard value on each side
        for (std::size_t i = 0; i < size; ++i) {
            x[i + 1] = chances[i] == 0 ? -number{} : number{};
        }
        const auto negative = std::ranges::count(chances, 0U);
        const auto check = [&](const auto& policy, const std::string& name) {
            auto sorted = x;
            sort(policy, sorted.begin() + 1, sorted.end() - 1);
            EXPECT_TRUE(std::all_of(sorted.begin() + 1, sorted.begin() + 1 + negative,
                                    sign_bit_set<number>))
                << name << ", size " << size << ", " << this->random.seed();
            EXPECT_EQ(std::count_if(sorted.begin(), sorted.end(), sign_bit_set<number>), negative)
                << name << ", size " << size << ", " << this->random.seed();
            EXPECT_TRUE(sorted.front() == 7 && sorted.back() == 7) << name;
        };
        check(execution::seq, "seq");
        check(execution::unseq, "unseq");
        check(execution::par, "par");
    }
}

TYPED_TEST(SortOfBits, is_stable_by_key_with_equal_zeros_and_equal_nan) {
    using number = typename TypeParam::type;
    const auto keys = this->any_bits(70'000);
    std::vector<std::uint32_t> indices(keys.size());
    std::iota(indices.begin(), indices.end(), 0U);
    auto expected = indices;
    std::ranges::stable_sort(expected, [&](std::uint32_t a, std::uint32_t b) {
        return keys[a] < keys[b] || (is_nan(keys[b]) && !is_nan(keys[a]));
    });
    std::vector<number> expected_keys;
    for (const std::uint32_t index : expected) {
        expected_keys.push_back(keys[index]);
    }
    this->under_policies([&](const auto& policy, const std::string& name) {
        auto sorted = keys;
        auto moved = indices;
        sort_by_key(policy, sorted.begin(), sorted.end(), moved.begin());
        EXPECT_EQ(moved, expected) << name << ", " << this->random.seed();
        EXPECT_EQ(bits(sorted), bits(expected_keys)) << name << ", " << this->random.seed();
        sorted = keys;
        stable_sort(policy, sorted.begin(), sorted.end());
        EXPECT_EQ(bits(sorted), bits(expected_keys)) << name << ", " << this->random.seed();
    });
}

TEST(SortOfBitsOf, containers_that_are_not_contiguous_have_the_same_order) {
    random_values random;
    std::vector<float> x;
    for (const std::uint32_t word : random.of<std::uint32_t>(70'000)) {
        x.push_back(word % 50 == 0 ? 0.0F : word % 50 == 1 ? -0.0F : std::bit_cast<float>(word));
    }
    std::deque<float> in_pieces(x.begin(), x.end());
    sort(execution::seq, x.begin(), x.end());
    for (int parallel = 0; parallel < 2; ++parallel) {
        auto sorted = in_pieces;
        parallel != 0 ? sort(execution::par, sorted.begin(), sorted.end())
                      : sort(execution::seq, sorted.begin(), sorted.end());
        EXPECT_EQ(bits(std::vector<float>(sorted.begin(), sorted.end())), bits(x)) << random.seed();
    }
}

TEST(SortOfBitsOf, long_double_has_the_same_order) {
    using limits = std::numeric_limits<long double>;
    std::vector<long double> x;
    for (int i = 0; i < 50'000; ++i) {
        x.insert(x.end(), {0.0L, -0.0L, static_cast<long double>(i % 100 - 50)});
    }
    x.insert(x.begin(), {limits::quiet_NaN(), -limits::infinity(), limits::infinity()});
    const auto check = [&](const auto& policy) {
        auto sorted = x;
        sort(policy, sorted.begin(), sorted.end());
        EXPECT_TRUE(std::isnan(sorted.back()));
        EXPECT_EQ(sorted.front(), -limits::infinity());
        EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end() - 1, [](auto a, auto b) {
            return a < b || (a == b && std::signbit(a) && !std::signbit(b));
        }));
        sort(policy, sorted.begin(), sorted.end(), greater{});
        EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end() - 1, [](auto a, auto b) {
            return a > b || (a == b && !std::signbit(a) && std::signbit(b));
        }));
    };
    check(execution::seq);
    check(execution::par);
}

/// A value that counts how often values of its kind are moved.
struct move_counter {
    explicit move_counter(int* moves_of_all) : moves{moves_of_all} {}
    move_counter(move_counter&& other) noexcept : moves{other.moves} { ++*moves; }
    move_counter& operator=(move_counter&& other) noexcept {
        moves = other.moves;
        ++*moves;
        return *this;
    }
    ~move_counter() = default;

    int* moves;
};

TEST(SortByKeys, moves_nothing_if_they_are_sorted) {
    const auto check = [](const auto& policy, auto key) {
        std::vector<decltype(key)> keys(1'000);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            keys[i] = static_cast<decltype(key)>(i / 10);
        }
        int moves = 0;
        std::vector<move_counter> values;
        values.reserve(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            values.emplace_back(&moves);
        }
        sort_by_key(policy, keys.begin(), keys.end(), values.begin());
        EXPECT_EQ(moves, 0);
        std::swap(keys.front(), keys.back());
        sort_by_key(policy, keys.begin(), keys.end(), values.begin());
        EXPECT_GT(moves, 0);
    };
    under_host_policies([&](const auto& policy) {
        check(policy, std::uint8_t{});
        check(policy, std::int16_t{});
        check(policy, float{});
        check(policy, double{});
    });
}

#if defined(POINTSMAN_WITH_HIGHWAY) && defined(__x86_64__) && !defined(HWY_AVX3_ZEN4)
TEST(SortInRegisters, does_not_use_avx_512_when_highway_has_no_zen_4_target) {
    std::vector<std::uint32_t> x(100);  // fewer than 32 are not sorted in registers
    std::iota(x.rbegin(), x.rend(), 0U);
    sort(execution::unseq, x.begin(), x.end());
    EXPECT_TRUE(std::ranges::is_sorted(x));
    if (__builtin_cpu_is("amd") != 0) {
        EXPECT_EQ(hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX3_DL), 0);
    }
}
#endif

}  // namespace
}  // namespace pointsman::test
