// SPDX-License-Identifier: Apache-2.0
// The algorithms of the standard's parallel overloads, for each library that has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "library.hpp"

namespace bench::rivals {

/// The algorithms of `Calls`, whose static functions call those of a library with a parallel policy.
template <class Calls>
[[nodiscard]] std::vector<algorithm> standard_algorithms() {
    const auto is_low = [](float value) { return value < 0.5F; };
    const auto middle = [](std::vector<float>& values, std::size_t part) {
        return values.begin() + static_cast<std::ptrdiff_t>(values.size() / part);
    };
    const auto keep = [](auto result) { benchmark::DoNotOptimize(result); };
    return {
        {"transform",
         [=](arrays& of) {
             Calls::transform(of.x.begin(), of.x.end(), of.out.begin(),
                              [](float value) { return 2 * value + 1; });
         }},
        {"for_each",
         [=](arrays& of) {
             Calls::for_each(of.out.begin(), of.out.end(), [](float& value) { value += 1; });
         }},
        {"fill", [=](arrays& of) { Calls::fill(of.out.begin(), of.out.end(), 1.0F); }},
        {"count_if", [=](arrays& of) { keep(Calls::count_if(of.x.begin(), of.x.end(), is_low)); }},
        {"reduce", [=](arrays& of) { keep(Calls::reduce(of.x.begin(), of.x.end(), 0.0F)); }},
        {"transform_reduce",
         [=](arrays& of) {
             keep(Calls::transform_reduce(of.x.begin(), of.x.end(), of.y.begin(), 0.0F));
         }},
        {"min_element", [=](arrays& of) { keep(Calls::min_element(of.x.begin(), of.x.end())); }},
        {"minmax_element",
         [=](arrays& of) { keep(Calls::minmax_element(of.x.begin(), of.x.end())); }},
        {"find_if",
         [=](arrays& of) {
             keep(Calls::find_if(of.x.begin(), of.x.end(), [](float value) { return value > 2; }));
         }},
        {"equal",
         [=](arrays& of) { keep(Calls::equal(of.x.begin(), of.x.end(), of.same.begin())); }},
        {"is_sorted",
         [=](arrays& of) { keep(Calls::is_sorted(of.first.begin(), of.first.end())); }},
        {"inclusive_scan",
         [=](arrays& of) { Calls::inclusive_scan(of.x.begin(), of.x.end(), of.out.begin()); }},
        {"exclusive_scan",
         [=](arrays& of) {
             Calls::exclusive_scan(of.x.begin(), of.x.end(), of.out.begin(), 0.0F);
         }},
        {"adjacent_difference",
         [=](arrays& of) { Calls::adjacent_difference(of.x.begin(), of.x.end(), of.out.begin()); }},
        {"copy_if",
         [=](arrays& of) {
             keep(Calls::copy_if(of.x.begin(), of.x.end(), of.out.begin(), is_low));
         }},
        {"unique_copy",
         [=](arrays& of) {
             keep(Calls::unique_copy(of.first.begin(), of.first.end(), of.out.begin()));
         }},
        {"merge",
         [=](arrays& of) {
             Calls::merge(of.first.begin(), of.first.end(), of.second.begin(), of.second.end(),
                          of.out.begin());
         }},
        {"set_union",
         [=](arrays& of) {
             keep(Calls::set_union(of.first.begin(), of.first.end(), of.second.begin(),
                                   of.second.end(), of.out.begin()));
         }},
        {"includes",
         [=](arrays& of) {
             keep(
                 Calls::includes(of.first.begin(), of.first.end(), of.half.begin(), of.half.end()));
         }},
        {"reverse", [=](arrays& of) { Calls::reverse(of.changed.begin(), of.changed.end()); }},
        {"rotate",
         [=](arrays& of) {
             Calls::rotate(of.changed.begin(), middle(of.changed, 3), of.changed.end());
         }},
        {"replace_if",
         [=](arrays& of) { Calls::replace_if(of.changed.begin(), of.changed.end(), is_low, 1.0F); },
         true},
        {"partition",
         [=](arrays& of) { keep(Calls::partition(of.changed.begin(), of.changed.end(), is_low)); },
         true},
        {"stable_partition",
         [=](arrays& of) {
             keep(Calls::stable_partition(of.changed.begin(), of.changed.end(), is_low));
         },
         true},
        {"nth_element",
         [=](arrays& of) {
             Calls::nth_element(of.changed.begin(), middle(of.changed, 2), of.changed.end());
         },
         true},
        {"partial_sort",
         [=](arrays& of) {
             Calls::partial_sort(of.changed.begin(), middle(of.changed, 10), of.changed.end());
         },
         true},
        {"sort", [=](arrays& of) { Calls::sort(of.changed.begin(), of.changed.end()); }, true},
        {"stable_sort",
         [=](arrays& of) { Calls::stable_sort(of.changed.begin(), of.changed.end()); }, true},
    };
}

// Defines a class of calls of the functions that a library has in the namespace `space` under the policy `par`.
#define BENCH_RIVALS_CALL(space, par, name)               \
    template <class... Arguments>                         \
    static decltype(auto) name(Arguments... arguments) {  \
        return space::name(par, std::move(arguments)...); \
    }
#define BENCH_RIVALS_CALLS(type, space, par)               \
    struct type {                                          \
        BENCH_RIVALS_CALL(space, par, transform)           \
        BENCH_RIVALS_CALL(space, par, for_each)            \
        BENCH_RIVALS_CALL(space, par, fill)                \
        BENCH_RIVALS_CALL(space, par, count_if)            \
        BENCH_RIVALS_CALL(space, par, reduce)              \
        BENCH_RIVALS_CALL(space, par, transform_reduce)    \
        BENCH_RIVALS_CALL(space, par, min_element)         \
        BENCH_RIVALS_CALL(space, par, minmax_element)      \
        BENCH_RIVALS_CALL(space, par, find_if)             \
        BENCH_RIVALS_CALL(space, par, equal)               \
        BENCH_RIVALS_CALL(space, par, is_sorted)           \
        BENCH_RIVALS_CALL(space, par, inclusive_scan)      \
        BENCH_RIVALS_CALL(space, par, exclusive_scan)      \
        BENCH_RIVALS_CALL(space, par, adjacent_difference) \
        BENCH_RIVALS_CALL(space, par, copy_if)             \
        BENCH_RIVALS_CALL(space, par, unique_copy)         \
        BENCH_RIVALS_CALL(space, par, merge)               \
        BENCH_RIVALS_CALL(space, par, set_union)           \
        BENCH_RIVALS_CALL(space, par, includes)            \
        BENCH_RIVALS_CALL(space, par, reverse)             \
        BENCH_RIVALS_CALL(space, par, rotate)              \
        BENCH_RIVALS_CALL(space, par, replace_if)          \
        BENCH_RIVALS_CALL(space, par, partition)           \
        BENCH_RIVALS_CALL(space, par, stable_partition)    \
        BENCH_RIVALS_CALL(space, par, nth_element)         \
        BENCH_RIVALS_CALL(space, par, partial_sort)        \
        BENCH_RIVALS_CALL(space, par, sort)                \
        BENCH_RIVALS_CALL(space, par, stable_sort)         \
    }

}  // namespace bench::rivals
