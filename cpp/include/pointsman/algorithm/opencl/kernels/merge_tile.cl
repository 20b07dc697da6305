// SPDX-License-Identifier: Apache-2.0
// Merges a part of two sorted arrays, of `a_t` and `b_t`, in the order of `GOES_FIRST`, in a work group that shares
// local memory. Neighbouring work items read and write neighbouring values.
#include "registers.cl"

#ifndef POINTSMAN_KERNEL
#define a_t int
#define b_t int
#define out_t int
#define GOES_FIRST(a, b) ((a) < (b))
#define EACH 7
#define ITEMS 256
#define ROOM (ITEMS * EACH + 2)
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

// Stores EACH merged values from index `first` on, or fewer at the end, in `merged`.
INLINED void pointsman_merge_each(local const a_t* a, uint size_a, local const b_t* b, uint size_b,
                                  uint first, out_t* merged) {
    BISECT(i, first, a, b, size_a, size_b, uint)
    uint j = first - i;
    FOR_EACH (k, 0, EACH) {
        if (j < size_b && (i >= size_a || GOES_FIRST(b[j], a[i]))) {
            merged[k] = b[j];
            ++j;
        } else if (i < size_a) {
            merged[k] = a[i];
            ++i;
        }
    }
}

// Writes the merged values from index `begin` to `end`, at most ITEMS * EACH: copies the values of both arrays that
// belong there to `room`, where each work item merges EACH of them. `from_a` is local memory for two numbers.
INLINED void pointsman_merge_tile(global const a_t* a, ulong size_a, global const b_t* b,
                                  ulong size_b, ulong begin, ulong end, global out_t* out,
                                  local ulong* room, local ulong* from_a) {
    const uint me = get_local_id(0);
    const uint count = end - begin;
    for (uint k = me; k < 2; k += ITEMS) {
        const ulong before = begin + k * count;
        BISECT(i, before, a, b, size_a, size_b, ulong)
        from_a[k] = i;  // of the output up to `begin`, and up to `end`
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
    out_t merged[EACH];
    pointsman_merge_each(near_a, count_a, near_b, count_b, min(me * EACH, count), merged);
    barrier(CLK_LOCAL_MEM_FENCE);
    local out_t* all = (local out_t*)room;
    FOR_EACH (k, 0, EACH) {
        all[me * EACH + k] = merged[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = me; k < count; k += ITEMS) {
        out[begin + k] = all[k];
    }
}
