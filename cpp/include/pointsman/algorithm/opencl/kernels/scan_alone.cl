// SPDX-License-Identifier: Apache-2.0
// Scans `TRANSFORM` of values of `in_t` by `COMBINE` to `out_t`, where each work item has its own part.
#include "item_part.cl"

#ifndef POINTSMAN_KERNEL
#define in_t int
#define sum_t long
#define out_t long
#define COMBINE(a, b) ((a) + (b))
#define TRANSFORM(a) ((sum_t)(a))
#define IS_EXCLUSIVE 0
#endif

// A work item divides its part into runs and folds or scans them in one loop: a step depends only on the last
// sum of its own run, so the CPU overlaps the steps of different runs. The values left over follow the last
// run.
#define RUNS 2
#define VALUE(i) TRANSFORM(x[at_x + (i)])

// Folds each run.
kernel void fold_parts(global const in_t* x, ulong at_x, ulong n, ulong part, global sum_t* folds) {
    PART_OF_ITEM(begin, end);
    const ulong run = (end - begin) / RUNS;
    if (run == 0) {
        return;
    }
    sum_t sums[RUNS];
    for (int r = 0; r < RUNS; ++r) {
        sums[r] = VALUE(begin + r * run);
    }
    for (ulong k = 1; k < run; ++k) {
        for (int r = 0; r < RUNS; ++r) {
            sums[r] = COMBINE(sums[r], VALUE(begin + r * run + k));
        }
    }
    for (ulong i = begin + run * RUNS; i < end; ++i) {
        sums[RUNS - 1] = COMBINE(sums[RUNS - 1], VALUE(i));
    }
    for (int r = 0; r < RUNS; ++r) {
        folds[get_global_id(0) * RUNS + r] = sums[r];
    }
}

// Folds the results of `fold_parts` for all earlier parts, and scans the part after that.
kernel void scan_parts(global const in_t* x, ulong at_x, ulong n, ulong part,
                       global const sum_t* folds, sum_t initial, int has_initial, global out_t* out,
                       ulong at_out) {
    PART_OF_ITEM(begin, end);
    const ulong run = (end - begin) / RUNS;
    const ulong first = get_global_id(0) * RUNS;
    sum_t carry = initial;
    int begun = has_initial;
    for (ulong before = 0; before < first; ++before) {
        carry = begun ? COMBINE(carry, folds[before]) : folds[before];
        begun = 1;
    }
    if (run != 0) {
        sum_t sums[RUNS];
        for (int r = 0; r < RUNS; ++r) {
            const ulong i = begin + r * run;
            const sum_t value = VALUE(i), fold = folds[first + r];
            sums[r] = begun ? COMBINE(carry, value) : value;
            out[at_out + i] = IS_EXCLUSIVE ? carry : sums[r];
            carry = begun ? COMBINE(carry, fold) : fold;
            begun = 1;
        }
        for (ulong k = 1; k < run; ++k) {
            sum_t before[RUNS];
            for (int r = 0; r < RUNS; ++r) {
                before[r] = sums[r];
                sums[r] = COMBINE(before[r], VALUE(begin + r * run + k));
            }
            for (int r = 0; r < RUNS; ++r) {
                out[at_out + begin + r * run + k] = IS_EXCLUSIVE ? before[r] : sums[r];
            }
        }
        carry = sums[RUNS - 1];
    }
    for (ulong i = begin + run * RUNS; i < end; ++i) {
        const sum_t before = carry, value = VALUE(i);
        carry = begun ? COMBINE(before, value) : value;
        out[at_out + i] = IS_EXCLUSIVE ? before : carry;
        begun = 1;
    }
}
