// SPDX-License-Identifier: Apache-2.0
// Folds or scans by `COMBINE` the values of each segment: consecutive keys for which `SAME` holds of neighbours.
#include "segment_states.cl"

#ifndef POINTSMAN_KERNEL
#define key_t int
#define value_t int
#define key_out_t int
#define out_t long
#define SAME(a, b) ((a) == (b))
#define IS_EXCLUSIVE 0
#endif

// Each work item folds its part, the states of the parts are scanned, and a second pass continues each part after
// the parts before it. The first index begins a segment, so that every open segment has a fold.
#define KEY(i) keys[at_keys + (i)]
#define VALUE(i) values[at_values + (i)]
#define BEGINS(i) ((i) == 0 || !SAME(KEY((i) - 1), KEY(i)))

// Writes the state of each part alone: its first value starts the fold, but `begun` counts only segments that
// begin in the part.
kernel void fold_parts(global const key_t* keys, ulong at_keys, global const value_t* values,
                       ulong at_values, ulong n, ulong part, global fold_t* folds,
                       global ulong* begun) {
    PART_OF_ITEM(begin, end);
    fold_t fold = VALUE(begin);
    ulong segments = BEGINS(begin) ? 1 : 0;
    for (ulong i = begin + 1; i < end; ++i) {
        const fold_t value = VALUE(i);
        if (BEGINS(i)) {
            fold = value;
            ++segments;
        } else {
            fold = COMBINE(fold, value);
        }
    }
    folds[get_global_id(0)] = fold;
    begun[get_global_id(0)] = segments;
}

// Scans each part; `folds` are those of the states after the parts. An exclusive scan puts `initial` before the
// values of each segment.
kernel void scan_parts(global const key_t* keys, ulong at_keys, global const value_t* values,
                       ulong at_values, ulong n, ulong part, global const fold_t* folds,
                       fold_t initial, global out_t* out, ulong at_out) {
    PART_OF_ITEM(begin, end);
    fold_t fold = initial;
    if (begin != 0) {
        fold = folds[get_global_id(0) - 1];
#if IS_EXCLUSIVE
        fold = COMBINE(initial, fold);
#endif
    }
    for (ulong i = begin; i < end; ++i) {
        const fold_t value = VALUE(i);
#if IS_EXCLUSIVE
        if (BEGINS(i)) {
            fold = initial;
        }
        out[at_out + i] = fold;
        fold = COMBINE(fold, value);
#else
        if (BEGINS(i)) {
            fold = value;
        } else {
            fold = COMBINE(fold, value);
        }
        out[at_out + i] = fold;
#endif
    }
}

// Writes the key of each segment that begins in the part, and the fold of each that ends before an index of it.
kernel void reduce_parts(global const key_t* keys, ulong at_keys, global const value_t* values,
                         ulong at_values, ulong n, ulong part, global const fold_t* folds,
                         global const ulong* begun, global key_out_t* keys_out, ulong at_keys_out,
                         global out_t* out, ulong at_out) {
    PART_OF_ITEM(begin, end);
    fold_t fold = VALUE(begin);
    ulong segments = 0;
    if (begin != 0) {
        fold = folds[get_global_id(0) - 1];
        segments = begun[get_global_id(0) - 1];
    }
    for (ulong i = begin; i < end; ++i) {
        const fold_t value = VALUE(i);
        if (BEGINS(i)) {
            if (segments != 0) {
                out[at_out + segments - 1] = fold;
            }
            keys_out[at_keys_out + segments] = KEY(i);
            ++segments;
            fold = value;
        } else {
            fold = COMBINE(fold, value);
        }
    }
    if (end == n) {
        out[at_out + segments - 1] = fold;
    }
}
