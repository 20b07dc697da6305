// SPDX-License-Identifier: Apache-2.0
// Merges two sorted arrays, of `a_t` and `b_t`, into one of `out_t`, in the order of `GOES_FIRST`, with work items
// that share local memory. Neighbouring work items read and write neighbouring values.
#include "registers.cl"

#ifndef POINTSMAN_KERNEL
#define a_t int
#define b_t short
#define out_t long
#define GOES_FIRST(a, b) ((a) < (b))
#define EACH 7
#define ITEMS 256
#define ROOM (ITEMS * EACH + 1)
#endif

// Declares `i`, the number of values of `a` among the first `count` of the output, found by bisection.
#define BISECT(i, count, a, b, size_a, size_b, index_t)                        \
    index_t i = (count) > (size_b) ? (count) - (size_b) : 0;                   \
    for (index_t past = min((index_t)(count), (index_t)(size_a)); i < past;) { \
        const index_t middle = i + (past - i) / 2;                             \
        if (GOES_FIRST(b[(count) - 1 - middle], a[middle])) {                  \
            past = middle;                                                     \
        } else {                                                               \
            i = middle + 1;                                                    \
        }                                                                      \
    }

// Each work group writes one part of the output, ITEMS * EACH values: it copies the values of both arrays that belong
// there to local memory, where each work item merges EACH of them.
kernel void merge_part(global const a_t* a, ulong at_a, global const b_t* b, ulong at_b,
                       ulong size_a, ulong size_b, ulong n, ulong part, global out_t* out,
                       ulong at_out) {
    const uint me = get_local_id(0);
    const ulong begin = get_group_id(0) * part;
    const uint count = min(n - begin, part);
    local ulong room[ROOM];
    local ulong from_a[2];  // of the output up to the part's begin and end
    a += at_a;
    b += at_b;
    for (uint k = me; k < 2; k += ITEMS) {
        const ulong before = begin + k * count;
        BISECT(i, before, a, b, size_a, size_b, ulong)
        from_a[k] = i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // Within the part also if the arrays are not sorted.
    const uint count_a = min(max(from_a[1], from_a[0]) - from_a[0], (ulong)count);
    const uint count_b = count - count_a;
    local a_t* near_a = (local a_t*)room;
    local b_t* near_b = (local b_t*)(room + (count_a * sizeof(a_t) + 7) / 8);
    a += from_a[0];
    b += begin - from_a[0];
    for (uint k = me; k < count_a; k += ITEMS) {
        near_a[k] = a[k];
    }
    for (uint k = me; k < count_b; k += ITEMS) {
        near_b[k] = b[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = min(me * EACH, count);
    BISECT(i, first, near_a, near_b, count_a, count_b, uint)
    uint j = first - i;
    out_t merged[EACH];
    FOR_EACH (k, 0, EACH) {
        if (j < count_b && (i >= count_a || GOES_FIRST(near_b[j], near_a[i]))) {
            merged[k] = near_b[j];
            ++j;
        } else if (i < count_a) {
            merged[k] = near_a[i];
            ++i;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    local out_t* all = (local out_t*)room;
    FOR_EACH (k, 0, EACH) {
        all[me * EACH + k] = merged[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = me; k < count; k += ITEMS) {
        out[at_out + begin + k] = all[k];
    }
}
