// SPDX-License-Identifier: Apache-2.0
// Folds the values of an expression by `F` to partial results, which the host folds.
#include "item_part.cl"
#include "registers.cl"

#ifndef POINTSMAN_KERNEL
#define EACH 4
#define WIDTH 1
typedef float x0_wide;
typedef union {
    x0_wide wide;
    float each[WIDTH];
} x0_pack;
#define PARAMETERS global const float *x0, ulong at_x0,
#define VALUE_AT(i) x0[at_x0 + (i)]
#define PACKS x0_pack pack0[EACH];
#define FETCH(k, j) pack0[k].wide = ((global const x0_wide*)(x0 + at_x0))[j];
#define VALUE_IN(k, w, i) pack0[k].each[w]
#define folded_t float
#define partial_t float
#define F(a, b) ((a) + (b))
#define WANTS_LANES 1
#endif
#define LANES 16

// Each work item folds packs of consecutive values at a stride of the global size, several at a time into
// separate sums, and the work group folds its items' results in local memory by halves. Only in the last
// group may items have no value.
kernel void fold(PARAMETERS global partial_t* out, local folded_t* results, ulong n) {
    const size_t me = get_local_id(0), items = get_local_size(0), step = get_global_size(0);
    const ulong packs = n / WIDTH;
    ulong j = get_global_id(0), rest = packs * WIDTH + j;
    folded_t folded = {0};
    int has_folded = j < packs;
    if (has_folded) {
        PACKS
        folded_t sums[EACH][WIDTH];
        if (j + (EACH - 1) * step < packs) {
            FOR_EACH (k, 0, EACH) {
                FETCH(k, j + k * step)
            }
            FOR_EACH (k, 0, EACH) {
                FOR_EACH (w, 0, WIDTH) {
                    sums[k][w] = VALUE_IN(k, w, (j + k * step) * WIDTH + w);
                }
            }
            for (j += EACH * step; j + (EACH - 1) * step < packs; j += EACH * step) {
                FOR_EACH (k, 0, EACH) {
                    FETCH(k, j + k * step)
                }
                FOR_EACH (k, 0, EACH) {
                    FOR_EACH (w, 0, WIDTH) {
                        sums[k][w] = F(sums[k][w], VALUE_IN(k, w, (j + k * step) * WIDTH + w));
                    }
                }
            }
            FOR_EACH (k, 1, EACH) {
                FOR_EACH (w, 0, WIDTH) {
                    sums[0][w] = F(sums[0][w], sums[k][w]);
                }
            }
        } else {
            FETCH(0, j)
            FOR_EACH (w, 0, WIDTH) {
                sums[0][w] = VALUE_IN(0, w, j * WIDTH + w);
            }
            j += step;
        }
        for (; j < packs; j += step) {
            FETCH(0, j)
            FOR_EACH (w, 0, WIDTH) {
                sums[0][w] = F(sums[0][w], VALUE_IN(0, w, j * WIDTH + w));
            }
        }
        folded = sums[0][0];
        FOR_EACH (w, 1, WIDTH) {
            folded = F(folded, sums[0][w]);
        }
    }
    for (; rest < n; rest += step) {
        const folded_t value = VALUE_AT(rest);
        folded = has_folded ? F(folded, value) : value;
        has_folded = 1;
    }
    results[me] = folded;
    const ulong with_values = max(packs, n - packs * WIDTH);
    size_t filled = min((ulong)items, with_values - get_group_id(0) * items);
    for (size_t width = items / 2; width != 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < width && me + width < filled) {
            results[me] = F(results[me], results[me + width]);
        }
        filled = min(filled, width);
    }
    if (me == 0) {
        out[get_group_id(0)] = results[0];
    }
}

// Each work item folds its part, in as many lanes as a vector register may have.
kernel void fold_part(PARAMETERS global partial_t* out, ulong n, ulong part) {
    PART_OF_ITEM(begin, end);
    ulong i = begin;
    folded_t folded = VALUE_AT(i);
    if (WANTS_LANES && end - begin >= LANES) {
        folded_t sums[LANES];
        for (int k = 0; k < LANES; ++k) {
            sums[k] = VALUE_AT(begin + k);
        }
        ulong block = begin + LANES;
        for (; block + LANES <= end; block += LANES) {
            for (int k = 0; k < LANES; ++k) {
                sums[k] = F(sums[k], VALUE_AT(block + k));
            }
        }
        folded = sums[0];
        for (int k = 1; k < LANES; ++k) {
            folded = F(folded, sums[k]);
        }
        i = block - 1;
    }
    for (++i; i < end; ++i) {
        folded = F(folded, VALUE_AT(i));
    }
    out[get_global_id(0)] = folded;
}
