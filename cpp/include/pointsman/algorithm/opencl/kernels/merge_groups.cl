// SPDX-License-Identifier: Apache-2.0
// Merges two sorted arrays, of `a_t` and `b_t`, into one of `out_t`, in the order of `GOES_FIRST`, with work items
// that share local memory.
#include "merge_tile.cl"

// Each work group writes one part of the output, ITEMS * EACH values.
kernel void merge_part(global const a_t* a, ulong at_a, global const b_t* b, ulong at_b,
                       ulong size_a, ulong size_b, ulong n, ulong part, global out_t* out,
                       ulong at_out) {
    local ulong room[ROOM];
    local ulong from_a[2];
    const ulong begin = get_group_id(0) * part;
    pointsman_merge_tile(a + at_a, size_a, b + at_b, size_b, begin, min(begin + part, n),
                         out + at_out, room, from_a);
}
