// SPDX-License-Identifier: Apache-2.0
// Merges a part of two sorted arrays, of `a_t` and `b_t`, in the order of `GOES_FIRST`, in one work item.
#include "registers.cl"

#ifndef POINTSMAN_KERNEL
#define a_t int
#define b_t int
#define out_t int
#define GOES_FIRST(a, b) ((a) < (b))
#endif

// Writes the merged values from index `begin` to `end`: finds by bisection how many values before them come from the
// first array, and merges from there.
INLINED void pointsman_merge_range(global const a_t* a, ulong size_a, global const b_t* b,
                                   ulong size_b, ulong begin, ulong end, global out_t* out) {
    ulong i = begin > size_b ? begin - size_b : 0;
    ulong past = min(begin, size_a);
    while (i < past) {
        const ulong middle = i + (past - i) / 2;
        if (GOES_FIRST(b[begin - 1 - middle], a[middle])) {
            past = middle;
        } else {
            i = middle + 1;
        }
    }
    ulong j = begin - i, to = begin;
    for (; to < end && i < size_a && j < size_b; ++to) {
        const a_t x = a[i];
        const b_t y = b[j];
        const int takes_b = GOES_FIRST(y, x) ? 1 : 0;
        const out_t both[2] = {x, y};  // no branch, as no CPU could predict it
        out[to] = both[takes_b];
        i += 1 - takes_b;
        j += takes_b;
    }
    for (; to < end && i < size_a; ++to) {
        out[to] = a[i++];
    }
    for (; to < end; ++to) {
        out[to] = b[j++];
    }
}
