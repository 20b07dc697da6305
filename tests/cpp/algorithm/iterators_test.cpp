// SPDX-License-Identifier: Apache-2.0
// Iterators that compute their values, or find them elsewhere, can be those of every algorithm.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/binary_search.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/counting_iterator.hpp"
#include "pointsman/algorithm/discard_iterator.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/histogram.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/lower_bound.hpp"
#include "pointsman/algorithm/max_element.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/partition_copy.hpp"
#include "pointsman/algorithm/permutation_iterator.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/reduce_by_segment.hpp"
#include "pointsman/algorithm/remove_copy.hpp"
#include "pointsman/algorithm/reverse.hpp"
#include "pointsman/algorithm/set_difference.hpp"
#include "pointsman/algorithm/set_intersection.hpp"
#include "pointsman/algorithm/set_union.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_iterator.hpp"
#include "pointsman/algorithm/unique_copy.hpp"
#include "pointsman/algorithm/zip_iterator.hpp"
#include "pointsman/error.hpp"
#include "pointsman/execution/auto_policy.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(int64_t, squared, (int64_t x), { return x * x; });
POINTSMAN_FUNCTION(bool, is_odd_number, (int64_t x), { return (x & 1) != 0; });
POINTSMAN_FUNCTION(void, negate_in_place, (int64_t* x), { *x = -*x; });

using numbers = std::vector<std::int64_t>;
using number_iterator = numbers::iterator;
const auto captures = [k = 1](std::int64_t x) { return x + k; };  // cannot be assigned

static_assert(std::random_access_iterator<counting_iterator<int>>);
static_assert(std::random_access_iterator<transform_iterator<number_iterator, decltype(captures)>>);
static_assert(std::random_access_iterator<permutation_iterator<number_iterator, const int*>>);
static_assert(std::random_access_iterator<discard_iterator>);
static_assert(std::output_iterator<discard_iterator, std::string>);
static_assert(std::random_access_iterator<zip_iterator<const int*, const float*>>);
static_assert(std::random_access_iterator<zip_iterator<number_iterator, std::string*>>);
static_assert(std::sortable<zip_iterator<number_iterator, std::string*>>);
static_assert(std::random_access_iterator<
              permutation_iterator<zip_iterator<const int*, const float*>, const int*>>);

using Iterators = ParallelAndDevicePolicies;

numbers shuffled_numbers(std::size_t size) {
    numbers order(size);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937{std::random_device{}()});
    return order;
}

TEST_F(Iterators, move_as_pointers_do) {
    const int memory[10] = {};
    const auto check = [&](auto first) {
        auto it = first;
        const int* place = memory;
        std::mt19937 random{1};
        for (int i = 0; i < 200; ++i) {
            const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(random() % 10) - (place - memory);
            switch (random() % 4) {
                case 0:
                    it += n, place += n;
                    break;
                case 1:
                    it = n + it, place = n + place;
                    break;
                case 2:
                    it -= -n, place -= -n;
                    break;
                default:
                    it = it - -n, place = place - -n;
            }
            EXPECT_EQ(it - first, place - memory);
            EXPECT_EQ(it == first, place == memory);
            EXPECT_EQ(it <=> first + 5, place <=> memory + 5);
            EXPECT_EQ(it++ - first, place++ - memory);
            EXPECT_EQ(--it - first, --place - memory);
            EXPECT_EQ(++it - first, ++place - memory);
            EXPECT_EQ(it-- - first, place-- - memory);
        }
    };
    numbers x(10);
    check(counting_iterator{-3});
    check(transform_iterator{x.begin(), captures});
    check(permutation_iterator{x.begin(), memory});
    check(discard_iterator{});
    check(zip_iterator{x.begin(), memory});
}

TEST_F(Iterators, count) {
    under_policies([](const auto& policy, const std::string& name) {
        SCOPED_TRACE(name);
        for (const std::size_t size : algorithm_sizes) {
            const counting_iterator first{std::int64_t{-5}};
            const auto last = first + static_cast<std::ptrdiff_t>(size);
            numbers wanted(size);
            std::iota(wanted.begin(), wanted.end(), -5);
            numbers out(size);
            EXPECT_EQ(copy(policy, first, last, out.begin()), out.end());
            EXPECT_EQ(out, wanted);
            EXPECT_EQ(reduce(policy, first, last, std::int64_t{7}),
                      std::accumulate(wanted.begin(), wanted.end(), std::int64_t{7}));
            EXPECT_EQ(find_if(policy, first, last, is_odd_number), size == 0 ? last : first);
            EXPECT_EQ(copy_if(policy, first, last, out.begin(), is_odd_number) - out.begin(),
                      std::ranges::count_if(wanted, is_odd_number));
        }
        std::vector<std::uint64_t> largest(3);
        const counting_iterator first{std::numeric_limits<std::uint64_t>::max() - 2};
        copy(policy, first, first + 3, largest.begin());
        EXPECT_EQ(largest, (std::vector<std::uint64_t>{*first, first[1], first[2]}));
        EXPECT_EQ(first[2], std::numeric_limits<std::uint64_t>::max());
        std::vector<std::int8_t> bytes(3);
        const counting_iterator byte{std::int8_t{-1}};
        copy(policy, byte, byte + 3, bytes.begin());
        EXPECT_EQ(bytes, (std::vector<std::int8_t>{-1, 0, 1}));
    });
}

TEST_F(Iterators, compute) {
    under_policies([](const auto& policy, const std::string& name) {
        SCOPED_TRACE(name);
        for (const std::size_t size : algorithm_sizes) {
            const numbers x = shuffled_numbers(size);
            numbers wanted(size);
            std::ranges::transform(x, wanted.begin(), squared);
            const transform_iterator first{x.begin(), squared};
            const transform_iterator last{x.end(), squared};
            EXPECT_EQ(reduce(policy, first, last, std::int64_t{0}),
                      std::accumulate(wanted.begin(), wanted.end(), std::int64_t{0}));
            EXPECT_EQ(max_element(policy, first, last) - first,
                      std::ranges::max_element(wanted) - wanted.begin());
            numbers out(size);
            inclusive_scan(policy, first, last, out.begin(), maximum{});
            std::inclusive_scan(wanted.begin(), wanted.end(), wanted.begin(), std::ranges::max);
            EXPECT_EQ(out, wanted);
        }
        const numbers x{3, 1, 2};  // a function of the host runs there
        const transform_iterator values{x.begin(), captures};
        EXPECT_EQ(reduce(policy, values, values + 3, std::int64_t{0}), 9);
        const transform_iterator squares{counting_iterator{std::int64_t{1}}, squared};
        EXPECT_EQ(reduce(policy, squares, squares + 4, std::int64_t{0}), 30);
    });
}

TEST_F(Iterators, gather_and_scatter) {
    under_policies([](const auto& policy, const std::string& name) {
        SCOPED_TRACE(name);
        for (const std::size_t size : algorithm_sizes) {
            const numbers order = shuffled_numbers(size);
            numbers x(size);
            std::iota(x.begin(), x.end(), 100);
            numbers gathered(size);
            const permutation_iterator from{x.begin(), order.begin()};
            copy(policy, from, from + static_cast<std::ptrdiff_t>(size), gathered.begin());
            for (std::size_t i = 0; i < size; ++i) {
                ASSERT_EQ(gathered[i], order[i] + 100);
            }
            numbers scattered(size);
            const permutation_iterator to{scattered.begin(), order.begin()};
            copy(policy, gathered.begin(), gathered.end(), to);
            EXPECT_EQ(scattered, x);
            sort(policy, to, to + static_cast<std::ptrdiff_t>(size));  // in the order of `order`
            copy(policy, to, to + static_cast<std::ptrdiff_t>(size), gathered.begin());
            EXPECT_EQ(gathered, x);
        }
        std::vector<float> some(10);
        const std::vector<std::uint8_t> indices{7, 2};
        const permutation_iterator two{some.begin(), indices.begin()};
        fill(policy, two, two + 2, 3.0f);
        EXPECT_EQ(some, (std::vector<float>{0, 0, 3, 0, 0, 0, 0, 3, 0, 0}));
    });
}

TEST_F(Iterators, discard) {
    under_policies([](const auto& policy, const std::string& name) {
        SCOPED_TRACE(name);
        for (const std::size_t size : {3, 100'000}) {
            const numbers x = shuffled_numbers(size);
            numbers keys(size);
            std::ranges::transform(x, keys.begin(), [](auto v) { return v / 1000; });
            numbers sums(size);
            const auto ends =
                reduce_by_segment(policy, keys.begin(), keys.end(), x.begin(), discard_iterator{},
                                  sums.begin(), equal_to{}, plus{});
            numbers wanted;
            for (std::size_t i = 0; i < size; ++i) {
                if (i == 0 || keys[i] != keys[i - 1]) {
                    wanted.push_back(0);
                }
                wanted.back() += x[i];
            }
            EXPECT_EQ(ends.first - discard_iterator{}, std::ssize(wanted));
            sums.resize(wanted.size());
            EXPECT_EQ(sums, wanted);
            const auto odd = std::ranges::count_if(x, is_odd_number);
            EXPECT_EQ(copy_if(policy, x.begin(), x.end(), discard_iterator{5}, is_odd_number),
                      discard_iterator{odd + 5});
            numbers even(size);
            const auto parts = partition_copy(policy, x.begin(), x.end(), discard_iterator{},
                                              even.begin(), is_odd_number);
            EXPECT_EQ(parts.first - discard_iterator{}, odd);
            EXPECT_EQ(parts.second - even.begin(), std::ssize(x) - odd);
        }
    });
}

TEST_F(Iterators, zip) {
    for (const std::size_t size : {0, 1, 33, 20'000}) {
        const numbers order = shuffled_numbers(size);
        numbers counted(size);
        std::iota(counted.begin(), counted.end(), 0);
        const auto check = [&](const auto& policy) {
            numbers keys = order;
            std::vector<std::string> names(size);
            std::ranges::transform(keys, names.begin(),
                                   [](auto key) { return std::to_string(key); });
            const zip_iterator first{keys.begin(), names.begin()};
            const zip_iterator last{keys.end(), names.end()};
            const auto is_named = [](const auto& each) {
                return std::get<1>(each) == std::to_string(std::get<0>(each));
            };
            EXPECT_EQ(count_if(policy, first, last, is_named), std::ssize(keys));
            sort(policy, first, last,
                 [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); });
            EXPECT_TRUE(std::ranges::is_sorted(keys));
            EXPECT_EQ(count_if(policy, first, last, is_named), std::ssize(keys));
            stable_sort(policy, first, last, [](const auto& a, const auto& b) {
                return std::get<1>(a) < std::get<1>(b);
            });
            EXPECT_TRUE(std::ranges::is_sorted(names));
            EXPECT_EQ(count_if(policy, first, last, is_named), std::ssize(keys));
            reverse(policy, first, last);
            EXPECT_EQ(count_if(policy, first, last, is_named), std::ssize(keys));
            for_each(policy, first, last, [](auto each) {
                auto& [key, name] = each;
                key += std::ssize(name);
            });
            numbers sums(size);
            transform(policy, first, last, sums.begin(), [](const auto& each) {
                return std::get<0>(each) - std::ssize(std::get<1>(each));
            });
            std::ranges::sort(sums);
            EXPECT_EQ(sums, counted);
            numbers others(size);
            std::vector<std::string> texts(size);
            const auto end =
                copy_if(policy, first, last, zip_iterator{others.begin(), texts.begin()},
                        [](const auto& each) { return std::get<0>(each) % 2 == 0; });
            const auto kept =
                static_cast<std::size_t>(end - zip_iterator{others.begin(), texts.begin()});
            std::size_t at = 0;
            for (std::size_t i = 0; i < size; ++i) {
                if (keys[i] % 2 == 0) {
                    ASSERT_LT(at, kept);
                    EXPECT_EQ(others[at], keys[i]);
                    EXPECT_EQ(texts[at++], names[i]);
                }
            }
            EXPECT_EQ(at, kept);
        };
        check(execution::seq);
        check(execution::unseq);
        check(execution::par);
        check(execution::par_unseq);
        check(execution::auto_);
    }
}

TEST_F(Iterators, discard_the_results_of_any_algorithm) {
    under_policies([](const auto& policy, const std::string& name) {
        SCOPED_TRACE(name);
        numbers x(1000);
        std::ranges::generate(x, [i = 0]() mutable { return i++ / 3; });
        const discard_iterator out;
        EXPECT_EQ(copy(policy, x.begin(), x.end(), out) - out, 1000);
        EXPECT_EQ(transform(policy, x.begin(), x.end(), out, squared) - out, 1000);
        EXPECT_EQ(inclusive_scan(policy, x.begin(), x.end(), out) - out, 1000);
        EXPECT_EQ(unique_copy(policy, x.begin(), x.end(), out) - out, 334);
        EXPECT_EQ(remove_copy(policy, x.begin(), x.end(), out, 0) - out, 997);
        EXPECT_EQ(merge(policy, x.begin(), x.end(), x.begin(), x.begin() + 3, out) - out, 1003);
        EXPECT_EQ(set_union(policy, x.begin(), x.end(), x.begin(), x.begin() + 4, out) - out, 1000);
        EXPECT_EQ(set_difference(policy, x.begin(), x.end(), x.begin(), x.begin() + 4, out) - out,
                  996);
        EXPECT_EQ(set_intersection(policy, x.begin(), x.end(), x.begin(), x.begin() + 4, out) - out,
                  4);
        EXPECT_EQ(lower_bound(policy, x.begin(), x.end(), x.begin(), x.end(), out) - out, 1000);
        EXPECT_EQ(binary_search(policy, x.begin(), x.end(), x.begin(), x.end(), out) - out, 1000);
        EXPECT_EQ(histogram(policy, x.begin(), x.end(), 10, 0, 1000, out) - out, 10);
        fill(policy, out, out + 5, 3);
    });
}

TEST_F(Iterators, keep_no_reference_to_a_temporary_value) {
    const transform_iterator five{counting_iterator{5}, std::identity{}};
    static_assert(std::is_same_v<decltype(*five), int>);
    EXPECT_EQ(five[0] + five[1] + five[2], 18);
    numbers x{7};
    const transform_iterator same{x.begin(), std::identity{}};
    *same = 8;
    EXPECT_EQ(x[0], 8);
}

TEST_F(Iterators, can_be_those_of_one_another) {
    const std::vector<int> x{3, 1, 2};
    const std::vector<float> y{30, 10, 20};
    const zip_iterator pairs{x.begin(), y.begin()};
    const std::vector<int> order{1, 2, 0};
    const permutation_iterator in_order{pairs, order.begin()};
    EXPECT_EQ(std::get<1>(in_order[2]), 30);
    const transform_iterator sums{in_order, [](const auto& each) {
                                      const auto& [a, b] = each;
                                      return static_cast<float>(a) + b;
                                  }};
    EXPECT_EQ(reduce(execution::par, sums, sums + 3, 0.0f), 66);
    const zip_iterator nested{pairs, counting_iterator{0}};
    EXPECT_EQ(std::get<0>(std::get<0>(nested[1])) + std::get<1>(nested[1]), 2);
}

TEST_F(Iterators, zip_references_swap_and_assign_values) {
    numbers x{1, 2};
    std::vector<std::string> names{"a", "b"};
    const zip_iterator it{x.begin(), names.begin()};
    std::iter_swap(it, it + 1);
    EXPECT_EQ(x, (numbers{2, 1}));
    EXPECT_EQ(names, (std::vector<std::string>{"b", "a"}));
    const auto first = it[0];
    auto second = it[1];
    second = first;
    EXPECT_EQ(x, (numbers{2, 2}));
    it[0] = std::tuple{7, "c"};
    EXPECT_TRUE(first == std::tuple(7, "c"));
    first = std::pair{8, "d"};
    EXPECT_EQ(x, (numbers{8, 2}));
    EXPECT_EQ(names, (std::vector<std::string>{"d", "b"}));
    std::ranges::sort(it, it + 2);
    EXPECT_EQ(x, (numbers{2, 8}));
}

#ifndef POINTSMAN_WITHOUT_OPENCL
static_assert(device_iterator<permutation_iterator<opencl::buffer_iterator<float>, const int*>>);
static_assert(
    !device_iterator<transform_iterator<opencl::buffer_iterator<int>, decltype(captures)>>);
static_assert(device_iterator<zip_iterator<const int*, opencl::buffer_iterator<float>>>);
static_assert(!device_iterator<zip_iterator<const int*, std::string*>>);

TEST_F(Iterators, stand_for_values_of_buffers) {
    on_every_device([](const auto& policy) {
        const opencl::queue& queue = policy.queue();
        for (const std::size_t size : {std::size_t{1}, std::size_t{33}, std::size_t{100'000}}) {
            const numbers order = shuffled_numbers(size);
            numbers x(size);
            std::iota(x.begin(), x.end(), 100);
            const opencl::buffer<std::int64_t> indices{queue, order};
            const opencl::buffer<std::int64_t> values{queue, x};
            const opencl::buffer<std::int64_t> out{queue, size};
            const auto n = static_cast<std::ptrdiff_t>(size);
            numbers got(size);

            const permutation_iterator permuted{begin(values), begin(indices)};
            copy(policy, permuted, permuted + n, begin(out));
            out.read(queue, got);
            for (std::size_t i = 0; i < size; ++i) {
                ASSERT_EQ(got[i], order[i] + 100);
            }
            for_each(policy, permuted, permuted + n, negate_in_place);
            values.read(queue, got);
            std::ranges::transform(got, got.begin(), std::negate{});
            EXPECT_EQ(got, x);
            copy(policy, order.begin(), order.end(), permuted);
            values.read(queue, got);
            numbers counted(size);
            std::iota(counted.begin(), counted.end(), 0);
            EXPECT_EQ(got, counted);

            const permutation_iterator beyond{end(values) + 1, begin(indices)};
            EXPECT_THROW(copy(policy, beyond, beyond + 1, begin(out)), invalid_option);

            const transform_iterator squares{begin(values), squared};
            const auto sum =
                std::transform_reduce(got.begin(), got.end(), got.begin(), std::int64_t{0});
            EXPECT_EQ(reduce(policy, squares, squares + n, std::int64_t{0}), sum);
            EXPECT_EQ(reduce(execution::auto_policy{}, squares, squares + n, std::int64_t{0}), sum);
            const transform_iterator of_permuted{permuted, squared};
            EXPECT_EQ(reduce(policy, of_permuted, of_permuted + n, std::int64_t{0}), sum);
        }
    });
}

#ifdef POINTSMAN_HAS_HALF
TEST_F(Iterators, stand_for_halves_of_buffers) {
    on_every_device([](const auto& policy) {
        const opencl::queue& queue = policy.queue();
        const opencl::buffer<half> x{queue, std::vector<half>{half(1), half(2), half(4)}};
        const std::vector<int> indices{2, 0};
        const permutation_iterator two{begin(x), indices.begin()};
        EXPECT_EQ(reduce(policy, two, two + 2, half(0)), half(5));
        inclusive_scan(policy, two, two + 2, two, plus{});
        std::vector<half> got(3);
        x.read(queue, got);
        EXPECT_EQ(got, (std::vector<half>{half(5), half(2), half(4)}));
    });
}
#endif  // POINTSMAN_HAS_HALF
#endif

}  // namespace
}  // namespace pointsman::test
