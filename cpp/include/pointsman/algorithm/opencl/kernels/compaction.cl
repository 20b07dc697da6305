// SPDX-License-Identifier: Apache-2.0
// Copies the values of an array for which `IS_KEPT` holds to an array of `out_t`, in their order.
#include "item_part.cl"

#ifndef POINTSMAN_KERNEL
#define in_t float
#define out_t float
#define PARAMETERS global const in_t *x0, ulong at_x0,
#define IS_KEPT(i) (x0[at_x0 + (i)] > 0)
#define MOVED(value) value
#endif

kernel void count_kept(PARAMETERS ulong n, ulong part, global ulong* counts) {
    PART_OF_ITEM(begin, end);
    ulong kept = 0;
    for (ulong i = begin; i < end; ++i) {
        kept += IS_KEPT(i) ? 1 : 0;
    }
    counts[get_global_id(0)] = kept;
}

// `ends` has the scanned counts: the index in the output at which the values of each part end.
kernel void write_kept(PARAMETERS ulong n, ulong part, global const ulong* ends, global out_t* out,
                       ulong at_out) {
    const ulong begin = get_global_id(0) * part;
    if (begin >= n) {
        return;
    }
    ulong to = begin == 0 ? 0 : ends[get_global_id(0) - 1];
    const ulong past = ends[get_global_id(0)];
    // No branch, as no CPU could predict it: the next value overwrites one that is not kept.
    for (ulong i = begin; to < past; ++i) {
        out[at_out + to] = MOVED(x0[at_x0 + i]);
        to += IS_KEPT(i) ? 1 : 0;
    }
}
