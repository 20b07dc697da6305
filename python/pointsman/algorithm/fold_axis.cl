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
