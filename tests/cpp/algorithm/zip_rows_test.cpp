// SPDX-License-Identifier: Apache-2.0
// Algorithms return the same for a zip_iterator as for tuples that lie in memory.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/adjacent_difference.hpp"
#include "pointsman/algorithm/adjacent_find.hpp"
#include "pointsman/algorithm/all_of.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/count.hpp"
#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/equal.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/exclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/find.hpp"
#include "pointsman/algorithm/find_end.hpp"
#include "pointsman/algorithm/find_first_of.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/generate.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/includes.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/inclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/inplace_merge.hpp"
#include "pointsman/algorithm/is_heap_until.hpp"
#include "pointsman/algorithm/is_partitioned.hpp"
#include "pointsman/algorithm/is_sorted_until.hpp"
#include "pointsman/algorithm/lexicographical_compare.hpp"
#include "pointsman/algorithm/lower_bound.hpp"
#include "pointsman/algorithm/max_element.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/minmax_element.hpp"
#include "pointsman/algorithm/mismatch.hpp"
#include "pointsman/algorithm/none_of.hpp"
#include "pointsman/algorithm/partial_sort_copy.hpp"
#include "pointsman/algorithm/partition_copy.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/reduce_by_segment.hpp"
#include "pointsman/algorithm/remove_if.hpp"
#include "pointsman/algorithm/replace.hpp"
#include "pointsman/algorithm/replace_if.hpp"
#include "pointsman/algorithm/reverse.hpp"
#include "pointsman/algorithm/rotate.hpp"
#include "pointsman/algorithm/search.hpp"
#include "pointsman/algorithm/search_n.hpp"
#include "pointsman/algorithm/set_union.hpp"
#include "pointsman/algorithm/shift_left.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_partition.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "pointsman/algorithm/swap_ranges.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "pointsman/algorithm/unique.hpp"
#include "pointsman/algorithm/unique_copy.hpp"
#include "pointsman/algorithm/zip_iterator.hpp"
#include "zipped_rows.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/resource/opencl/buffer.hpp"
#endif

namespace pointsman::test {
namespace {

/// Columns of a table, of types `Ts`, in host memory.
template <class... Ts>
class host_columns {
  public:
    explicit host_columns(const std::vector<std::tuple<Ts...>>& rows) {
        for (const auto& row : rows) {
            add(row, std::index_sequence_for<Ts...>{});
        }
    }
    auto begin() {
        return std::apply([](auto&... each) { return zip_iterator{each.begin()...}; }, columns_);
    }
    auto& first() { return std::get<0>(columns_); }
    [[nodiscard]] std::vector<std::tuple<Ts...>> read() const {
        std::vector<std::tuple<Ts...>> rows;
        for (std::size_t i = 0; i < std::get<0>(columns_).size(); ++i) {
            rows.push_back(
                std::apply([&](const auto&... each) { return std::tuple{each[i]...}; }, columns_));
        }
        return rows;
    }

  private:
    template <std::size_t... Is>
    void add(const std::tuple<Ts...>& row, std::index_sequence<Is...>) {
        (std::get<Is>(columns_).push_back(std::get<Is>(row)), ...);
    }

    std::tuple<std::vector<Ts>...> columns_;
};

#ifndef POINTSMAN_WITHOUT_OPENCL
/// Columns of a table: the first in host memory, the others in buffers.
template <class T, class... Ts>
class mixed_columns {
  public:
    mixed_columns(const opencl::queue& queue, const std::vector<std::tuple<T, Ts...>>& rows)
        : queue_{queue},
          size_{rows.size()},
          columns_{opencl::buffer<Ts>{queue, rows.size() + 1}...} {
        for (const auto& row : rows) {
            first_.push_back(std::get<0>(row));
        }
        write(rows, std::index_sequence_for<Ts...>{});
    }
    auto begin() {
        return std::apply(
            [&](auto&... each) { return zip_iterator{first_.begin(), pointsman::begin(each)...}; },
            columns_);
    }
    [[nodiscard]] std::vector<std::tuple<T, Ts...>> read() const {
        const auto others = std::apply(
            [&](const auto&... each) { return std::tuple{read_column(each)...}; }, columns_);
        std::vector<std::tuple<T, Ts...>> rows;
        for (std::size_t i = 0; i < size_; ++i) {
            const auto row = [&](const auto&... each) { return std::tuple{first_[i], each[i]...}; };
            rows.push_back(std::apply(row, others));
        }
        return rows;
    }

  private:
    template <std::size_t... Is>
    void write(const std::vector<std::tuple<T, Ts...>>& rows, std::index_sequence<Is...>) {
        const auto write_one = [&]<std::size_t I, class Column>(
                                   std::integral_constant<std::size_t, I>,
                                   opencl::buffer<Column>& column) {
            std::vector<Column> values(rows.size() + 1);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                values[i] = std::get<I + 1>(rows[i]);
            }
            column.write(queue_, values);
        };
        (write_one(std::integral_constant<std::size_t, Is>{}, std::get<Is>(columns_)), ...);
    }
    template <class Column>
    std::vector<Column> read_column(const opencl::buffer<Column>& column) const {
        std::vector<Column> values(size_ + 1);
        column.read(queue_, values);
        return values;
    }

    opencl::queue queue_;
    std::size_t size_;
    std::vector<T> first_;
    std::tuple<opencl::buffer<Ts>...> columns_;
};
#endif

template <class Row>
std::vector<Row> random_rows(std::size_t size, std::mt19937& random) {
    std::vector<Row> rows(size);
    for (Row& row : rows) {
        row = zipped_row(static_cast<int>(random() % 4), static_cast<int>(random() % 5),
                         static_cast<int>(random() % 6));
    }
    std::sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(size / 2));
    std::sort(rows.begin() + static_cast<std::ptrdiff_t>(size / 2), rows.end());
    return rows;
}

/// Calls `visit(run)` for functions `run(policy, first, second, out, weights)` that call an algorithm with three
/// ranges of `n` rows and one of as many numbers.
template <class Row, class Visit>
void for_each_zip_algorithm(std::ptrdiff_t n, const Visit& visit) {
    const std::ptrdiff_t h = n / 2;
    const Row sought = zipped_row(1, 2, 3);
    const Row low = zipped_row(0, 0, 7);
    // Elementwise.
    visit([&](const auto& policy, auto a, auto, auto, auto w) {
        return transform(policy, a, a + n, w, weight_of_row) - w;
    });
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        return transform(policy, a, a + n, out, turned_row) - out;
    });
    visit([&](const auto& policy, auto a, auto, auto, auto) {
        return transform(policy, a, a + n, a, turned_row) - a;
    });
    visit([&](const auto& policy, auto a, auto b, auto out, auto) {
        return transform(policy, a, a + n, b, out, outer_fields) - out;
    });
    visit([&](const auto& policy, auto, auto, auto out, auto w) {
        return transform(policy, w, w + n, out, row_of_weight) - out;
    });
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        for_each(policy, a, a + n, shift_row);
        return copy(policy, a, a + n, out) - out;
    });
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        replace_if(policy, a, a + n, is_heavy_row, low);
        replace(policy, out, out + n, sought, low);
        return 0;
    });
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        fill(policy, a, a + h, sought);
        generate(policy, out, out + n, constant_row);
        return 0;
    });
    visit([&](const auto& policy, auto a, auto b, auto out, auto) {
        reverse(policy, a, a + n);
        swap_ranges(policy, b, b + n, out);
        return rotate(policy, out, out + h, out + n) - out;
    });
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        fill(policy, shift_left(policy, a, a + n, 3), a + n, sought);
        return adjacent_difference(policy, a, a + n, out, outer_fields) - out;
    });
    // Reductions and scans.
    visit([&](const auto& policy, auto a, auto, auto, auto) {
        return std::pair{reduce(policy, a, a + n, low, greatest_fields),
                         Row(reduce(policy, a, a + n, zipped_row(1, 2, 3), greatest_fields))};
    });
    visit([&](const auto& policy, auto a, auto b, auto, auto) {
        return std::pair{transform_reduce(policy, a, a + n, 1.0f, maximum{}, weight_of_row),
                         transform_reduce(policy, a, a + n, b, low, greatest_fields, outer_fields)};
    });
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        return inclusive_scan(policy, a, a + n, out, greatest_fields, low) - out;
    });
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        return exclusive_scan(policy, a, a + n, out, sought, outer_fields) - out;
    });
    visit([&](const auto& policy, auto a, auto, auto, auto w) {
        return transform_inclusive_scan(policy, a, a + n, w, maximum{}, weight_of_row) - w;
    });
    visit([&](const auto& policy, auto a, auto b, auto out, auto) {
        return exclusive_scan_by_segment(policy, a, a + n, b, out, sought, have_equal_keys,
                                         outer_fields) -
               out;
    });
    visit([&](const auto& policy, auto a, auto b, auto out, auto) {
        return inclusive_scan_by_segment(policy, a, a + n, b, out, have_equal_keys, outer_fields) -
               out;
    });
    visit([&](const auto& policy, auto a, auto b, auto out, auto) {
        fill(policy, out, out + n, sought);
        const auto ends =
            reduce_by_segment(policy, a, a + h, b, out, out + h, equal_to{}, greatest_fields);
        return std::pair{ends.first - out, ends.second - out};
    });
    // Searches and extrema.
    visit([&](const auto& policy, auto a, auto, auto, auto) {
        return std::tuple{
            count_if(policy, a, a + n, is_heavy_row),    count(policy, a, a + n, sought),
            find_if(policy, a, a + n, is_heavy_row) - a, find(policy, a, a + n, sought) - a,
            all_of(policy, a, a + n, is_heavy_row),      none_of(policy, a, a + n, is_heavy_row)};
    });
    visit([&](const auto& policy, auto a, auto b, auto, auto) {
        return std::tuple{equal(policy, a, a + n, b), equal(policy, a, a + n, b, have_equal_keys),
                          equal(policy, a, a + n, a), mismatch(policy, a, a + n, b).first - a,
                          lexicographical_compare(policy, a, a + n, b, b + n)};
    });
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        return std::tuple{adjacent_find(policy, a, a + n) - a,
                          is_sorted_until(policy, a, a + n) - a,
                          is_sorted_until(policy, out, out + n, row_is_less) - out,
                          is_heap_until(policy, out, out + n) - out,
                          is_partitioned(policy, a, a + n, is_heavy_row)};
    });
    visit([&](const auto& policy, auto a, auto b, auto, auto) {
        const std::ptrdiff_t few = std::min<std::ptrdiff_t>(n, 2);
        return std::tuple{search(policy, a, a + n, b, b + few) - a,
                          find_end(policy, a, a + n, b, b + few, have_equal_keys) - a,
                          find_first_of(policy, a, a + n, b, b + few) - a,
                          search_n(policy, a, a + n, 2, sought) - a};
    });
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        const auto both = minmax_element(policy, out, out + n, row_is_less);
        return std::tuple{max_element(policy, a, a + n) - a, both.first - out, both.second - out};
    });
    visit([&](const auto& policy, auto a, auto b, auto, auto w) {
        return lower_bound(policy, a, a + h, b, b + n, w) - w;
    });
    // Compaction.
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        return copy_if(policy, a, a + n, out, is_heavy_row) - out;
    });
    visit([&](const auto& policy, auto a, auto b, auto out, auto) {
        const auto ends = partition_copy(policy, a, a + n, out, b, is_heavy_row);
        return std::pair{ends.first - out, ends.second - b};
    });
    visit([&](const auto& policy, auto a, auto, auto out, auto) {
        fill(policy, remove_if(policy, out, out + n, is_heavy_row), out + n, low);
        return stable_partition(policy, a, a + n, is_heavy_row) - a;
    });
    visit([&](const auto& policy, auto a, auto b, auto out, auto) {
        fill(policy, unique(policy, a, a + n, have_equal_keys), a + n, low);
        return unique_copy(policy, b, b + n, out) - out;
    });
    // Merges and sets.
    visit([&](const auto& policy, auto a, auto b, auto out, auto) {
        inplace_merge(policy, a, a + h, a + n);
        return merge(policy, b, b + h, b + h, b + n, out) - out;
    });
    visit([&](const auto& policy, auto a, auto b, auto out, auto) {
        return std::pair{set_union(policy, a, a + h, b, b + h, out) - out,
                         includes(policy, a, a + h, b, b + h, row_is_less)};
    });
    // Sorts.
    visit([&](const auto& policy, auto a, auto, auto out, auto w) {
        sort_by_key(policy, w, w + n, a);
        sort(policy, out, out + n, greater{});
        return 0;
    });
    visit([&](const auto& policy, auto a, auto b, auto out, auto w) {
        sort_by_key(policy, a, a + n, w, row_is_less);
        stable_sort(policy, out, out + n, row_is_less);
        return partial_sort_copy(policy, out, out + n, b, b + h) - b;
    });
}

/// Compares what algorithms do under `policy` with the columns that `make` returns, and with rows in memory.
template <class Row, class P, class Make>
void compare_zipped(const P& policy, const Make& make) {
    const auto seed = std::random_device{}();
    std::mt19937 random{seed};
    for (const std::size_t size : moderate_sizes) {
        const auto all_a = random_rows<Row>(size, random);
        const auto all_b = random_rows<Row>(size, random);
        auto all_out = random_rows<Row>(size, random);
        std::ranges::shuffle(all_out, random);
        std::vector<float> all_weights(size);
        std::ranges::generate(all_weights, [&] { return static_cast<float>(random() % 9); });
        int number = 0;
        for_each_zip_algorithm<Row>(static_cast<std::ptrdiff_t>(size), [&](const auto& run) {
            SCOPED_TRACE("algorithm " + std::to_string(number++) + ", size " +
                         std::to_string(size) + ", seed " + std::to_string(seed));
            auto a = all_a;
            auto b = all_b;
            auto out = all_out;
            auto weights = all_weights;
            auto zipped_a = make(a);
            auto zipped_b = make(b);
            auto zipped_out = make(out);
            auto zipped_weights = weights;
            const auto result = run(policy, zipped_a.begin(), zipped_b.begin(), zipped_out.begin(),
                                    zipped_weights.begin());
            EXPECT_EQ(result,
                      run(execution::seq, a.begin(), b.begin(), out.begin(), weights.begin()));
            EXPECT_TRUE(zipped_a.read() == a);
            EXPECT_TRUE(zipped_b.read() == b);
            EXPECT_TRUE(zipped_out.read() == out);
            EXPECT_EQ(zipped_weights, weights);
        });
    }
}

using ZippedRows = ParallelAndDevicePolicies;
// Each kind of memory has rows of its own types, since hundreds of programs are built for each type of row.
using rows_in_host_memory = std::tuple<std::int32_t, float, std::int16_t>;
#ifdef POINTSMAN_HAS_HALF
using rows_in_buffers = std::tuple<std::uint8_t, double, half>;
#else
using rows_in_buffers = std::tuple<std::uint8_t, double, std::int16_t>;
#endif

template <class... Ts>
host_columns<Ts...> in_host_memory(const std::vector<std::tuple<Ts...>>& rows) {
    return host_columns<Ts...>{rows};
}

TEST_F(ZippedRows, are_like_rows_in_memory_in_every_algorithm) {
    under_policies([](const auto& policy, const std::string& name) {
        SCOPED_TRACE(name);
        compare_zipped<rows_in_host_memory>(policy,
                                            [](const auto& rows) { return in_host_memory(rows); });
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <class... Ts>
mixed_columns<Ts...> in_buffers(const opencl::queue& queue,
                                const std::vector<std::tuple<Ts...>>& rows) {
    return mixed_columns<Ts...>{queue, rows};
}

TEST_F(ZippedRows, in_buffers_are_like_rows_in_memory_in_every_algorithm) {
    on_every_device([](const auto& policy) {
        compare_zipped<rows_in_buffers>(
            policy, [&](const auto& rows) { return in_buffers(policy.queue(), rows); });
    });
}
#endif

}  // namespace
}  // namespace pointsman::test
