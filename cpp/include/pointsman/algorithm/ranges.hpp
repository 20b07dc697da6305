// SPDX-License-Identifier: Apache-2.0
// The algorithms for whole ranges: containers, spans, views and device buffers instead of pairs of iterators.
#pragma once

#include "pointsman/algorithm/adjacent_difference.hpp"
#include "pointsman/algorithm/adjacent_find.hpp"
#include "pointsman/algorithm/all_of.hpp"
#include "pointsman/algorithm/any_of.hpp"
#include "pointsman/algorithm/binary_search.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/count.hpp"
#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/destroy.hpp"
#include "pointsman/algorithm/detail/range_algorithm.hpp"
#include "pointsman/algorithm/equal.hpp"
#include "pointsman/algorithm/exclusive_scan.hpp"
#include "pointsman/algorithm/exclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/find.hpp"
#include "pointsman/algorithm/find_end.hpp"
#include "pointsman/algorithm/find_first_of.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/find_if_not.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/generate.hpp"
#include "pointsman/algorithm/histogram.hpp"
#include "pointsman/algorithm/includes.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/inclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/inplace_merge.hpp"
#include "pointsman/algorithm/is_heap.hpp"
#include "pointsman/algorithm/is_heap_until.hpp"
#include "pointsman/algorithm/is_partitioned.hpp"
#include "pointsman/algorithm/is_sorted.hpp"
#include "pointsman/algorithm/is_sorted_until.hpp"
#include "pointsman/algorithm/lexicographical_compare.hpp"
#include "pointsman/algorithm/lower_bound.hpp"
#include "pointsman/algorithm/max_element.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/min_element.hpp"
#include "pointsman/algorithm/minmax_element.hpp"
#include "pointsman/algorithm/mismatch.hpp"
#include "pointsman/algorithm/move.hpp"
#include "pointsman/algorithm/none_of.hpp"
#include "pointsman/algorithm/nth_element.hpp"
#include "pointsman/algorithm/partial_sort.hpp"
#include "pointsman/algorithm/partial_sort_copy.hpp"
#include "pointsman/algorithm/partition.hpp"
#include "pointsman/algorithm/partition_copy.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/reduce_by_segment.hpp"
#include "pointsman/algorithm/remove.hpp"
#include "pointsman/algorithm/remove_copy.hpp"
#include "pointsman/algorithm/remove_copy_if.hpp"
#include "pointsman/algorithm/remove_if.hpp"
#include "pointsman/algorithm/replace.hpp"
#include "pointsman/algorithm/replace_copy.hpp"
#include "pointsman/algorithm/replace_copy_if.hpp"
#include "pointsman/algorithm/replace_if.hpp"
#include "pointsman/algorithm/reverse.hpp"
#include "pointsman/algorithm/reverse_copy.hpp"
#include "pointsman/algorithm/rotate.hpp"
#include "pointsman/algorithm/rotate_copy.hpp"
#include "pointsman/algorithm/search.hpp"
#include "pointsman/algorithm/search_n.hpp"
#include "pointsman/algorithm/set_difference.hpp"
#include "pointsman/algorithm/set_intersection.hpp"
#include "pointsman/algorithm/set_symmetric_difference.hpp"
#include "pointsman/algorithm/set_union.hpp"
#include "pointsman/algorithm/shift_left.hpp"
#include "pointsman/algorithm/shift_right.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_partition.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "pointsman/algorithm/swap_ranges.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/algorithm/transform_exclusive_scan.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"
#include "pointsman/algorithm/uninitialized_copy.hpp"
#include "pointsman/algorithm/uninitialized_default_construct.hpp"
#include "pointsman/algorithm/uninitialized_fill.hpp"
#include "pointsman/algorithm/uninitialized_move.hpp"
#include "pointsman/algorithm/uninitialized_value_construct.hpp"
#include "pointsman/algorithm/unique.hpp"
#include "pointsman/algorithm/unique_copy.hpp"
#include "pointsman/algorithm/upper_bound.hpp"

/// Defines `ranges::name_`, which calls the algorithm `name_` with iterators of ranges in the given shape.
#define POINTSMAN_OF_RANGES(name_, shape_)                                                  \
    namespace detail {                                                                      \
    struct name_##_of_iterators {                                                           \
        template <class... Args>                                                            \
        auto operator()(const Args&... args) const -> decltype(pointsman::name_(args...)) { \
            return pointsman::name_(args...);                                               \
        }                                                                                   \
    };                                                                                      \
    using name_##_of_ranges = range_algorithm<name_##_of_iterators, range_shape::shape_>;   \
    }                                                                                       \
    namespace ranges {                                                                      \
    inline constexpr detail::name_##_of_ranges name_{};                                     \
    }                                                                                       \
    static_assert(true)

/// The algorithms of `pointsman` for whole ranges, under every execution policy.
///
/// The first argument after the policy is a range: a container, a span, another forward range whose `begin` and
/// `end` have the same type, or an `opencl::buffer`. The other arguments are those of the algorithm that takes
/// iterators, an output as the iterator at its beginning. Results are those of that algorithm, too.
///
/// An algorithm of two ranges, such as `equal` or `merge`, takes the second one whole, and `partial_sort_copy`
/// its output. One that reads or swaps the values of two ranges pair by pair, such as `transform` or
/// `sort_by_key`, takes a range or an iterator as the second; **Throws** `invalid_option` if the second range is
/// shorter. `rotate`, `rotate_copy`, `partial_sort`, `nth_element` and `inplace_merge` take the iterator in the
/// middle after the range.
/// **Example**: `const double sum = pointsman::ranges::reduce(pointsman::execution::par, x, 0.0);`
namespace pointsman::ranges {}

namespace pointsman {

POINTSMAN_OF_RANGES(adjacent_difference, one);
POINTSMAN_OF_RANGES(adjacent_find, one);
POINTSMAN_OF_RANGES(all_of, one);
POINTSMAN_OF_RANGES(any_of, one);
POINTSMAN_OF_RANGES(copy, one);
POINTSMAN_OF_RANGES(copy_if, one);
POINTSMAN_OF_RANGES(count, one);
POINTSMAN_OF_RANGES(count_if, one);
POINTSMAN_OF_RANGES(destroy, one);
POINTSMAN_OF_RANGES(exclusive_scan, one);
POINTSMAN_OF_RANGES(fill, one);
POINTSMAN_OF_RANGES(find, one);
POINTSMAN_OF_RANGES(find_if, one);
POINTSMAN_OF_RANGES(find_if_not, one);
POINTSMAN_OF_RANGES(for_each, one);
POINTSMAN_OF_RANGES(generate, one);
POINTSMAN_OF_RANGES(histogram, one);
POINTSMAN_OF_RANGES(inclusive_scan, one);
POINTSMAN_OF_RANGES(is_heap, one);
POINTSMAN_OF_RANGES(is_heap_until, one);
POINTSMAN_OF_RANGES(is_partitioned, one);
POINTSMAN_OF_RANGES(is_sorted, one);
POINTSMAN_OF_RANGES(is_sorted_until, one);
POINTSMAN_OF_RANGES(max_element, one);
POINTSMAN_OF_RANGES(min_element, one);
POINTSMAN_OF_RANGES(minmax_element, one);
POINTSMAN_OF_RANGES(move, one);
POINTSMAN_OF_RANGES(none_of, one);
POINTSMAN_OF_RANGES(partition, one);
POINTSMAN_OF_RANGES(partition_copy, one);
POINTSMAN_OF_RANGES(reduce, one);
POINTSMAN_OF_RANGES(remove, one);
POINTSMAN_OF_RANGES(remove_copy, one);
POINTSMAN_OF_RANGES(remove_copy_if, one);
POINTSMAN_OF_RANGES(remove_if, one);
POINTSMAN_OF_RANGES(replace, one);
POINTSMAN_OF_RANGES(replace_copy, one);
POINTSMAN_OF_RANGES(replace_copy_if, one);
POINTSMAN_OF_RANGES(replace_if, one);
POINTSMAN_OF_RANGES(reverse, one);
POINTSMAN_OF_RANGES(reverse_copy, one);
POINTSMAN_OF_RANGES(search_n, one);
POINTSMAN_OF_RANGES(shift_left, one);
POINTSMAN_OF_RANGES(shift_right, one);
POINTSMAN_OF_RANGES(sort, one);
POINTSMAN_OF_RANGES(stable_partition, one);
POINTSMAN_OF_RANGES(stable_sort, one);
POINTSMAN_OF_RANGES(transform_exclusive_scan, one);
POINTSMAN_OF_RANGES(transform_inclusive_scan, one);
POINTSMAN_OF_RANGES(uninitialized_copy, one);
POINTSMAN_OF_RANGES(uninitialized_default_construct, one);
POINTSMAN_OF_RANGES(uninitialized_fill, one);
POINTSMAN_OF_RANGES(uninitialized_move, one);
POINTSMAN_OF_RANGES(uninitialized_value_construct, one);
POINTSMAN_OF_RANGES(unique, one);
POINTSMAN_OF_RANGES(unique_copy, one);
POINTSMAN_OF_RANGES(transform, pairwise);
POINTSMAN_OF_RANGES(transform_reduce, pairwise_reduced);
POINTSMAN_OF_RANGES(sort_by_key, pairwise);
POINTSMAN_OF_RANGES(reduce_by_segment, pairwise);
POINTSMAN_OF_RANGES(inclusive_scan_by_segment, pairwise);
POINTSMAN_OF_RANGES(exclusive_scan_by_segment, pairwise);
POINTSMAN_OF_RANGES(swap_ranges, pairwise_returned);
POINTSMAN_OF_RANGES(equal, two);
POINTSMAN_OF_RANGES(mismatch, two_returned);
POINTSMAN_OF_RANGES(lexicographical_compare, two);
POINTSMAN_OF_RANGES(search, two);
POINTSMAN_OF_RANGES(find_end, two);
POINTSMAN_OF_RANGES(find_first_of, two);
POINTSMAN_OF_RANGES(includes, two);
POINTSMAN_OF_RANGES(merge, two);
POINTSMAN_OF_RANGES(set_difference, two);
POINTSMAN_OF_RANGES(set_intersection, two);
POINTSMAN_OF_RANGES(set_symmetric_difference, two);
POINTSMAN_OF_RANGES(set_union, two);
POINTSMAN_OF_RANGES(lower_bound, two);
POINTSMAN_OF_RANGES(upper_bound, two);
POINTSMAN_OF_RANGES(binary_search, two);
POINTSMAN_OF_RANGES(partial_sort_copy, two_returned);
POINTSMAN_OF_RANGES(partial_sort, around_middle);
POINTSMAN_OF_RANGES(nth_element, around_middle);
POINTSMAN_OF_RANGES(inplace_merge, around_middle);
POINTSMAN_OF_RANGES(rotate, around_middle);
POINTSMAN_OF_RANGES(rotate_copy, around_middle);

}  // namespace pointsman

#undef POINTSMAN_OF_RANGES
