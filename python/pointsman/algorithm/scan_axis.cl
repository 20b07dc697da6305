// SPDX-License-Identifier: Apache-2.0
// Scans arrays along an axis. What is put in front defines the type `value_t` and the function `folded(a, b)`.

#ifndef VALUE_T_IS_DEFINED
typedef float value_t;
value_t folded(const value_t a, const value_t b) { return a + b; }
#endif

// Each line of `values`, of the shape (outer, n, inner), is divided into `parts` parts of `part` values, fewer in the
// last. One work item for each of the `count` parts, in the order of the shape (outer, parts, inner). Declares `i`,
// the number of the part, `p`, that in its line, `at`, the index of its first value, and `size`.
#define PART_OF_ITEM                              \
    const ulong i = get_global_id(0);             \
    if (i >= count)                               \
        return;                                   \
    const ulong row = i / inner, p = row % parts; \
    const ulong size = min(part, n - p * part);   \
    ulong at = (row / parts * n + p * part) * inner + i % inner

// Writes the fold of each part to `folds`.
kernel void fold_parts(global const value_t* values, const ulong n, const ulong inner,
                       const ulong part, const ulong parts, const ulong count,
                       global value_t* folds) {
    PART_OF_ITEM;
    value_t fold = values[at];
    for (ulong k = 1; k < size; ++k) {
        at += inner;
        fold = folded(fold, values[at]);
    }
    folds[i] = fold;
}

// Scans each part. A line begins with `initial` if `has_initial` is not 0, and each of its later parts with the fold
// of all parts before it: `folds` are the folds up to each part, `initial` included. An exclusive scan has an initial
// value. `out` may be `values`.
kernel void scan_parts(global const value_t* values, const ulong n, const ulong inner,
                       const ulong part, const ulong parts, const ulong count,
                       global const value_t* folds, const value_t initial, const uint has_initial,
                       const uint is_exclusive, global value_t* out) {
    PART_OF_ITEM;
    value_t fold = p > 0 ? folds[i - inner] : initial;
    ulong k = 0;
    if (p == 0 && !has_initial) {
        fold = values[at];
        out[at] = fold;
        at += inner;
        k = 1;
    }
    for (; k < size; ++k) {
        const value_t before = fold;
        fold = folded(fold, values[at]);
        out[at] = is_exclusive ? before : fold;
        at += inner;
    }
}
