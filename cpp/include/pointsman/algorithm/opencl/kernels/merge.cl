// SPDX-License-Identifier: Apache-2.0
// Merges two sorted arrays, of `a_t` and `b_t`, into one of `out_t`, in the order of `GOES_FIRST`.
#include "item_part.cl"

#ifndef POINTSMAN_KERNEL
#define a_t int
#define b_t short
#define out_t long
#define GOES_FIRST(a, b) ((a) < (b))
#endif

// Each work item writes one part of the output: it finds by bisection how many values before its part come
// from the first array, and merges from there.
kernel void merge_part(global const a_t* a, ulong at_a, global const b_t* b, ulong at_b,
                       ulong size_a, ulong size_b, ulong n, ulong part, global out_t* out,
                       ulong at_out) {
    PART_OF_ITEM(begin, end);
    a += at_a;
    b += at_b;
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
    ulong j = begin - i, to = at_out + begin;
    const ulong past_last = at_out + end;
    for (; to < past_last && i < size_a && j < size_b; ++to) {
        const a_t x = a[i];
        const b_t y = b[j];
        const int takes_b = GOES_FIRST(y, x) ? 1 : 0;
        const out_t both[2] = {x, y};  // no branch, as no CPU could predict it
        out[to] = both[takes_b];
        i += 1 - takes_b;
        j += takes_b;
    }
    for (; to < past_last && i < size_a; ++to) {
        out[to] = a[i++];
    }
    for (; to < past_last; ++to) {
        out[to] = b[j++];
    }
}
