// SPDX-License-Identifier: Apache-2.0
// Sorts values of `out_t` stably in the order of `GOES_FIRST`, by merges of sorted runs, with work items that share
// local memory; `a_t` and `b_t` are `out_t`.
#include "merge_tile.cl"
#include "sorted_runs.cl"

// Each work group sorts one part, ITEMS * EACH values: each work item EACH of them, which they then merge.
kernel void sort_part(global const out_t* in, ulong at_in, ulong n, ulong part, global out_t* to,
                      ulong at_to) {
    const uint me = get_local_id(0);
    const ulong begin = get_group_id(0) * part;
    const uint count = min(n - begin, part);
    local ulong room[ROOM];
    local out_t* tile = (local out_t*)room;
    in += at_in + begin;
    to += at_to + begin;
    for (uint k = me; k < count; k += ITEMS) {
        tile[k] = in[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = min(me * EACH, count);
    local out_t* mine = tile + first;
    INSERT_VALUES(mine, mine, min((uint)EACH, count - first))
    for (uint width = EACH; width < ITEMS * EACH; width *= 2) {
        PAIR_OF_RUNS(uint, me * EACH, width, count);
        out_t merged[EACH];
        barrier(CLK_LOCAL_MEM_FENCE);
        pointsman_merge_each(tile + pair, size_a, tile + pair + size_a, size_b, first - pair,
                             merged);
        barrier(CLK_LOCAL_MEM_FENCE);
        FOR_EACH (k, 0, EACH) {
            tile[me * EACH + k] = merged[k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = me; k < count; k += ITEMS) {
        to[k] = tile[k];
    }
}

// Each work group writes a part of two merged runs of `width` values, a multiple of `part`.
kernel void merge_runs(global const out_t* in, ulong at_in, ulong n, ulong part, ulong width,
                       global out_t* out, ulong at_out) {
    local ulong room[ROOM];
    local ulong from_a[2];
    const ulong begin = get_group_id(0) * part;
    PAIR_OF_RUNS(ulong, begin, width, n);
    in += at_in + pair;
    pointsman_merge_tile(in, size_a, in + size_a, size_b, begin - pair, min(begin + part, n) - pair,
                         out + at_out + pair, room, from_a);
}
