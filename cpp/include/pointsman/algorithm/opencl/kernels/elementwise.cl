// SPDX-License-Identifier: Apache-2.0
// Writes the value of an expression for each index. `STORED` converts a value to its type in memory.
#include "item_part.cl"
#include "registers.cl"

#ifndef POINTSMAN_KERNEL
#define EACH 2
#define WIDTH 1
typedef float x0_wide;
typedef union {
    x0_wide wide;
    float each[WIDTH];
} x0_pack;
typedef x0_wide out_wide;
typedef x0_pack out_pack;
#define out_t float
#define PARAMETERS global const float *x0, ulong at_x0,
#define VALUE_AT(i) x0[at_x0 + (i)]
#define PACKS x0_pack pack0[EACH];
#define FETCH(k, j) pack0[k].wide = ((global const x0_wide*)(x0 + at_x0))[j];
#define VALUE_IN(k, w, i) pack0[k].each[w]
#define STORED(value) value
#endif

// The work items of a group take packs of consecutive values in turn. Each item reads all its packs before it
// writes, so that several reads are in flight.
kernel void apply(PARAMETERS global out_t* out, ulong at_out, ulong n) {
    const size_t step = get_local_size(0);
    const size_t first = get_group_id(0) * step * EACH + get_local_id(0);
    if ((first + (EACH - 1) * step + 1) * WIDTH <= n) {
        PACKS
        FOR_EACH (k, 0, EACH) {
            FETCH(k, first + k * step)
        }
        global out_wide* const out_packs = (global out_wide*)(out + at_out);
        FOR_EACH (k, 0, EACH) {
            out_pack values;
            FOR_EACH (w, 0, WIDTH) {
                values.each[w] = STORED(VALUE_IN(k, w, (first + k * step) * WIDTH + w));
            }
            out_packs[first + k * step] = values.wide;
        }
    } else {
        for (int k = 0; k < EACH; ++k) {
            for (ulong w = 0; w < WIDTH; ++w) {
                const ulong i = (first + k * step) * WIDTH + w;
                if (i < n) {
                    out[at_out + i] = STORED(VALUE_AT(i));
                }
            }
        }
    }
}

kernel void apply_to_part(PARAMETERS global out_t* out, ulong at_out, ulong n, ulong part) {
    PART_OF_ITEM(begin, end);
    for (ulong i = begin; i < end; ++i) {
        out[at_out + i] = STORED(VALUE_AT(i));
    }
}
