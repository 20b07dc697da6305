// SPDX-License-Identifier: Apache-2.0
// Scans `TRANSFORM` of values of `in_t` by `COMBINE` to `out_t`, with work items that share local memory.
#include "registers.cl"

#ifndef POINTSMAN_KERNEL
#define in_t int
#define sum_t long
#define out_t long
#define COMBINE(a, b) ((a) + (b))
#define TRANSFORM(a) (a)
#define EACH 8
#define ITEMS 256
#endif

// Each work group scans one part of the array, tile by tile. Consecutive work items read and write
// consecutive values through local memory, but each scans its own consecutive values in registers, so that
// `COMBINE` need not be commutative. Values are read twice and written once. Only the last tile checks which
// work items have values: `is_full` is a constant in each call.
#define TILE (ITEMS * EACH)
// A gap after the values of each item lets items access different memory banks.
#define IN_TILE(k) ((k) + (k) / EACH)

// Folds the first `filled` of `sums`, at least one, in place and returns the result.
INLINED sum_t pointsman_fold_sums(const uint filled, local sum_t* sums) {
    const uint me = get_local_id(0);
    for (uint width = 1; width < filled; width *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint left = 2 * width * me;
        if (left + width < filled) {
            sums[left] = COMBINE(sums[left], sums[left + width]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const sum_t sum = sums[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

// Returns the number of work items that have values of a tile with `count` values.
INLINED uint pointsman_items_with_values(const uint count) { return (count + EACH - 1) / EACH; }

// Returns the index of the work item's first value in a tile with `count` values.
INLINED uint pointsman_first_of_item(const uint count) {
    return min((uint)get_local_id(0) * EACH, count);
}

// Returns the number of values that the work item has in a tile with `count` values.
INLINED uint pointsman_values_of_item(const uint count) {
    const uint first = pointsman_first_of_item(count);
    return min(first + EACH, count) - first;
}

// Loads the `count` values at `x` into `tile`, and the work item's values into `own`. Returns the fold of
// `own`.
INLINED sum_t pointsman_load_tile(global const in_t* x, const uint count, const bool is_full,
                                  local sum_t* tile, sum_t* own) {
    const uint me = get_local_id(0);
    FOR_EACH (k, 0, EACH) {
        const uint at = k * ITEMS + me;
        if (is_full || at < count) {
            tile[IN_TILE(at)] = (sum_t)TRANSFORM(x[at]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = pointsman_first_of_item(count), mine = pointsman_values_of_item(count);
    own[0] = 0;
    FOR_EACH (k, 0, EACH) {
        if (is_full || k < mine) {
            own[k] = tile[IN_TILE(first + k)];
        }
    }
    sum_t sum = own[0];
    FOR_EACH (k, 1, EACH) {
        if (is_full || k < mine) {
            sum = COMBINE(sum, own[k]);
        }
    }
    return sum;
}

// Returns the fold of the `count` values at `x`.
INLINED sum_t pointsman_fold_tile(global const in_t* x, const uint count, const bool is_full,
                                  local sum_t* tile, local sum_t* sums) {
    sum_t own[EACH];
    sums[get_local_id(0)] = pointsman_load_tile(x, count, is_full, tile, own);
    return pointsman_fold_sums(pointsman_items_with_values(count), sums);
}

// Scans the sums of the work items; passes alternate between the two halves of `sums`. Returns the half that
// has the result.
INLINED local const sum_t* pointsman_scan_sums(const sum_t sum, const uint filled,
                                               local sum_t* sums) {
    const uint me = get_local_id(0);
    uint half_at = 0;
    sums[me] = sum;
    for (uint width = 1; width < filled; width *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum_t scanned = sums[half_at + me];
        if (me >= width && me < filled) {
            scanned = COMBINE(sums[half_at + me - width], scanned);
        }
        half_at = ITEMS - half_at;
        sums[half_at + me] = scanned;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return sums + half_at;
}

// Scans the `count` values at `x` to `out`, after `carry` if `carried`. Returns the carry for the next tile.
INLINED sum_t pointsman_scan_tile(global const in_t* x, const uint count, const bool is_full,
                                  const sum_t carry, const bool carried, const bool is_exclusive,
                                  local sum_t* tile, local sum_t* sums, global out_t* out) {
    const uint me = get_local_id(0);
    const uint filled = pointsman_items_with_values(count);
    sum_t own[EACH];
    const sum_t sum = pointsman_load_tile(x, count, is_full, tile, own);
    local const sum_t* scanned = pointsman_scan_sums(sum, filled, sums);
    sum_t running = carry;
    if (me != 0 && me < filled) {
        running = carried ? COMBINE(carry, scanned[me - 1]) : scanned[me - 1];
    }
    bool begun = carried || me != 0;
    const uint first = pointsman_first_of_item(count), mine = pointsman_values_of_item(count);
    FOR_EACH (k, 0, EACH) {
        if (is_full || k < mine) {
            const sum_t now = begun ? COMBINE(running, own[k]) : own[k];
            tile[IN_TILE(first + k)] = is_exclusive ? running : now;
            running = now;
            begun = true;
        }
    }
    const sum_t all = scanned[filled - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_EACH (k, 0, EACH) {
        const uint at = k * ITEMS + me;
        if (is_full || at < count) {
            out[at] = tile[IN_TILE(at)];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return carried ? COMBINE(carry, all) : all;
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

// Folds the part of each work group.
kernel void fold_parts(global const in_t* x, ulong at_x, ulong n, ulong part, local sum_t* tile,
                       local sum_t* sums, global sum_t* folds) {
    const ulong first = get_group_id(0) * part, last = min(first + part, n);
    x += at_x;
    sum_t carry = 0;
    ulong base = first;
    for (; base + TILE <= last; base += TILE) {
        const sum_t sum = pointsman_fold_tile(x + base, TILE, true, tile, sums);
        carry = base == first ? sum : COMBINE(carry, sum);
    }
    if (base < last) {
        const sum_t sum = pointsman_fold_tile(x + base, last - base, false, tile, sums);
        carry = base == first ? sum : COMBINE(carry, sum);
    }
    if (get_local_id(0) == 0) {
        folds[get_group_id(0)] = carry;
    }
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
    ulong base = first;
    for (; base + TILE <= last; base += TILE) {
        carry = pointsman_scan_tile(x + base, TILE, true, carry, carried, is_exclusive, tile, sums,
                                    out + base);
        carried = true;
    }
    if (base < last) {
        pointsman_scan_tile(x + base, last - base, false, carry, carried, is_exclusive, tile, sums,
                            out + base);
    }
}
