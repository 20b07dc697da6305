// SPDX-License-Identifier: Apache-2.0
// Values of every size are copied as std::copy_if does, in vector registers and singly, and nothing else is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/host/compress.hpp"
#include "pointsman/algorithm/remove_if.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

/// Values that fill no lane of a register.
struct three_numbers {
    three_numbers() = default;
    explicit three_numbers(int value) : first{value}, second{-value}, third{2 * value} {}
    friend bool operator==(const three_numbers&, const three_numbers&) = default;

    std::int32_t first;
    std::int32_t second;
    std::int32_t third;
};
struct two_numbers {
    two_numbers() = default;
    explicit two_numbers(int value) : first{static_cast<double>(value)}, second{-first} {}
    friend bool operator==(const two_numbers&, const two_numbers&) = default;

    double first;
    double second;
};

template <class T>
bool is_low(const T& value) {
    if constexpr (requires { value.first; }) {
        return value.first < 50;
    } else {
        return value < T{50};
    }
}

template <class T>
class Compress : public testing::Test {
  protected:
    random_values random;

    /// Returns up to `most` random values. Some are low, or all of them, or none.
    std::vector<T> some_values(std::size_t most) {
        const auto size = random.of<std::uint32_t>(1, static_cast<std::uint32_t>(most)).front();
        const int limit = random.of<int>(1, 1).front() == 0 ? 100 : 60;
        const int least = random.of<int>(1, 2).front() * 60;
        std::vector<T> made;
        for (const int value : random.of<int>(size, limit)) {
            made.push_back(static_cast<T>(std::clamp(value + least, 0, 120)));
        }
        return made;
    }
    static std::vector<T> low_ones_of(const std::vector<T>& values) {
        std::vector<T> low;
        std::ranges::copy_if(values, std::back_inserter(low), is_low<T>);
        return low;
    }
    /// Checks what `run(values, count, out)` copies, and that it writes at most `count` values.
    template <class Run>
    void expect_low_values(Run run) {
        for (int round = 0; round < 300; ++round) {
            const auto x = some_values(400);
            const auto expected = low_ones_of(x);
            std::vector<T> out(x.size() + 1, T(77));
            const T* const end = run(x.data(), x.size(), out.data());
            EXPECT_EQ(end - out.data(), std::ssize(expected)) << random.seed();
            EXPECT_TRUE(out.back() == T(77)) << random.seed();
            out.resize(expected.size());
            EXPECT_TRUE(out == expected) << random.seed();
        }
    }
};

using element_types = testing::Types<std::uint8_t, signed char, std::uint16_t, short, std::int32_t,
                                     float, std::uint64_t, double, three_numbers, two_numbers>;
TYPED_TEST_SUITE(Compress, element_types);

TYPED_TEST(Compress, copies_the_values_that_are_kept) {
    this->expect_low_values([](const auto* values, std::size_t count, auto* out) {
        return detail::compress(values, count, is_low<TypeParam>, out);
    });
}

#if defined(__x86_64__)
template <class T>
class CompressInRegisters : public Compress<T> {};

using lane_types = testing::Types<std::uint8_t, signed char, std::uint16_t, short, std::int32_t,
                                  float, std::uint64_t, double>;
TYPED_TEST_SUITE(CompressInRegisters, lane_types);

TYPED_TEST(CompressInRegisters, copies_the_values_that_are_kept) {
    if (__builtin_cpu_supports("avx2") == 0) {
        GTEST_SKIP() << "the processor has no AVX2";
    }
    this->expect_low_values([](const auto* values, std::size_t count, auto* out) {
        return detail::compress_with_avx2(values, count, is_low<TypeParam>, out);
    });
}
#endif

TYPED_TEST(Compress, singly_copies_the_same) {
    this->expect_low_values([](const auto* values, std::size_t count, auto* out) {
        return detail::compress_singly(values, count, is_low<TypeParam>, out);
    });
}

TYPED_TEST(Compress, copy_if_fills_an_output_with_no_room_for_more) {
    for (int round = 0; round < 30; ++round) {
        const auto x = this->some_values(5'000);
        const auto expected = this->low_ones_of(x);
        under_host_policies([&](const auto& policy) {
            std::vector<TypeParam> out(expected.size());
            EXPECT_TRUE(copy_if(policy, x.begin(), x.end(), out.begin(), is_low<TypeParam>) ==
                        out.end())
                << this->random.seed();
            EXPECT_TRUE(out == expected) << this->random.seed();
        });
    }
}

TYPED_TEST(Compress, remove_if_keeps_the_others_in_place) {
    for (int round = 0; round < 30; ++round) {
        const auto x = this->some_values(5'000);
        under_host_policies([&](const auto& policy) {
            auto expected = x;
            std::erase_if(expected, is_low<TypeParam>);
            auto kept = x;
            kept.erase(remove_if(policy, kept.begin(), kept.end(), is_low<TypeParam>), kept.end());
            EXPECT_TRUE(kept == expected) << this->random.seed();
        });
    }
}

TEST(CompressInOrder, calls_the_predicate_once_for_each_value_in_order) {
    std::vector<int> x(1'000);
    std::ranges::generate(x, [next = 0]() mutable { return next++; });
    std::vector<int> seen;
    std::vector<int> out(x.size());
    const auto end = copy_if(execution::seq, x.begin(), x.end(), out.begin(), [&](int value) {
        seen.push_back(value);
        return value % 3 == 0;
    });
    EXPECT_EQ(seen, x);
    EXPECT_EQ(end - out.begin(), 334);
}

}  // namespace
}  // namespace pointsman::test
