// SPDX-License-Identifier: Apache-2.0
// Sorts values of `out_t` stably in the order of `GOES_FIRST`, by merges of sorted runs; `a_t` and `b_t` are `out_t`.
#include "item_part.cl"
#include "merge_range.cl"
#include "sorted_runs.cl"

#ifndef POINTSMAN_KERNEL
#define RUN 32
#endif

// Each work item sorts one part. Each merge doubles the runs and moves them from `to` to `other`, or back.
kernel void sort_part(global const out_t* in, ulong at_in, ulong n, ulong part, global out_t* to,
                      ulong at_to, global out_t* other, ulong at_other) {
    PART_OF_ITEM(begin, end);
    in += at_in;
    to += at_to;
    other += at_other;
    for (ulong at = begin; at < end; at += RUN) {
        INSERT_VALUES(in + at, to + at, min((ulong)RUN, end - at))
    }
    for (ulong width = RUN; width < part; width *= 2) {
        for (ulong at = begin; at < end; at += 2 * width) {
            PAIR_OF_RUNS(ulong, at, width, end);
            pointsman_merge_range(to + pair, size_a, to + pair + size_a, size_b, 0, size_a + size_b,
                                  other + pair);
        }
        global out_t* const sorted = other;
        other = to;
        to = sorted;
    }
}

// Each work item writes a part of two merged runs of `width` values, a multiple of `part`.
kernel void merge_runs(global const out_t* in, ulong at_in, ulong n, ulong part, ulong width,
                       global out_t* out, ulong at_out) {
    PART_OF_ITEM(begin, end);
    PAIR_OF_RUNS(ulong, begin, width, n);
    in += at_in + pair;
    pointsman_merge_range(in, size_a, in + size_a, size_b, begin - pair, end - pair,
                          out + at_out + pair);
}
