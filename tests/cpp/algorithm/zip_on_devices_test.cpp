// SPDX-License-Identifier: Apache-2.0
// What devices compute of zip_iterators, and where they read and write their values.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/counting_iterator.hpp"
#include "pointsman/algorithm/discard_iterator.hpp"
#include "pointsman/algorithm/equal.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/generate.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/permutation_iterator.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/reverse.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_iterator.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "pointsman/algorithm/zip_iterator.hpp"
#include "pointsman/error.hpp"
#include "pointsman/execution/auto_policy.hpp"
#include "zipped_rows.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/async.hpp"
#include "pointsman/resource/opencl/buffer.hpp"
#endif

namespace pointsman::test {
namespace {

#ifndef POINTSMAN_WITHOUT_OPENCL
using ZipOnDevices = ParallelAndDevicePolicies;

POINTSMAN_FUNCTION(int16_t, rest_of_four, (float x), { return (int16_t)((int)x % 4); });
POINTSMAN_FUNCTION(int32_t, index_from_the_end, (int32_t i), { return 65536 - i; });
POINTSMAN_FUNCTION(zipped_row, doubled_row, (zipped_row r), {
    r.amount = 2 * r.amount;
    return r;
});

/// Values in a buffer.
template <class T>
opencl::buffer<T> buffer_with(const opencl::queue& queue, const std::vector<T>& values) {
    return opencl::buffer<T>{queue, values};
}

TEST_F(ZipOnDevices, reads_computed_values_of_buffers) {
    std::mt19937 random{std::random_device{}()};
    on_every_device([&](const auto& policy) {
        for (const std::size_t size : {1, 2, 31, 33, 1000, 65'537}) {
            std::vector<float> x(size);
            std::vector<std::uint32_t> order(size);
            std::iota(order.begin(), order.end(), 0u);
            std::ranges::shuffle(order, random);
            std::ranges::generate(x, [&] { return static_cast<float>(random() % 9); });
            const auto values = buffer_with(policy.queue(), x);
            const auto indices = buffer_with(policy.queue(), order);
            const auto zipped = [](auto in_x, auto in_order, auto again) {
                return transform_iterator{
                    zip_iterator{counting_iterator{-7}, permutation_iterator{in_x, in_order},
                                 transform_iterator{again, rest_of_four}},
                    doubled_row};
            };
            const auto on_device = zipped(begin(values), begin(indices), begin(values));
            const auto on_host = zipped(x.begin(), order.begin(), x.begin());
            const auto n = static_cast<std::ptrdiff_t>(size);
            const auto compare = [&](const auto& algorithm) {
                EXPECT_EQ(algorithm(policy, on_device), algorithm(execution::seq, on_host));
            };
            compare([n](const auto& on, const auto& first) {
                return transform_reduce(on, first, first + n, 0.0, plus{}, weight_of_row);
            });
            compare([n](const auto& on, const auto& first) {
                return reduce(on, first, first + n, zipped_row{}, greatest_fields);
            });
            compare([n](const auto& on, const auto& first) {
                return std::pair{count_if(on, first, first + n, is_heavy_row),
                                 find_if(on, first, first + n, is_heavy_row) - first};
            });
            compare([n](const auto& on, const auto& first) {
                std::vector<float> weights(static_cast<std::size_t>(n));
                transform(on, first, first + n, weights.begin(), weight_of_row);
                return weights;
            });
            compare([n](const auto& on, const auto& first) {
                std::vector<std::int32_t> keys(static_cast<std::size_t>(n));
                std::vector<float> amounts(static_cast<std::size_t>(n));
                const zip_iterator out{keys.begin(), amounts.begin(), discard_iterator{}};
                const auto end = copy_if(on, first, first + n, out, is_heavy_row) - out;
                return std::tuple{end, keys, amounts};
            });
        }
    });
}

TEST_F(ZipOnDevices, defines_a_function_once_in_a_kernel) {
    under_policies([](const auto& policy, const std::string& name) {
        SCOPED_TRACE(name);
        const std::vector<float> x{1, 2, 3};
        const zip_iterator rows{x.begin(), x.begin(), counting_iterator{0}};
        const transform_iterator doubled{rows, doubled_row};
        EXPECT_EQ(transform_reduce(policy, doubled, doubled + 3, rows, zipped_row{},
                                   greatest_fields, greatest_fields),
                  zipped_row(3, 6, 2));
        const transform_iterator again{doubled, doubled_row};
        EXPECT_EQ(
            transform_reduce(policy, again, again + 3, zipped_row{}, greatest_fields, doubled_row),
            zipped_row(3, 24, 2));
    });
}

#ifdef POINTSMAN_HAS_HALF
POINTSMAN_STRUCT(half_row, {
    half rounded;
    float exact;
});
POINTSMAN_FUNCTION(half_row, half_row_of, (float x), {
    half_row r = {x, x};
    return r;
});
POINTSMAN_FUNCTION(float, error_of_row, (half_row r), { return r.exact - r.rounded; });
POINTSMAN_FUNCTION(half_row, largest_of_rows, (half_row a, half_row b), {
    a.rounded = a.rounded < b.rounded ? b.rounded : a.rounded;
    a.exact = a.exact < b.exact ? b.exact : a.exact;
    return a;
});

TEST_F(ZipOnDevices, rounds_half_fields) {
    std::vector<float> x(1000);
    std::iota(x.begin(), x.end(), 2047.25f);
    std::vector<float> halves(x.size());
    std::ranges::transform(x, halves.begin(), [](float each) { return half(each); });
    under_policies([&](const auto& policy, const std::string& name) {
        SCOPED_TRACE(name);
        std::vector<float> rounded(x.size());
        std::vector<half> second(x.size());
        const zip_iterator out{rounded.begin(), second.begin()};
        transform(policy, x.begin(), x.end(), out, half_row_of);
        EXPECT_EQ(rounded, halves);
        EXPECT_TRUE(std::ranges::equal(second, halves));
        const transform_iterator rows{x.begin(), half_row_of};
        const auto last = rows + std::ssize(x);
        EXPECT_EQ(transform_reduce(policy, rows, last, 0.0f, maximum{}, error_of_row), 0.25f);
        EXPECT_EQ(reduce(policy, rows, last, half_row{}, largest_of_rows),
                  half_row(halves.back(), x.back()));
    });
}
#endif

TEST_F(ZipOnDevices, gathers_before_it_overwrites) {
    on_every_device([](const auto& policy) {
        constexpr std::size_t size = 65'537;
        std::vector<std::int32_t> x(size);
        std::iota(x.begin(), x.end(), 0);
        const auto values = buffer_with(policy.queue(), x);
        const transform_iterator backward{counting_iterator{0}, index_from_the_end};
        const permutation_iterator reversed{begin(values), backward};
        transform(policy, reversed, reversed + std::ptrdiff_t{size}, begin(values),
                  identity_value{});
        std::ranges::reverse(x);
        std::vector<std::int32_t> found(size);
        values.read(policy.queue(), found);
        EXPECT_EQ(found, x);
    });
}

TEST_F(ZipOnDevices, runs_under_auto_policy_where_its_memory_is) {
    const execution::auto_policy policy;
    std::vector<std::int32_t> keys{3, 1, 2};
    std::vector<float> amounts{1, 20, 3};
    const zip_iterator on_host{keys.begin(), amounts.begin(), counting_iterator{std::int16_t{0}}};
    EXPECT_EQ(count_if(policy, on_host, on_host + 3, is_heavy_row), 1);
    on_every_device([&](const auto& device) {
        const auto values = buffer_with(device.queue(), amounts);
        const zip_iterator mixed{keys.begin(), begin(values), counting_iterator{std::int16_t{0}}};
        EXPECT_EQ(count_if(policy, mixed, mixed + 3, is_heavy_row), 1);
    });
}

TEST_F(ZipOnDevices, stays_there_in_asynchronous_algorithms) {
    on_every_device([](const auto& policy) {
        const auto keys = buffer_with(policy.queue(), std::vector<std::int32_t>{3, 1, 2});
        const auto amounts = buffer_with(policy.queue(), std::vector<float>{1, 20, 3});
        const zip_iterator rows{begin(keys), begin(amounts), counting_iterator{std::int16_t{5}}};
        const opencl::buffer<float> weights{policy.queue(), 3};
        const auto done = transform_async(policy, rows, rows + 3, begin(weights), weight_of_row);
        const auto best = reduce_async(policy, rows, rows + 3, zipped_row{}, greatest_fields, done);
        EXPECT_EQ(best.get(), zipped_row(3, 20, 7));
        std::vector<float> found(3);
        weights.read(policy.queue(), found);
        EXPECT_EQ(found, (std::vector<float>{8, 26, 13}));
    });
}

using ZipOutput = ParallelAndDevicePolicies;

TEST_F(ZipOutput, is_not_written_if_a_part_is_too_short) {
    std::vector<float> out(4);
    on_every_device([&](const auto& policy) {
        const opencl::buffer<float> numbers{policy.queue(), 8};
        const zip_iterator output{out.begin(), begin(numbers) + 5};
        EXPECT_THROW(fill(policy, output, output + 4, std::tuple{9.0F, 9.0F}), invalid_option);
        EXPECT_EQ(out, (std::vector<float>{0, 0, 0, 0}));
    });
}
#endif

}  // namespace
}  // namespace pointsman::test
