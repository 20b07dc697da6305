// SPDX-License-Identifier: Apache-2.0
// The part of an array that one work item processes, in kernels with parameters `n` and `part`.

// Declares `begin` and `end`, the indices of the part. Work items without a part return.
#define PART_OF_ITEM(begin, end)                 \
    const ulong begin = get_global_id(0) * part; \
    if (begin >= n)                              \
        return;                                  \
    const ulong end = min(begin + part, n)
