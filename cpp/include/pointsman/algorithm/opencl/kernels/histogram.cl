// SPDX-License-Identifier: Apache-2.0
// Counts the values of `in_t` in each bin, with bounds of `bound_t`, and writes the counts as `out_t`.
#include "item_part.cl"

#ifndef POINTSMAN_KERNEL
#define in_t int
#define out_t uint
#define bound_t float
#define scale_t float
#define IS_FLOATING 1
#define COUNT(counter) atomic_inc(counter)
#endif

// Returns the bin of `value` among bins of equal width from `low` to `high`, or `bins` if it is in none.
ulong even_bin(const bound_t value, const ulong bins, const bound_t low, const bound_t high,
               const scale_t scale) {
    if (!(value >= low && value < high)) {
        return bins;
    }
    return IS_FLOATING ? min((ulong)((value - low) * scale), bins - 1)
                       : ((ulong)value - (ulong)low) * bins / (ulong)scale;
}

// Returns the bin of `value` among the bins between consecutive `edges`, or `bins` if it is in none.
ulong edged_bin(const in_t value, const ulong bins, global const bound_t* edges) {
    ulong bin = 0;
    ulong past = bins + 1;
    while (bin < past) {
        const ulong middle = bin + (past - bin) / 2;
        if (value < edges[middle]) {
            past = middle;
        } else {
            bin = middle + 1;
        }
    }
    return bin == 0 || bin > bins ? bins : bin - 1;
}

// Like `edged_bin`, but the last bin includes its upper edge, and values are converted to `bound_t` before
// they are compared.
ulong closed_bin(const bound_t value, const ulong bins, global const bound_t* edges) {
    if (!(value >= edges[0] && value <= edges[bins])) {
        return bins;
    }
    ulong bin = 0;
    ulong past = bins;
    while (past - bin > 1) {
        const ulong middle = bin + (past - bin) / 2;
        if (value < edges[middle]) {
            past = middle;
        } else {
            bin = middle;
        }
    }
    return bin;
}

// Each work item counts in one of `rows` rows of counters; no two items share a row if there is one for each
// part.
kernel void count_in_even_bins(global const in_t* x, ulong at_x, ulong n, ulong part, ulong bins,
                               ulong rows, global uint* counts, bound_t low, bound_t high,
                               scale_t scale) {
    PART_OF_ITEM(begin, end);
    global uint* row = counts + get_global_id(0) % rows * bins;
    for (ulong i = begin; i < end; ++i) {
        const ulong bin = even_bin(x[at_x + i], bins, low, high, scale);
        if (bin < bins) {
            COUNT(row + bin);
        }
    }
}

kernel void count_in_edged_bins(global const in_t* x, ulong at_x, ulong n, ulong part, ulong bins,
                                ulong rows, global uint* counts, global const bound_t* edges,
                                ulong at_edges) {
    PART_OF_ITEM(begin, end);
    global uint* row = counts + get_global_id(0) % rows * bins;
    for (ulong i = begin; i < end; ++i) {
        const ulong bin = edged_bin(x[at_x + i], bins, edges + at_edges);
        if (bin < bins) {
            COUNT(row + bin);
        }
    }
}

kernel void count_in_closed_bins(global const in_t* x, ulong at_x, ulong n, ulong part, ulong bins,
                                 ulong rows, global uint* counts, global const bound_t* edges) {
    PART_OF_ITEM(begin, end);
    global uint* row = counts + get_global_id(0) % rows * bins;
    for (ulong i = begin; i < end; ++i) {
        const ulong bin = closed_bin((bound_t)x[at_x + i], bins, edges);
        if (bin < bins) {
            COUNT(row + bin);
        }
    }
}

// Each work item adds the counters of one bin in all rows.
kernel void add_rows(ulong bins, ulong rows, global const uint* counts, global out_t* out,
                     ulong at_out) {
    const ulong bin = get_global_id(0);
    if (bin >= bins) {
        return;
    }
    ulong sum = 0;
    for (ulong row = 0; row < rows; ++row) {
        sum += counts[row * bins + bin];
    }
    out[at_out + bin] = (out_t)sum;
}
