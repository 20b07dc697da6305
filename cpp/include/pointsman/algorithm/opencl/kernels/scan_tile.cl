// SPDX-License-Identifier: Apache-2.0
// A tile of values, which the work items of a group load and scan together in local memory.
#include "registers.cl"

#ifndef POINTSMAN_KERNEL
#define in_t int
#define sum_t long
#define out_t long
#define COMBINE(a, b) ((a) + (b))
#define TRANSFORM(a) ((sum_t)(a))
#define EACH 8
#define ITEMS 256
#endif

// Consecutive work items read and write consecutive values, but each scans its own consecutive values of the
// tile, so that `COMBINE` need not be commutative. Only the last tile of an array may have fewer values than
// room; its last value is repeated there, which changes no result before it.
#define TILE (ITEMS * EACH)
// Gaps let work items access different memory banks.
#define GAP (ITEMS % 32 == 0 ? 32 : TILE)
#define IN_TILE(k) ((k) + (k) / GAP)

// Loads the `count` values at `x` that the work item puts into the tile.
INLINED void pointsman_load(global const in_t* x, const uint count, in_t* values) {
    const uint me = get_local_id(0);
    if (count == TILE) {
        FOR_EACH (k, 0, EACH) {
            values[k] = x[k * ITEMS + me];
        }
    } else {
        FOR_EACH (k, 0, EACH) {
            values[k] = x[min(k * ITEMS + me, count - 1)];
        }
    }
}

// Puts the loaded values of each work item into `tile`.
INLINED void pointsman_fill_tile(const in_t* values, local sum_t* tile) {
    FOR_EACH (k, 0, EACH) {
        tile[IN_TILE(k * ITEMS) + IN_TILE(get_local_id(0))] = TRANSFORM(values[k]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Returns the fold of the work item's values of `tile`.
INLINED sum_t pointsman_fold_own(local const sum_t* tile) {
    const uint first = get_local_id(0) * EACH;
    sum_t sum = tile[IN_TILE(first)];
    FOR_EACH (k, 1, EACH) {
        sum = COMBINE(sum, tile[IN_TILE(first + k)]);
    }
    return sum;
}

// Folds the first `filled` of `sums`, at least one, in place and returns the result.
INLINED sum_t pointsman_fold_sums(const uint filled, local sum_t* sums) {
    const uint me = get_local_id(0);
    for (uint width = 1; width < filled; width *= 4) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint first = 4 * width * me;
        for (uint k = 1; k < 4 && first + k * width < filled; ++k) {
            sums[first] = COMBINE(sums[first], sums[first + k * width]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const sum_t sum = sums[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

// Scans the sums of the work items; passes alternate between the two halves of `sums`. Returns the half that
// has the result.
INLINED local const sum_t* pointsman_scan_sums(sum_t sum, local sum_t* sums) {
    const uint me = get_local_id(0);
    uint half_at = 0;
    sums[me] = sum;
    for (uint width = 1; width < ITEMS; width *= 4) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 1; k < 4 && k * width <= me; ++k) {
            sum = COMBINE(sums[half_at + me - k * width], sum);
        }
        half_at = ITEMS - half_at;
        sums[half_at + me] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return sums + half_at;
}

// Scans the work item's values of `tile` after `carry` if `carried`, and writes the `count` results of the tile
// to `out`. `scanned` is the result of `pointsman_scan_sums`.
INLINED void pointsman_write_tile(local sum_t* tile, local const sum_t* scanned, const uint count,
                                  const sum_t carry, const bool carried, const bool is_exclusive,
                                  global out_t* out) {
    const uint me = get_local_id(0);
    sum_t running = carry;
    if (me != 0) {
        running = carried ? COMBINE(carry, scanned[me - 1]) : scanned[me - 1];
    }
    bool begun = carried || me != 0;
    FOR_EACH (k, 0, EACH) {
        const sum_t value = tile[IN_TILE(me * EACH + k)];
        const sum_t now = begun ? COMBINE(running, value) : value;
        tile[IN_TILE(me * EACH + k)] = is_exclusive ? running : now;
        running = now;
        begun = true;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (count == TILE) {
        FOR_EACH (k, 0, EACH) {
            out[k * ITEMS + me] = tile[IN_TILE(k * ITEMS) + IN_TILE(me)];
        }
    } else {
        FOR_EACH (k, 0, EACH) {
            if (k * ITEMS + me < count) {
                out[k * ITEMS + me] = tile[IN_TILE(k * ITEMS) + IN_TILE(me)];
            }
        }
    }
}
