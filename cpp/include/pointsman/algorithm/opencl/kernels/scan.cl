// SPDX-License-Identifier: Apache-2.0
// Scans `TRANSFORM` of values of `in_t` by `COMBINE` to `out_t`, with work items that share local memory.
// Each work group scans one part of the array, tile by tile. Values are read twice and written once.
#include "scan_tile.cl"

// Folds the part of each work group; the last has no part after it, and does nothing.
kernel void fold_parts(global const in_t* x, ulong at_x, ulong n, ulong part, local sum_t* tile,
                       local sum_t* sums, global sum_t* folds) {
    const ulong first = get_group_id(0) * part, past = first + part;
    if (past >= n) {
        return;
    }
    x += at_x;
    sum_t carry = {0};
    for (ulong base = first; base < past; base += TILE) {
        in_t values[EACH];
        pointsman_load(x + base, TILE, values);
        pointsman_fill_tile(values, tile);
        sums[get_local_id(0)] = pointsman_fold_own(tile);
        const sum_t sum = pointsman_fold_sums(ITEMS, sums);
        carry = base == first ? sum : COMBINE(carry, sum);
    }
    if (get_local_id(0) == 0) {
        folds[get_group_id(0)] = carry;
    }
}

// Returns the fold of the first `before` of `folds`, at least one.
INLINED sum_t pointsman_fold_folds(global const sum_t* folds, const uint before,
                                   local sum_t* sums) {
    const uint me = get_local_id(0);
    const uint share = (before + ITEMS - 1) / ITEMS, past = min((me + 1) * share, before);
    uint i = me * share;
    if (i < past) {
        sum_t sum = folds[i];
        for (++i; i < past; ++i) {
            sum = COMBINE(sum, folds[i]);
        }
        sums[me] = sum;
    }
    return pointsman_fold_sums((before + share - 1) / share, sums);
}

// Each work group folds the results of `fold_parts` for all earlier parts, and scans its part after that.
kernel void scan_parts(global const in_t* x, ulong at_x, ulong n, ulong part, local sum_t* tile,
                       local sum_t* sums, global const sum_t* folds, sum_t initial, int has_initial,
                       int is_exclusive, global out_t* out, ulong at_out) {
    const ulong first = get_group_id(0) * part, last = min(first + part, n);
    x += at_x;
    out += at_out;
    sum_t carry = initial;
    bool carried = has_initial;
    if (get_group_id(0) != 0) {
        const sum_t before = pointsman_fold_folds(folds, get_group_id(0), sums);
        carry = carried ? COMBINE(carry, before) : before;
        carried = true;
    }
    for (ulong base = first; base < last; base += TILE) {
        const uint count = min(last - base, (ulong)TILE);
        in_t values[EACH];
        pointsman_load(x + base, count, values);
        pointsman_fill_tile(values, tile);
        local const sum_t* scanned = pointsman_scan_sums(pointsman_fold_own(tile), sums);
        pointsman_write_tile(tile, scanned, count, carry, carried, is_exclusive, out + base);
        carry = carried ? COMBINE(carry, scanned[ITEMS - 1]) : scanned[ITEMS - 1];
        carried = true;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
