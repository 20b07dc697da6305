// SPDX-License-Identifier: Apache-2.0
// What a user of oneTBB writes; only the algorithms that its loops, folds, scans and sort serve.
#include <benchmark/benchmark.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstddef>
#include <functional>

#include "library.hpp"

namespace bench::rivals {
namespace {

using range = tbb::blocked_range<std::size_t>;

template <class F>
void for_all(std::size_t size, const F& f) {
    tbb::parallel_for(range{0, size}, [&](const range& block) {
        for (std::size_t i = block.begin(); i != block.end(); ++i) {
            f(i);
        }
    });
}

/// Folds `f(i)` for all `i` below `size` by `op`.
template <class T, class F, class Op>
T folded(std::size_t size, T first, const F& f, const Op& op) {
    return tbb::parallel_reduce(
        range{0, size}, first,
        [&](const range& block, T fold) {
            for (std::size_t i = block.begin(); i != block.end(); ++i) {
                fold = op(fold, f(i));
            }
            return fold;
        },
        op);
}

void scan(arrays& of, bool is_inclusive) {
    tbb::parallel_scan(
        range{0, of.x.size()}, 0.0F,
        [&](const range& block, float sum, bool is_final) {
            for (std::size_t i = block.begin(); i != block.end(); ++i) {
                const float before = sum;
                sum += of.x[i];
                if (is_final) {
                    of.out[i] = is_inclusive ? sum : before;
                }
            }
            return sum;
        },
        std::plus<>{});
}

}  // namespace

library tbb_library() {
    const auto keep = [](auto result) { benchmark::DoNotOptimize(result); };
    return {
        "oneTBB",
        {
            {"transform",
             [](arrays& of) {
                 for_all(of.x.size(), [&](std::size_t i) { of.out[i] = 2 * of.x[i] + 1; });
             }},
            {"for_each",
             [](arrays& of) { for_all(of.out.size(), [&](std::size_t i) { of.out[i] += 1; }); }},
            {"fill",
             [](arrays& of) { for_all(of.out.size(), [&](std::size_t i) { of.out[i] = 1; }); }},
            {"count_if",
             [=](arrays& of) {
                 keep(folded(
                     of.x.size(), std::size_t{0},
                     [&](std::size_t i) -> std::size_t { return of.x[i] < 0.5F ? 1 : 0; },
                     std::plus<>{}));
             }},
            {"reduce",
             [=](arrays& of) {
                 keep(folded(
                     of.x.size(), 0.0F, [&](std::size_t i) { return of.x[i]; }, std::plus<>{}));
             }},
            {"transform_reduce",
             [=](arrays& of) {
                 keep(folded(
                     of.x.size(), 0.0F, [&](std::size_t i) { return of.x[i] * of.y[i]; },
                     std::plus<>{}));
             }},
            {"min_element",
             [=](arrays& of) {
                 keep(folded(
                     of.x.size(), std::size_t{0}, [](std::size_t i) { return i; },
                     [&](std::size_t a, std::size_t b) { return of.x[b] < of.x[a] ? b : a; }));
             }},
            {"inclusive_scan", [](arrays& of) { scan(of, true); }},
            {"exclusive_scan", [](arrays& of) { scan(of, false); }},
            {"replace_if",
             [](arrays& of) {
                 for_all(of.changed.size(), [&](std::size_t i) {
                     if (of.changed[i] < 0.5F) {
                         of.changed[i] = 1;
                     }
                 });
             },
             true},
            {"sort", [](arrays& of) { tbb::parallel_sort(of.changed.begin(), of.changed.end()); },
             true},
        },
    };
}

}  // namespace bench::rivals
