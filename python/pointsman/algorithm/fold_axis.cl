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
    const ulong of_outer = parts * inner;
    global const value_t* const from = values + i / of_outer * n * inner;
    const ulong first = i % of_outer;
    value_t fold = from[first];
    for (ulong at = first + of_outer; at < n * inner; at += of_outer) {
        fold = folded(fold, from[at]);
    }
    folds[i] = fold;
}
