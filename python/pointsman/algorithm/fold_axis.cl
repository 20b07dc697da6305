// SPDX-License-Identifier: Apache-2.0
// Folds arrays along an axis. What is put in front defines the type `value_t` and the function `folded(a, b)`.

#ifndef VALUE_T_IS_DEFINED
typedef float value_t;
value_t folded(const value_t a, const value_t b) { return a + b; }
#endif

// Folds `values`, of the shape (outer, n, inner), to `folds`, of the shape (outer, parts, inner): part p is that of
// the indices p, p + parts, p + 2 * parts and so on, so that neighbours read neighbouring values. One work item
// for each of the `count` folds; `parts` is at most `n`.
kernel void fold_axis(global const value_t* values, const ulong n, const ulong inner,
                      const ulong parts, const ulong count, global value_t* folds) {
    const ulong i = get_global_id(0);
    if (i >= count) {
        return;
    }
    const ulong step = parts * inner;
    const ulong outer = i / step;
    global const value_t* restrict at = values + outer * n * inner + (i - outer * step);
    ulong left = (n - (i - outer * step) / inner + parts - 1) / parts - 1;
    value_t fold = *at;
    for (; left >= 8; left -= 8, at += 8 * step) {  // eight loads that do not wait for each other
        const value_t a = at[step], b = at[2 * step], c = at[3 * step], d = at[4 * step];
        const value_t e = at[5 * step], f = at[6 * step], g = at[7 * step], h = at[8 * step];
        const value_t low = folded(folded(a, b), folded(c, d));
        fold = folded(fold, folded(low, folded(folded(e, f), folded(g, h))));
    }
    for (; left > 0; --left) {
        at += step;
        fold = folded(fold, *at);
    }
    folds[i] = fold;
}

// The number of work items in a group of `fold_rows`.
#ifndef ITEMS
#define ITEMS 256
#endif

// Folds each row of `n` values in `parts` parts, each of `part` values, fewer in the last, to the `count` values
// `folds`. `lanes` work items of a group share a part and read neighbouring values; `lanes` is a power of two that
// divides the size of the group.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void fold_rows(
    global const value_t* values, const ulong n, const ulong part, const ulong parts,
    const uint lanes, const ulong count, global value_t* folds) {
    local value_t of_lanes[ITEMS];
    const uint me = get_local_id(0), lane = me % lanes;
    const ulong i = get_group_id(0) * (ITEMS / lanes) + me / lanes;
    const ulong begin = i % parts * part;
    const uint size = i < count ? min(part, n - begin) : 0;
    global const value_t* const restrict at = values + i / parts * n + begin;
    value_t fold = 0;
    if (lane < size) {
        fold = at[lane];
        uint k = lane + lanes;
        for (; k + 3 * lanes < size;
             k += 4 * lanes) {  // four loads that do not wait for each other
            const value_t a = at[k], b = at[k + lanes], c = at[k + 2 * lanes],
                          d = at[k + 3 * lanes];
            fold = folded(fold, folded(folded(a, b), folded(c, d)));
        }
        for (; k < size; k += lanes) {
            fold = folded(fold, at[k]);
        }
    }
    of_lanes[me] = fold;
    for (uint width = lanes / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < width && lane + width < size) {
            of_lanes[me] = folded(of_lanes[me], of_lanes[me + width]);
        }
    }
    if (lane == 0 && i < count) {
        folds[i] = of_lanes[me];
    }
}
