// SPDX-License-Identifier: Apache-2.0
// Algorithms return the same for the values of a permutation_iterator as for values that lie in order.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/adjacent_difference.hpp"
#include "pointsman/algorithm/adjacent_find.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/count.hpp"
#include "pointsman/algorithm/equal.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/exclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/find_end.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/histogram.hpp"
#include "pointsman/algorithm/includes.hpp"
#include "pointsman/algorithm/inclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/inplace_merge.hpp"
#include "pointsman/algorithm/is_heap_until.hpp"
#include "pointsman/algorithm/is_sorted_until.hpp"
#include "pointsman/algorithm/lexicographical_compare.hpp"
#include "pointsman/algorithm/lower_bound.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/minmax_element.hpp"
#include "pointsman/algorithm/mismatch.hpp"
#include "pointsman/algorithm/partial_sort_copy.hpp"
#include "pointsman/algorithm/permutation_iterator.hpp"
#include "pointsman/algorithm/reduce_by_segment.hpp"
#include "pointsman/algorithm/remove_if.hpp"
#include "pointsman/algorithm/replace_if.hpp"
#include "pointsman/algorithm/reverse.hpp"
#include "pointsman/algorithm/rotate.hpp"
#include "pointsman/algorithm/search.hpp"
#include "pointsman/algorithm/search_n.hpp"
#include "pointsman/algorithm/set_symmetric_difference.hpp"
#include "pointsman/algorithm/set_union.hpp"
#include "pointsman/algorithm/shift_left.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_partition.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "pointsman/algorithm/swap_ranges.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "pointsman/algorithm/unique.hpp"
#include "pointsman/algorithm/unique_copy.hpp"

namespace pointsman::test {
namespace {

using integers = std::vector<std::int32_t>;
constexpr std::ptrdiff_t whole = 3000;
constexpr std::ptrdiff_t half_of_it = whole / 2;

POINTSMAN_FUNCTION(int32_t, third_of, (int32_t x), { return x / 3; });
POINTSMAN_FUNCTION(bool, is_above_four, (int32_t x), { return x > 4; });

/// Values in host memory, and in a buffer.
class host_memory {
  public:
    explicit host_memory(integers values) : values_{std::move(values)} {}
    auto begin() { return values_.begin(); }
    const integers& read() const { return values_; }

  private:
    integers values_;
};
#ifndef POINTSMAN_WITHOUT_OPENCL
class device_memory {
  public:
    device_memory(const opencl::queue& queue, const integers& values)
        : queue_{queue}, values_{queue, values} {}
    auto begin() { return pointsman::begin(values_); }
    integers read() const {
        integers values(values_.size());
        values_.read(queue_, values);
        return values;
    }

  private:
    opencl::queue queue_;
    opencl::buffer<std::int32_t> values_;
};
#endif

/// Random integers of 0 to 9.
integers small_integers(std::size_t size, std::mt19937& random) {
    integers values(size);
    std::ranges::generate(values, [&] { return static_cast<std::int32_t>(random() % 10); });
    return values;
}

/// `values[i]` at index `order[i]`.
integers put_in_order(const integers& values, const integers& order) {
    integers stored(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        stored[static_cast<std::size_t>(order[i])] = values[i];
    }
    return stored;
}
integers take_in_order(const integers& stored, const integers& order) {
    integers values(stored.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = stored[static_cast<std::size_t>(order[i])];
    }
    return values;
}

/// Calls `run(first, second, out)`, iterators over three ranges of `whole` values, for values that lie in order
/// in host memory and for those in the memory that `make` returns, and compares what it returns and the values.
template <class Run, class Make>
void compare(const Run& run, const Make& make, std::mt19937& random) {
    integers order(whole);
    std::iota(order.begin(), order.end(), 0);
    integers in[3];
    for (integers& values : in) {
        std::ranges::shuffle(order, random);
        values = small_integers(whole, random);
    }
    for (integers* const sorted : {&in[0], &in[1]}) {  // halves, for merges and sets
        std::sort(sorted->begin(), sorted->begin() + half_of_it);
        std::sort(sorted->begin() + half_of_it, sorted->end());
    }
    auto first = make(put_in_order(in[0], order));
    auto second = make(put_in_order(in[1], order));
    auto out = make(put_in_order(in[2], order));
    auto indices = make(order);
    const auto permuted = [&](auto& memory) {
        return permutation_iterator{memory.begin(), indices.begin()};
    };
    const auto result = run(permuted(first), permuted(second), permuted(out));
    EXPECT_EQ(result, run(in[0].begin(), in[1].begin(), in[2].begin()));
    EXPECT_EQ(take_in_order(first.read(), order), in[0]);
    EXPECT_EQ(take_in_order(second.read(), order), in[1]);
    EXPECT_EQ(take_in_order(out.read(), order), in[2]);
}

/// Calls `visit(run)` for functions `run` that call an algorithm under `policy`, as `compare` calls them.
template <class P, class Visit>
void for_each_algorithm(const P& policy, const Visit& visit) {
    constexpr std::ptrdiff_t n = whole;
    constexpr std::ptrdiff_t h = half_of_it;
    // Elementwise.
    visit([&](auto a, auto, auto out) { return transform(policy, a, a + n, out, third_of) - out; });
    visit([&](auto a, auto b, auto out) {
        return transform(policy, a, a + n, b, out, plus{}) - out;
    });
    visit([&](auto a, auto, auto out) { return adjacent_difference(policy, a, a + n, out) - out; });
    visit([&](auto, auto, auto out) {
        replace_if(policy, out, out + n, is_above_four, 7);
        return 0;
    });
    visit([&](auto, auto, auto out) {
        reverse(policy, out, out + n);
        return rotate(policy, out, out + 5, out + n) - out;
    });
    visit([&](auto, auto, auto out) {
        const auto end = shift_left(policy, out, out + n, 7);
        fill(policy, end, out + n, 0);
        return end - out;
    });
    visit([&](auto a, auto b, auto) { return swap_ranges(policy, a, a + n, b) - b; });
    // Reductions, scans, segments, histograms.
    visit([&](auto a, auto b, auto) { return transform_reduce(policy, a, a + n, b, 1); });
    visit([&](auto a, auto, auto out) { return exclusive_scan(policy, a, a + n, out, 1) - out; });
    visit([&](auto a, auto b, auto out) {
        return exclusive_scan_by_segment(policy, a, a + n, b, out, 5) - out;
    });
    visit([&](auto a, auto b, auto out) {
        return inclusive_scan_by_segment(policy, a, a + n, b, out) - out;
    });
    visit([&](auto a, auto b, auto out) {
        const auto ends = reduce_by_segment(policy, a, a + n, b, out, out + h);
        return std::pair{ends.first - out, ends.second - out};
    });
    visit(
        [&](auto, auto b, auto out) { return histogram(policy, out, out + n, 10, 0, 10, b) - b; });
    // Searches and extrema.
    visit([&](auto a, auto, auto) { return adjacent_find(policy, a, a + n) - a; });
    visit([&](auto a, auto, auto) { return count(policy, a, a + n, 3); });
    visit([&](auto a, auto b, auto) { return equal(policy, a, a + n, b); });
    visit([&](auto a, auto b, auto) {
        return std::pair{find_end(policy, a, a + n, b, b + 2) - a,
                         search(policy, a, a + n, b, b + 2) - a};
    });
    visit([&](auto a, auto, auto) { return search_n(policy, a, a + n, 3, 5) - a; });
    visit([&](auto a, auto, auto out) {
        return std::pair{is_sorted_until(policy, a, a + n) - a,
                         is_heap_until(policy, out, out + n) - out};
    });
    visit([&](auto a, auto b, auto) {
        return std::pair{lexicographical_compare(policy, a, a + n, b, b + n),
                         mismatch(policy, a, a + n, b).first - a};
    });
    visit([&](auto a, auto b, auto out) {
        return lower_bound(policy, a, a + h, b, b + n, out) - out;
    });
    visit([&](auto, auto, auto out) {
        const auto found = minmax_element(policy, out, out + n);
        return std::pair{found.first - out, found.second - out};
    });
    // Compaction.
    visit([&](auto, auto b, auto out) {
        return copy_if(policy, b, b + n, out, is_above_four) - out;
    });
    visit([&](auto, auto, auto out) {
        const auto end = remove_if(policy, out, out + n, is_above_four);
        fill(policy, end, out + n, 0);
        return end - out;
    });
    visit([&](auto, auto, auto out) {
        return stable_partition(policy, out, out + n, is_above_four) - out;
    });
    visit([&](auto, auto, auto out) {
        const auto end = unique(policy, out, out + n);
        fill(policy, end, out + n, 0);
        return end - out;
    });
    visit([&](auto a, auto, auto out) { return unique_copy(policy, a, a + n, out) - out; });
    // Sorts.
    visit([&](auto a, auto, auto out) {
        sort(policy, out, out + n);
        stable_sort(policy, a, a + n, greater{});
        return 0;
    });
    visit([&](auto, auto b, auto out) {
        sort_by_key(policy, out, out + n, b);
        return 0;
    });
    visit([&](auto a, auto, auto out) {
        return partial_sort_copy(policy, a, a + n, out, out + h) - out;
    });
    visit([&](auto a, auto, auto) {
        inplace_merge(policy, a, a + h, a + n);
        return 0;
    });
    visit([&](auto a, auto b, auto) { return includes(policy, a, a + h, b, b + h); });
    visit([&](auto a, auto b, auto out) { return merge(policy, a, a + h, b, b + h, out) - out; });
    visit(
        [&](auto a, auto b, auto out) { return set_union(policy, a, a + h, b, b + h, out) - out; });
    visit([&](auto a, auto b, auto out) {
        return set_symmetric_difference(policy, a, a + h, b, b + h, out) - out;
    });
}

using PermutedValues = EveryExecutionPolicy;

TEST_F(PermutedValues, are_like_others_in_every_algorithm) {
    const auto seed = std::random_device{}();
    std::mt19937 random{seed};
    under_policies([&](const auto& policy, const std::string& name) {
        int number = 0;
        for_each_algorithm(policy, [&](const auto& run) {
            SCOPED_TRACE(name + ", algorithm " + std::to_string(number++) + ", seed " +
                         std::to_string(seed));
            compare(run, [](const integers& values) { return host_memory{values}; }, random);
        });
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
TEST_F(PermutedValues, in_buffers_are_like_others_in_every_algorithm) {
    const auto seed = std::random_device{}();
    std::mt19937 random{seed};
    on_every_device([&](const auto& policy) {
        int number = 0;
        for_each_algorithm(policy, [&](const auto& run) {
            SCOPED_TRACE("algorithm " + std::to_string(number++) + ", seed " +
                         std::to_string(seed));
            const auto make = [&](const integers& values) {
                return device_memory{policy.queue(), values};
            };
            compare(run, make, random);
        });
    });
}
#endif

}  // namespace
}  // namespace pointsman::test
