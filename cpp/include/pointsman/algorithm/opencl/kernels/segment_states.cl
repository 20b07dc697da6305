// SPDX-License-Identifier: Apache-2.0
// Scans the states of parts. The state after a part is the fold of the segment that is then open, and the number of
// segments that have begun; alone it begins with the part's first value and counts segments that begin in the part.
#include "item_part.cl"

#ifndef POINTSMAN_KERNEL
#define fold_t long
#define COMBINE(a, b) ((a) + (b))
#endif

// Writes the state of each part of the states of `n` parts alone.
kernel void fold_states(global const fold_t* folds, global const ulong* begun, ulong n, ulong part,
                        global fold_t* folds_of_parts, global ulong* begun_in_parts) {
    PART_OF_ITEM(begin, end);
    fold_t fold = folds[begin];
    ulong segments = begun[begin];
    for (ulong i = begin + 1; i < end; ++i) {
        if (begun[i] != 0) {
            fold = folds[i];
        } else {
            fold = COMBINE(fold, folds[i]);
        }
        segments += begun[i];
    }
    folds_of_parts[get_global_id(0)] = fold;
    begun_in_parts[get_global_id(0)] = segments;
}

// Replaces the own states of `n` parts by the states after them, given those after each part of the states.
kernel void scan_states(global fold_t* folds, global ulong* begun, ulong n, ulong part,
                        global const fold_t* folds_of_parts, global const ulong* begun_in_parts) {
    PART_OF_ITEM(begin, end);
    fold_t fold = folds[begin];
    ulong segments = 0;
    if (begin != 0) {
        fold = folds_of_parts[get_global_id(0) - 1];
        segments = begun_in_parts[get_global_id(0) - 1];
    }
    for (ulong i = begin; i < end; ++i) {
        if (begun[i] != 0) {
            fold = folds[i];
        } else {
            fold = COMBINE(fold, folds[i]);
        }
        segments += begun[i];
        folds[i] = fold;
        begun[i] = segments;
    }
}
