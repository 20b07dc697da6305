// SPDX-License-Identifier: Apache-2.0
// transform, copy and fill equal the standard algorithms for every policy, type and size.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/transform.hpp"

namespace pointsman::test {
namespace {

/// Returns values of both signs, including the limits of the type and, for floating-point types, infinities
/// and NaN.
template <class T>
std::vector<T> values_of(std::size_t size) {
    std::mt19937 random{static_cast<unsigned>(size + sizeof(T))};
    std::vector<T> values(size);
    for (T& value : values) {
        if constexpr (std::is_floating_point_v<T>) {
            value = std::uniform_real_distribution<T>{T{-8}, T{8}}(random);
        } else {
            value = std::is_signed_v<T> ? static_cast<T>(random() % 2001) - T{1000}
                                        : static_cast<T>(random());
        }
    }
    using limits = std::numeric_limits<T>;
    const T specials[] = {limits::max(), limits::lowest(), T{0}, limits::infinity(),
                          limits::quiet_NaN()};
    for (std::size_t i = 0; i < std::size(specials); ++i) {
        if (2 * i + 1 < size) {
            values[2 * i + 1] = specials[i];
        }
    }
    return values;
}

/// Returns true if the values have the same bits, or are NaN in both.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return std::ranges::equal(a, b, [](T x, T y) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(x) || std::isnan(y)) {
                return std::isnan(x) && std::isnan(y);
            }
        }
        return std::memcmp(&x, &y, sizeof x) == 0;
    });
}

POINTSMAN_FUNCTION(float, half_float, (float x), { return x / 2 + 1; });
POINTSMAN_FUNCTION(double, half_double, (double x), { return x / 2 + 1; });
POINTSMAN_FUNCTION(int32_t, half_int32, (int32_t x), { return x / 2 + 1; });
POINTSMAN_FUNCTION(uint32_t, half_uint32, (uint32_t x), { return x / 2 + 1; });
POINTSMAN_FUNCTION(int64_t, half_int64, (int64_t x), { return x / 2 + 1; });
POINTSMAN_FUNCTION(uint64_t, half_uint64, (uint64_t x), { return x / 2 + 1; });

template <class T>
constexpr auto half_of() {
    if constexpr (std::same_as<T, float>) {
        return half_float;
    } else if constexpr (std::same_as<T, double>) {
        return half_double;
    } else if constexpr (std::same_as<T, std::int32_t>) {
        return half_int32;
    } else if constexpr (std::same_as<T, std::uint32_t>) {
        return half_uint32;
    } else if constexpr (std::same_as<T, std::int64_t>) {
        return half_int64;
    } else {
        return half_uint64;
    }
}

template <class T>
class Elementwise : public ExecutionPoliciesFor<T> {};

TYPED_TEST_SUITE(Elementwise, algorithm_types);

TYPED_TEST(Elementwise, transform_applies_a_function_to_each_value) {
    constexpr auto f = half_of<TypeParam>();
    for (const std::size_t size : algorithm_sizes) {
        const auto x = values_of<TypeParam>(size);
        std::vector<TypeParam> expected(size);
        std::transform(x.begin(), x.end(), expected.begin(), f);
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size);
            EXPECT_EQ(transform(policy, x.begin(), x.end(), out.begin(), f), out.end());
            EXPECT_TRUE(same_bits(out, expected)) << name << ", size " << size;
            auto in_place = x;
            transform(policy, in_place.begin(), in_place.end(), in_place.begin(), f);
            EXPECT_TRUE(same_bits(in_place, expected)) << name << " in place, size " << size;
        });
    }
}

TYPED_TEST(Elementwise, transform_applies_a_function_to_pairs) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = values_of<TypeParam>(size);
        const auto y = values_of<TypeParam>(size + 1);
        std::vector<TypeParam> expected(size);
        std::transform(x.begin(), x.end(), y.begin() + 1, expected.begin(), maximum{});
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size);
            transform(policy, x.begin(), x.end(), y.begin() + 1, out.begin(), maximum{});
            EXPECT_TRUE(same_bits(out, expected)) << name << ", size " << size;
        });
    }
}

TYPED_TEST(Elementwise, fill_writes_the_range_and_nothing_else) {
    for (const std::size_t size : algorithm_sizes) {
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size + 2, TypeParam{1});
            fill(policy, out.begin() + 1, out.end() - 1, 7);
            std::vector<TypeParam> expected(size + 2, TypeParam{7});
            expected.front() = expected.back() = TypeParam{1};
            EXPECT_EQ(out, expected) << name << ", size " << size;
        });
    }
}

TYPED_TEST(Elementwise, copy_keeps_every_bit) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = values_of<TypeParam>(size);
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size);
            EXPECT_EQ(copy(policy, x.begin(), x.end(), out.begin()), out.end());
            EXPECT_TRUE(same_bits(out, x)) << name << ", size " << size;
        });
    }
}

TYPED_TEST(Elementwise, copy_takes_containers_that_are_not_contiguous) {
    const auto x = values_of<TypeParam>(1000);
    const std::deque<TypeParam> from(x.begin(), x.end());
    this->under_policies([&](const auto& policy, const std::string& name) {
        std::deque<TypeParam> out(1000);
        copy(policy, from.begin(), from.end(), out.begin());
        EXPECT_TRUE(same_bits(std::vector<TypeParam>(out.begin(), out.end()), x)) << name;
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TYPED_TEST(Elementwise, works_on_buffers_without_a_copy_to_the_host) {
    constexpr auto f = half_of<TypeParam>();
    this->on_every_device([&](const auto& policy) {
        const auto x = values_of<TypeParam>(1000);
        const opencl::queue queue = policy.queue();
        const opencl::buffer<TypeParam> in{queue, x};
        opencl::buffer<TypeParam> out{queue, 1000};
        fill(policy, begin(out), end(out), 3);
        EXPECT_EQ(transform(policy, begin(in) + 10, end(in), begin(out) + 5, f), begin(out) + 995);
        std::vector<TypeParam> expected(1000, TypeParam{3});
        std::transform(x.begin() + 10, x.end(), expected.begin() + 5, f);
        std::vector<TypeParam> got(1000);
        out.read(queue, got);
        EXPECT_TRUE(same_bits(got, expected));

        std::vector<TypeParam> on_host(500);
        copy(policy, begin(in) + 500, end(in), on_host.begin());
        EXPECT_TRUE(same_bits(on_host, std::vector<TypeParam>(x.begin() + 500, x.end())));
        EXPECT_THROW(copy(policy, x.begin(), x.end(), begin(out) + 1), invalid_option);
        EXPECT_THROW(out.read(queue, on_host), invalid_option);
    });
}

TEST(DeviceFunction, appears_in_the_error_when_a_device_cannot_compile_it) {
    POINTSMAN_FUNCTION(float, for_the_host_only, (float x), { return static_cast<float>(x); });
    if (opencl::devices().empty()) {
        GTEST_SKIP() << "no OpenCL device";
    }
    std::vector<float> x(8);
    try {
        transform(execution::opencl_default, x.begin(), x.end(), x.begin(), for_the_host_only);
        ADD_FAILURE() << "the device compiled it";
    } catch (const opencl::build_error& failed) {
        EXPECT_THAT(failed.what(), testing::HasSubstr("return static_cast<float>(x);"));
    }
}

#endif

}  // namespace
}  // namespace pointsman::test
