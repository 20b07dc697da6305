// SPDX-License-Identifier: Apache-2.0
// Copies the values of an array for which `IS_KEPT` holds to an array of `out_t`, in their order, with work items
// that share local memory. Neighbouring work items read, and later write, neighbouring values.
#include "item_sums.cl"

#ifndef POINTSMAN_KERNEL
#define in_t float
#define out_t float
#define PARAMETERS global const in_t *x0, ulong at_x0,
#define IS_KEPT(i) (x0[at_x0 + (i)] > 0)
#define MOVED(value) value
#define EACH 16
#endif
#define TILE (ITEMS * EACH)

// Counts the kept values of each part, which is the tile of a work group.
kernel void count_kept(PARAMETERS ulong n, ulong part, global ulong* counts) {
    const uint me = get_local_id(0);
    const ulong base = get_group_id(0) * part;
    local uint sums[2 * ITEMS];
    uint kept = 0;
    FOR_EACH (k, 0, EACH) {
        const ulong i = base + k * ITEMS + me;
        kept += i < n ? (IS_KEPT(i) ? 1 : 0) : 0;
    }
    const uint all = pointsman_sum_up_to_item(kept, sums);
    if (me == ITEMS - 1) {
        counts[get_group_id(0)] = all;
    }
}

// `ends` has the scanned counts: the index in the output at which the values of each part end.
kernel void write_kept(PARAMETERS ulong n, ulong part, global const ulong* ends, global out_t* out,
                       ulong at_out) {
    const uint me = get_local_id(0);
    const ulong group = get_group_id(0), base = group * part;
    const ulong to = group == 0 ? 0 : ends[group - 1];
    local uint sums[2 * ITEMS];
    local uchar is_kept[TILE];
    local ushort kept[TILE];  // their positions in the tile
    FOR_EACH (k, 0, EACH) {
        const ulong i = base + k * ITEMS + me;
        is_kept[k * ITEMS + me] = i < n ? (IS_KEPT(i) ? 1 : 0) : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint own = 0;
    FOR_EACH (k, 0, EACH) {
        own += is_kept[me * EACH + k];
    }
    uint next = pointsman_sum_up_to_item(own, sums) - own;
    FOR_EACH (k, 0, EACH) {
        if (is_kept[me * EACH + k]) {
            kept[next] = me * EACH + k;
            ++next;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint count = ends[group] - to;
    for (uint j = me; j < count; j += ITEMS) {
        out[at_out + to + j] = MOVED(x0[at_x0 + base + kept[j]]);
    }
}
