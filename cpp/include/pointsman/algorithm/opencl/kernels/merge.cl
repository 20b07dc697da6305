// SPDX-License-Identifier: Apache-2.0
// Merges two sorted arrays, of `a_t` and `b_t`, into one of `out_t`, in the order of `GOES_FIRST`.
#include "item_part.cl"
#include "merge_range.cl"

// Each work item writes one part of the output.
kernel void merge_part(global const a_t* a, ulong at_a, global const b_t* b, ulong at_b,
                       ulong size_a, ulong size_b, ulong n, ulong part, global out_t* out,
                       ulong at_out) {
    PART_OF_ITEM(begin, end);
    pointsman_merge_range(a + at_a, size_a, b + at_b, size_b, begin, end, out + at_out);
}
