// SPDX-License-Identifier: Apache-2.0
// The part of an array that a work item has to itself, in kernels with parameters `n` and `part`.

// Declares the first index of the part and the one past its last. There may be more work items than parts:
// those left over return.
#define PART_OF_ITEM(begin, end)                 \
    const ulong begin = get_global_id(0) * part; \
    if (begin >= n)                              \
        return;                                  \
    const ulong end = min(begin + part, n)
