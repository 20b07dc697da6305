// SPDX-License-Identifier: Apache-2.0
// Every algorithm under every policy gives what the standard's gives, for every type and size.
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
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"

namespace pointsman::test {
namespace {

/// Values of either sign, among them the ends of the range, and for floating types infinities and NaN.
template <class T>
std::vector<T> values_of(std::size_t size, bool with_specials = true) {
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
    for (std::size_t i = 0; with_specials && i < std::size(specials); ++i) {
        if (2 * i + 1 < size) {
            values[2 * i + 1] = specials[i];
        }
    }
    return values;
}

/// Equal bit for bit, except that any NaN is as good as another.
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
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
class EveryAlgorithm : public EveryExecutionPolicy {};

TYPED_TEST_SUITE(EveryAlgorithm, algorithm_types);

TYPED_TEST(EveryAlgorithm, transforms_one_input) {
    constexpr auto halved = half_of<TypeParam>();
    for (const std::size_t size : algorithm_sizes) {
        const auto x = values_of<TypeParam>(size);
        std::vector<TypeParam> wanted(size);
        std::transform(x.begin(), x.end(), wanted.begin(), halved);
        this->under_every_policy([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size);
            EXPECT_EQ(transform(policy, x.begin(), x.end(), out.begin(), halved), out.end());
            EXPECT_TRUE(same(out, wanted)) << name << ", size " << size;
            auto in_place = x;
            transform(policy, in_place.begin(), in_place.end(), in_place.begin(), halved);
            EXPECT_TRUE(same(in_place, wanted)) << name << " in place, size " << size;
        });
    }
}

TYPED_TEST(EveryAlgorithm, transforms_two_inputs) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = values_of<TypeParam>(size);
        const auto y = values_of<TypeParam>(size + 1);
        std::vector<TypeParam> wanted(size);
        std::transform(x.begin(), x.end(), y.begin() + 1, wanted.begin(), maximum{});
        this->under_every_policy([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size);
            transform(policy, x.begin(), x.end(), y.begin() + 1, out.begin(), maximum{});
            EXPECT_TRUE(same(out, wanted)) << name << ", size " << size;
        });
    }
}

TYPED_TEST(EveryAlgorithm, fills) {
    for (const std::size_t size : algorithm_sizes) {
        this->under_every_policy([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size + 2, TypeParam{1});
            fill(policy, out.begin() + 1, out.end() - 1, 7);
            std::vector<TypeParam> wanted(size + 2, TypeParam{7});
            wanted.front() = wanted.back() = TypeParam{1};
            EXPECT_EQ(out, wanted) << name << ", size " << size;
        });
    }
}

TYPED_TEST(EveryAlgorithm, copies) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = values_of<TypeParam>(size);
        this->under_every_policy([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size);
            EXPECT_EQ(copy(policy, x.begin(), x.end(), out.begin()), out.end());
            EXPECT_TRUE(same(out, x)) << name << ", size " << size;
        });
    }
}

TYPED_TEST(EveryAlgorithm, copies_between_containers_that_are_not_contiguous) {
    const auto x = values_of<TypeParam>(1000);
    const std::deque<TypeParam> from(x.begin(), x.end());
    this->under_every_policy([&](const auto& policy, const std::string& name) {
        std::deque<TypeParam> out(1000);
        copy(policy, from.begin(), from.end(), out.begin());
        EXPECT_TRUE(same(std::vector<TypeParam>(out.begin(), out.end()), x)) << name;
    });
}

TYPED_TEST(EveryAlgorithm, reduces_integers_to_their_exact_sum_and_others_within_the_bound) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = values_of<TypeParam>(size, false);
        this->under_every_policy([&](const auto& policy, const std::string& name) {
            const TypeParam sum = reduce(policy, x.begin(), x.end(), TypeParam{5});
            if constexpr (std::is_floating_point_v<TypeParam>) {
                const long double wanted = std::accumulate(x.begin(), x.end(), 5.0L);
                const long double all =
                    std::accumulate(x.begin(), x.end(), 5.0L,
                                    [](long double a, TypeParam b) { return a + std::abs(b); });
                EXPECT_NEAR(
                    static_cast<double>(sum), static_cast<double>(wanted),
                    static_cast<double>(all * std::numeric_limits<TypeParam>::epsilon() * 1400))
                    << name << ", size " << size;
            } else {
                EXPECT_EQ(sum, std::accumulate(x.begin(), x.end(), TypeParam{5}))
                    << name << ", size " << size;
            }
        });
    }
}

TYPED_TEST(EveryAlgorithm, reduces_with_any_function_that_is_associative_and_commutative) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = values_of<TypeParam>(size, false);
        const auto wanted = std::accumulate(x.begin(), x.end(), TypeParam{1}, maximum{});
        this->under_every_policy([&](const auto& policy, const std::string& name) {
            EXPECT_EQ(reduce(policy, x.begin(), x.end(), TypeParam{1}, maximum{}), wanted)
                << name << ", size " << size;
        });
    }
}

TYPED_TEST(EveryAlgorithm, reduces_to_another_type_than_that_of_the_values) {
    const std::vector<std::int16_t> x{3, 7, 5};
    this->under_every_policy([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(reduce(policy, x.begin(), x.end(), TypeParam{1}, maximum{}), TypeParam{7})
            << name;
    });
}

TYPED_TEST(EveryAlgorithm, forms_inner_products) {
    for (const std::size_t size : algorithm_sizes) {
        std::vector<TypeParam> x(size);
        std::vector<TypeParam> y(size);
        for (std::size_t i = 0; i < size; ++i) {  // sums that every type holds exactly
            x[i] = static_cast<TypeParam>(i % 3);
            y[i] = static_cast<TypeParam>(i % 5);
        }
        const auto wanted = std::inner_product(x.begin(), x.end(), y.begin(), TypeParam{2});
        this->under_every_policy([&](const auto& policy, const std::string& name) {
            EXPECT_EQ(transform_reduce(policy, x.begin(), x.end(), y.begin(), TypeParam{2}), wanted)
                << name << ", size " << size;
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TYPED_TEST(EveryAlgorithm, leaves_buffers_on_the_device) {
    constexpr auto halved = half_of<TypeParam>();
    this->on_every_device([&](const auto& policy) {
        const auto x = values_of<TypeParam>(1000);
        const opencl::queue queue = policy.queue();
        const opencl::buffer<TypeParam> in{queue, x};
        opencl::buffer<TypeParam> out{queue, 1000};
        fill(policy, begin(out), end(out), 3);
        EXPECT_EQ(transform(policy, begin(in) + 10, end(in), begin(out) + 5, halved),
                  begin(out) + 995);
        std::vector<TypeParam> wanted(1000, TypeParam{3});
        std::transform(x.begin() + 10, x.end(), wanted.begin() + 5, halved);
        std::vector<TypeParam> got(1000);
        out.read(queue, got);
        EXPECT_TRUE(same(got, wanted));

        std::vector<TypeParam> on_host(500);
        copy(policy, begin(in) + 500, end(in), on_host.begin());
        EXPECT_TRUE(same(on_host, std::vector<TypeParam>(x.begin() + 500, x.end())));
        EXPECT_THROW(copy(policy, x.begin(), x.end(), begin(out) + 1), invalid_option);
        EXPECT_THROW(out.read(queue, on_host), invalid_option);
    });
}

TEST(DeviceFunction, shows_its_text_when_it_does_not_compile_on_a_device) {
    POINTSMAN_FUNCTION(float, of_the_host_alone, (float x), { return static_cast<float>(x); });
    if (opencl::devices().empty()) {
        GTEST_SKIP() << "no OpenCL device";
    }
    std::vector<float> x(8);
    try {
        transform(execution::opencl_default, x.begin(), x.end(), x.begin(), of_the_host_alone);
        ADD_FAILURE() << "it was compiled";
    } catch (const opencl::build_error& failed) {
        EXPECT_THAT(failed.what(), testing::HasSubstr("return static_cast<float>(x);"));
    }
}

#endif

}  // namespace
}  // namespace pointsman::test
