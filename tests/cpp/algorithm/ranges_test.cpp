// SPDX-License-Identifier: Apache-2.0
// Algorithms of ranges return what those of iterators return.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include "pointsman/algorithm/ranges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/error.hpp"
#include "pointsman/execution/auto_policy.hpp"

namespace pointsman::test {
namespace {

using range_values = std::vector<std::int32_t>;
using testing::ElementsAre;

POINTSMAN_FUNCTION(int32_t, plus_ten, (int32_t x), { return x + 10; });
POINTSMAN_FUNCTION(void, add_ten, (int32_t* x), { *x += 10; });
POINTSMAN_FUNCTION(bool, is_above_two, (int32_t x), { return x > 2; });
POINTSMAN_FUNCTION(int32_t, always_nine, (), { return 9; });

class Ranges : public ParallelAndDevicePolicies {
  protected:
    /// Calls `check` with each policy, `auto_` among them.
    template <class Check>
    void with_auto(Check check) {
        under_policies([&](const auto& policy, const std::string& name) {
            SCOPED_TRACE(name);
            check(policy);
        });
        check(execution::auto_);
    }
};

TEST_F(Ranges, are_read) {
    with_auto([](const auto& policy) {
        const range_values x{3, 1, 4, 1, 5};
        EXPECT_EQ(ranges::reduce(policy, x, 1), 15);
        EXPECT_EQ(ranges::reduce(policy, x, 0, maximum{}), 5);
        EXPECT_EQ(ranges::transform_reduce(policy, x, 0, plus{}, plus_ten), 64);
        EXPECT_EQ(ranges::count(policy, x, 1), 2);
        EXPECT_EQ(ranges::count_if(policy, x, is_above_two), 3);
        EXPECT_EQ(ranges::find(policy, x, 4) - x.begin(), 2);
        EXPECT_EQ(ranges::find_if(policy, x, is_above_two) - x.begin(), 0);
        EXPECT_EQ(ranges::find_if_not(policy, x, is_above_two) - x.begin(), 1);
        EXPECT_EQ(ranges::adjacent_find(policy, x, greater{}) - x.begin(), 0);
        EXPECT_EQ(ranges::search_n(policy, x, 1, 5) - x.begin(), 4);
        EXPECT_TRUE(ranges::any_of(policy, x, is_above_two));
        EXPECT_FALSE(ranges::all_of(policy, x, is_above_two));
        EXPECT_FALSE(ranges::none_of(policy, x, is_above_two));
        EXPECT_EQ(ranges::min_element(policy, x) - x.begin(), 1);
        EXPECT_EQ(ranges::max_element(policy, x) - x.begin(), 4);
        EXPECT_EQ(ranges::minmax_element(policy, x).second - x.begin(), 4);
        EXPECT_FALSE(ranges::is_sorted(policy, x));
        EXPECT_EQ(ranges::is_sorted_until(policy, x) - x.begin(), 1);
        EXPECT_FALSE(ranges::is_heap(policy, x));
        EXPECT_EQ(ranges::is_heap_until(policy, x) - x.begin(), 2);
        EXPECT_FALSE(ranges::is_partitioned(policy, x, is_above_two));
    });
}

TEST_F(Ranges, are_written) {
    with_auto([](const auto& policy) {
        const range_values x{3, 1, 4, 1, 5};
        range_values y(5);
        EXPECT_EQ(ranges::copy(policy, x, y.begin()), y.end());
        EXPECT_EQ(y, x);
        ranges::sort(policy, y);
        EXPECT_THAT(y, ElementsAre(1, 1, 3, 4, 5));
        ranges::stable_sort(policy, y, greater{});
        EXPECT_THAT(y, ElementsAre(5, 4, 3, 1, 1));
        ranges::reverse(policy, std::span{y}.first(2));
        EXPECT_THAT(y, ElementsAre(4, 5, 3, 1, 1));
        EXPECT_EQ(ranges::rotate(policy, y, y.begin() + 2) - y.begin(), 3);
        EXPECT_THAT(y, ElementsAre(3, 1, 1, 4, 5));
        EXPECT_EQ(ranges::shift_left(policy, y, 2) - y.begin(), 3);
        EXPECT_EQ(ranges::shift_right(policy, y, 2) - y.begin(), 2);
        EXPECT_EQ(y[2], 1);
        ranges::fill(policy, y, 7);
        ranges::for_each(policy, y, add_ten);
        EXPECT_THAT(y, ElementsAre(17, 17, 17, 17, 17));
        ranges::generate(policy, y, always_nine);
        ranges::replace(policy, y, 9, 1);
        ranges::replace_if(policy, std::span{y}.last(1), is_above_two, 5);
        EXPECT_THAT(y, ElementsAre(1, 1, 1, 1, 1));
        EXPECT_EQ(ranges::unique(policy, y) - y.begin(), 1);
        y = x;
        EXPECT_EQ(ranges::remove(policy, y, 1) - y.begin(), 3);
        EXPECT_EQ(
            ranges::remove_if(policy, std::span{y}.first(3), is_above_two) - std::span{y}.begin(),
            0);
        y = x;
        EXPECT_EQ(ranges::partition(policy, y, is_above_two) - y.begin(), 3);
        EXPECT_EQ(ranges::stable_partition(policy, y, is_above_two) - y.begin(), 3);
        y = x;
        ranges::nth_element(policy, y, y.begin() + 2);
        EXPECT_EQ(y[2], 3);
        ranges::partial_sort(policy, y, y.begin() + 2, greater{});
        EXPECT_EQ(y[1], 4);
        y = {2, 5, 1, 3, 4};
        ranges::inplace_merge(policy, y, y.begin() + 2);
        EXPECT_THAT(y, ElementsAre(1, 2, 3, 4, 5));
    });
}

TEST_F(Ranges, have_results_elsewhere) {
    with_auto([](const auto& policy) {
        const range_values x{3, 1, 4, 1, 5};
        range_values out(10);
        const auto written = [&](auto end) { return range_values(out.begin(), end); };
        EXPECT_THAT(written(ranges::inclusive_scan(policy, x, out.begin())),
                    ElementsAre(3, 4, 8, 9, 14));
        EXPECT_THAT(written(ranges::exclusive_scan(policy, x, out.begin(), 1)),
                    ElementsAre(1, 4, 5, 9, 10));
        EXPECT_THAT(
            written(ranges::transform_inclusive_scan(policy, x, out.begin(), plus{}, plus_ten)),
            ElementsAre(13, 24, 38, 49, 64));
        EXPECT_THAT(
            written(ranges::transform_exclusive_scan(policy, x, out.begin(), 0, plus{}, plus_ten)),
            ElementsAre(0, 13, 24, 38, 49));
        EXPECT_THAT(written(ranges::transform(policy, x, out.begin(), plus_ten)),
                    ElementsAre(13, 11, 14, 11, 15));
        EXPECT_THAT(written(ranges::adjacent_difference(policy, x, out.begin())),
                    ElementsAre(3, -2, 3, -3, 4));
        EXPECT_THAT(written(ranges::copy_if(policy, x, out.begin(), is_above_two)),
                    ElementsAre(3, 4, 5));
        EXPECT_THAT(written(ranges::move(policy, x, out.begin())), ElementsAre(3, 1, 4, 1, 5));
        EXPECT_THAT(written(ranges::remove_copy(policy, x, out.begin(), 1)), ElementsAre(3, 4, 5));
        EXPECT_THAT(written(ranges::remove_copy_if(policy, x, out.begin(), is_above_two)),
                    ElementsAre(1, 1));
        EXPECT_THAT(written(ranges::replace_copy(policy, x, out.begin(), 1, 2)),
                    ElementsAre(3, 2, 4, 2, 5));
        EXPECT_THAT(written(ranges::replace_copy_if(policy, x, out.begin(), is_above_two, 2)),
                    ElementsAre(2, 1, 2, 1, 2));
        EXPECT_THAT(written(ranges::reverse_copy(policy, x, out.begin())),
                    ElementsAre(5, 1, 4, 1, 3));
        EXPECT_THAT(written(ranges::rotate_copy(policy, x, x.begin() + 1, out.begin())),
                    ElementsAre(1, 4, 1, 5, 3));
        EXPECT_THAT(written(ranges::unique_copy(policy, x, out.begin())),
                    ElementsAre(3, 1, 4, 1, 5));
        const auto ends =
            ranges::partition_copy(policy, x, out.begin(), out.begin() + 5, is_above_two);
        EXPECT_THAT(written(ends.first), ElementsAre(3, 4, 5));
        EXPECT_EQ(ends.second - out.begin(), 7);
        ranges::histogram(policy, x, 3, 0, 6, out.begin());
        EXPECT_THAT(written(out.begin() + 3), ElementsAre(2, 1, 2));
    });
}

TEST_F(Ranges, are_taken_with_a_second_one) {
    with_auto([](const auto& policy) {
        const range_values x{1, 2, 2, 4};
        const std::array<std::int32_t, 2> y{2, 3};
        range_values out(10);
        const auto written = [&](auto end) { return range_values(out.begin(), end); };
        EXPECT_FALSE(ranges::equal(policy, x, y));
        EXPECT_TRUE(ranges::equal(policy, x, range_values{x}, equal_to{}));
        EXPECT_TRUE(ranges::equal(policy, y, y.begin()));
        EXPECT_EQ(ranges::mismatch(policy, x, y).first, x.begin());
        EXPECT_TRUE(ranges::lexicographical_compare(policy, x, y));
        EXPECT_EQ(ranges::search(policy, x, y), x.end());
        EXPECT_EQ(ranges::find_end(policy, x, std::span{y}.first(1)) - x.begin(), 2);
        EXPECT_EQ(ranges::find_first_of(policy, x, y) - x.begin(), 1);
        EXPECT_FALSE(ranges::includes(policy, x, y));
        EXPECT_THAT(written(ranges::merge(policy, x, y, out.begin())),
                    ElementsAre(1, 2, 2, 2, 3, 4));
        EXPECT_THAT(written(ranges::set_union(policy, x, y, out.begin(), less{})),
                    ElementsAre(1, 2, 2, 3, 4));
        EXPECT_THAT(written(ranges::set_intersection(policy, x, y, out.begin())), ElementsAre(2));
        EXPECT_THAT(written(ranges::set_difference(policy, x, y, out.begin())),
                    ElementsAre(1, 2, 4));
        EXPECT_THAT(written(ranges::set_symmetric_difference(policy, x, y, out.begin())),
                    ElementsAre(1, 2, 3, 4));
        EXPECT_THAT(written(ranges::lower_bound(policy, x, y, out.begin())), ElementsAre(1, 3));
        EXPECT_THAT(written(ranges::upper_bound(policy, x, y, out.begin())), ElementsAre(3, 3));
        EXPECT_THAT(written(ranges::binary_search(policy, x, y, out.begin())), ElementsAre(1, 0));
        EXPECT_EQ(ranges::partial_sort_copy(policy, x, std::span{out}.first(2), greater{}) -
                      std::span{out}.begin(),
                  2);
        EXPECT_THAT(written(out.begin() + 2), ElementsAre(4, 2));
    });
}

TEST_F(Ranges, are_taken_pair_by_pair_with_a_second_one) {
    with_auto([](const auto& policy) {
        range_values x{3, 1, 3, 1};
        range_values y{10, 20, 30, 40, 50};
        range_values out(10);
        const auto written = [&](auto end) { return range_values(out.begin(), end); };
        EXPECT_THAT(written(ranges::transform(policy, x, y, out.begin(), plus{})),
                    ElementsAre(13, 21, 33, 41));
        EXPECT_THAT(written(ranges::transform(policy, x, y.begin() + 1, out.begin(), plus{})),
                    ElementsAre(23, 31, 43, 51));
        EXPECT_EQ(ranges::transform_reduce(policy, x, y, 0), 180);
        EXPECT_EQ(ranges::transform_reduce(policy, x, y, 0, plus{}, plus{}), 108);
        ranges::sort_by_key(policy, x, y);
        EXPECT_THAT(x, ElementsAre(1, 1, 3, 3));
        EXPECT_THAT(y, ElementsAre(20, 40, 10, 30, 50));
        EXPECT_THAT(written(ranges::inclusive_scan_by_segment(policy, x, y, out.begin())),
                    ElementsAre(20, 60, 10, 40));
        EXPECT_THAT(written(ranges::exclusive_scan_by_segment(policy, x, y, out.begin(), 1)),
                    ElementsAre(1, 21, 1, 11));
        const auto ends = ranges::reduce_by_segment(policy, x, y, out.begin(), out.begin() + 5);
        EXPECT_THAT(written(ends.first), ElementsAre(1, 3));
        EXPECT_THAT(range_values(out.begin() + 5, ends.second), ElementsAre(60, 40));
        ranges::swap_ranges(policy, std::span{x}.first(1), y);
        EXPECT_THAT(x, ElementsAre(20, 1, 3, 3));
        EXPECT_THROW(ranges::sort_by_key(policy, y, x), invalid_option);
        EXPECT_THROW(ranges::transform(policy, y, x, out.begin(), plus{}), invalid_option);
        EXPECT_THAT(y, ElementsAre(1, 40, 10, 30, 50));  // as before
    });
}

TEST_F(Ranges, may_be_lists_and_arrays) {
    const std::forward_list<int> list{1, 2, 3};
    EXPECT_EQ(ranges::reduce(execution::par, list, 0), 6);
    const int numbers[] = {3, 4};
    EXPECT_EQ(ranges::max_element(execution::seq, numbers) - numbers, 1);
}

#if !defined(__clang__) || __clang_major__ > 15  // others cannot compile libstdc++'s views
TEST_F(Ranges, may_be_views) {
    EXPECT_EQ(ranges::reduce(execution::seq, std::views::iota(0, 100), 0), 4950);
    EXPECT_EQ(*ranges::find(execution::par, std::views::iota(0, 100), 7), 7);
    const auto even = std::views::iota(0, 100) | std::views::transform([](int i) { return 2 * i; });
    EXPECT_EQ(ranges::reduce(execution::par, even, 0), 9900);
}
#endif

TEST_F(Ranges, may_be_temporary) {
    const range_values x{1, 2, 3};
    EXPECT_EQ(ranges::reduce(execution::par, range_values{1, 2}, 0), 3);
    range_values out(3);
    EXPECT_EQ(ranges::copy(execution::par, range_values{x}, out.begin()), out.end());
    EXPECT_EQ(out, x);
    range_values sought(out);
    EXPECT_EQ(ranges::search(execution::par, sought, range_values{2, 3}) - sought.begin(), 1);
    int memory[3];
    ranges::copy(execution::par, x, memory);
    EXPECT_EQ(memory[2], 3);
}

TEST_F(Ranges, are_no_initial_values) {
    const std::vector<std::string> words{"a", "b"};
    const auto doubled = [](const std::string& word) { return word + word; };
    EXPECT_EQ(
        ranges::transform_reduce(execution::seq, words, std::string{"c"}, std::plus<>{}, doubled),
        "caabb");
    EXPECT_EQ(ranges::reduce(execution::seq, words, std::string{"c"}, std::plus<>{}), "cab");
}

TEST_F(Ranges, may_be_memory_without_objects) {
    std::allocator<std::string> allocator;
    const std::vector<std::string> given{"a", "b", "c"};
    const std::span memory{allocator.allocate(3), 3};
    ranges::uninitialized_copy(execution::par, given, memory.begin());
    EXPECT_TRUE(ranges::equal(execution::par, memory, given));
    ranges::destroy(execution::par, memory);
    ranges::uninitialized_fill(execution::par, memory, "d");
    EXPECT_EQ(ranges::count(execution::par, memory, std::string{"d"}), 3);
    ranges::destroy(execution::par, memory);
    ranges::uninitialized_default_construct(execution::par, memory);
    ranges::destroy(execution::par, memory);
    ranges::uninitialized_value_construct(execution::par, memory);
    EXPECT_TRUE(
        ranges::all_of(execution::par, memory, [](const auto& text) { return text.empty(); }));
    ranges::destroy(execution::par, memory);
    ranges::uninitialized_move(execution::par, std::vector{given}, memory.begin());
    EXPECT_EQ(memory[2], "c");
    ranges::destroy(execution::par, memory);
    allocator.deallocate(memory.data(), 3);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
TEST_F(Ranges, may_be_buffers) {
    on_every_device([](const auto& policy) {
        const opencl::queue& queue = policy.queue();
        const range_values values{3, 1, 2};
        const opencl::buffer<std::int32_t> x{queue, values};
        const opencl::buffer<std::int32_t> y{queue, values};
        range_values got(3);
        EXPECT_EQ(ranges::reduce(policy, x, 0), 6);
        EXPECT_EQ(ranges::reduce(execution::auto_policy{{policy}}, x, 0), 6);
        ranges::sort_by_key(policy, x, y);
        ranges::transform(policy, x, y, begin(x), plus{});
        x.read(queue, got);
        EXPECT_THAT(got, ElementsAre(2, 4, 6));
        EXPECT_EQ(ranges::max_element(policy, x) - begin(x), 2);
        EXPECT_TRUE(ranges::equal(policy, x, got));
        const opencl::buffer<std::int32_t> shorter{queue, range_values{1}};
        EXPECT_THROW(ranges::sort_by_key(policy, x, shorter), invalid_option);
    });
}
#endif

}  // namespace
}  // namespace pointsman::test
