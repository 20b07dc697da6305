// SPDX-License-Identifier: Apache-2.0
// Folds or scans by `COMBINE` the values of each segment: consecutive keys for which `SAME` holds of neighbours.
// A copy of cpp/include/pointsman/algorithm/opencl/kernels/segment.cl, written by .ci/kernels.
// Scans the states of parts. The state after a part is the fold of the segment that is then open, and the number of
// segments that have begun; alone it begins with the part's first value and counts segments that begin in the part.
// The part of an array that one work item processes, in kernels with parameters `n` and `part`.

// Declares `begin` and `end`, the indices of the part. Work items without a part return.
#define PART_OF_ITEM(begin, end)                 \
    const ulong begin = get_global_id(0) * part; \
    if (begin >= n)                              \
        return;                                  \
    const ulong end = min(begin + part, n)

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
