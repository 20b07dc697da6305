// SPDX-License-Identifier: Apache-2.0
// The sorted runs of a merge sort, in the order of `GOES_FIRST`.

// Writes the `count` values at `from`, sorted stably, to `to`, which is `from` or elsewhere.
#define INSERT_VALUES(from, to, count)           \
    for (uint k = 0; k < (count); ++k) {         \
        const out_t x = (from)[k];               \
        uint hole = k;                           \
        for (; hole > 0; --hole) {               \
            const out_t before = (to)[hole - 1]; \
            if (!GOES_FIRST(x, before)) {        \
                break;                           \
            }                                    \
            (to)[hole] = before;                 \
        }                                        \
        (to)[hole] = x;                          \
    }

// Declares `pair`, the first index of the two runs of `width` values, fewer at the end of all `n`, to which index `at`
// belongs, and their sizes.
#define PAIR_OF_RUNS(index_t, at, width, n)                                       \
    const index_t pair = min((at) / (2 * (width)) * (2 * (width)), (index_t)(n)); \
    const index_t size_a = min((index_t)(width), (index_t)((n) - pair));          \
    const index_t size_b = min((index_t)(width), (index_t)((n) - pair - size_a))
