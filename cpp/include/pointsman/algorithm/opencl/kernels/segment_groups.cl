// SPDX-License-Identifier: Apache-2.0
// Folds or scans by `COMBINE` the values of each segment, as segment.cl does, with work items that share local memory.
// Neighbouring work items read and write neighbouring values.
#include "registers.cl"
#include "segment_states.cl"

#ifndef POINTSMAN_KERNEL
#define key_t int
#define value_t int
#define key_out_t int
#define out_t long
#define SAME(a, b) ((a) == (b))
#define IS_EXCLUSIVE 0
#define EACH 9
#define ITEMS 128
#endif
#define TILE (ITEMS * EACH)

// A part is the tile of a work group, in which each item has EACH consecutive values.
typedef struct {
    key_t keys[TILE + 1];  // at first the one before the tile
    value_t values[TILE];
    fold_t folds[ITEMS];  // of the states after items
    uint begun[ITEMS];
} pointsman_tile;

#define FIRST (me * EACH)
#define PAST min(me* EACH + EACH, count)
#define BEGINS(i) (base + (i) == 0 || !SAME(tile->keys[i], tile->keys[(i) + 1]))

// Loads the `count` keys and values from `base` on, and gives each item with values the state after it, which begins
// with the first value of the tile. Items without values combine nothing: `COMBINE` may take no others than values.
INLINED void pointsman_states(global const key_t* keys, global const value_t* values,
                              const ulong base, const uint count, local pointsman_tile* tile) {
    const uint me = get_local_id(0);
    for (uint k = me; k <= count; k += ITEMS) {
        if (base + k != 0) {
            tile->keys[k] = keys[base + k - 1];
        }
    }
    for (uint k = me; k < count; k += ITEMS) {
        tile->values[k] = values[base + k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    fold_t fold = {0};
    uint begun = 0;
    for (uint i = FIRST; i < PAST; ++i) {
        const fold_t value = tile->values[i];
        if (BEGINS(i)) {
            fold = value;
            ++begun;
        } else {
            fold = i == FIRST ? value : COMBINE(fold, value);
        }
    }
    tile->folds[me] = fold;
    tile->begun[me] = begun;
    for (uint width = 1; width < ITEMS; width *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint before = me >= width ? me - width : me;
        const fold_t fold_before = tile->folds[before];
        const uint begun_before = tile->begun[before];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me >= width && FIRST < count) {
            fold = begun == 0 ? COMBINE(fold_before, fold) : fold;
            begun += begun_before;
            tile->folds[me] = fold;
            tile->begun[me] = begun;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Returns the fold of the segment that is open before the values of an item that has some and is not the first of all.
INLINED fold_t pointsman_fold_before(global const fold_t* folds, local const pointsman_tile* tile) {
    const uint me = get_local_id(0), group = get_group_id(0);
    if (me == 0) {
        return folds[group - 1];
    }
    const fold_t fold = tile->folds[me - 1];
    return group != 0 && tile->begun[me - 1] == 0 ? COMBINE(folds[group - 1], fold) : fold;
}

// Writes the state of each part alone.
kernel void fold_parts(global const key_t* keys, ulong at_keys, global const value_t* values,
                       ulong at_values, ulong n, ulong part, global fold_t* folds,
                       global ulong* begun) {
    const uint me = get_local_id(0);
    const ulong base = get_group_id(0) * part;
    const uint count = min(n - base, part);
    local pointsman_tile tile;
    pointsman_states(keys + at_keys, values + at_values, base, count, &tile);
    if (me == (count - 1) / EACH) {
        folds[get_group_id(0)] = tile.folds[me];
        begun[get_group_id(0)] = tile.begun[me];
    }
}

// Scans each part; `folds` are those of the states after the parts. An exclusive scan puts `initial` before the
// values of each segment.
kernel void scan_parts(global const key_t* keys, ulong at_keys, global const value_t* values,
                       ulong at_values, ulong n, ulong part, global const fold_t* folds,
                       fold_t initial, global out_t* out, ulong at_out) {
    const uint me = get_local_id(0);
    const ulong base = get_group_id(0) * part;
    const uint count = min(n - base, part);
    local pointsman_tile loaded, *tile = &loaded;
    local out_t scanned[TILE];
    pointsman_states(keys + at_keys, values + at_values, base, count, tile);
    fold_t fold = initial;
    if (FIRST < count && base + FIRST != 0) {
        fold = pointsman_fold_before(folds, tile);
        if (IS_EXCLUSIVE) {
            fold = COMBINE(initial, fold);
        }
    }
    for (uint i = FIRST; i < PAST; ++i) {
        const fold_t value = tile->values[i];
        if (IS_EXCLUSIVE) {
            fold = BEGINS(i) ? initial : fold;
            scanned[i] = fold;
            fold = COMBINE(fold, value);
        } else {
            fold = BEGINS(i) ? value : COMBINE(fold, value);
            scanned[i] = fold;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = me; k < count; k += ITEMS) {
        out[at_out + base + k] = scanned[k];
    }
}

// Writes the key of each segment that begins in the part, and the fold of each that ends before an index of it.
kernel void reduce_parts(global const key_t* keys, ulong at_keys, global const value_t* values,
                         ulong at_values, ulong n, ulong part, global const fold_t* folds,
                         global const ulong* begun, global key_out_t* keys_out, ulong at_keys_out,
                         global out_t* out, ulong at_out) {
    const uint me = get_local_id(0);
    const ulong group = get_group_id(0), base = group * part;
    const uint count = min(n - base, part);
    local pointsman_tile loaded, *tile = &loaded;
    pointsman_states(keys + at_keys, values + at_values, base, count, tile);
    fold_t fold = {0};
    if (FIRST < count && base + FIRST != 0) {
        fold = pointsman_fold_before(folds, tile);
    }
    ulong segments = (group == 0 ? 0 : begun[group - 1]) + (me == 0 ? 0 : tile->begun[me - 1]);
    for (uint i = FIRST; i < PAST; ++i) {
        const fold_t value = tile->values[i];
        if (BEGINS(i)) {
            if (segments != 0) {
                out[at_out + segments - 1] = fold;
            }
            keys_out[at_keys_out + segments] = tile->keys[i + 1];
            ++segments;
            fold = value;
        } else {
            fold = COMBINE(fold, value);
        }
        if (base + i + 1 == n) {
            out[at_out + segments - 1] = fold;
        }
    }
}
