// SPDX-License-Identifier: Apache-2.0
// Sums over the work items of a group.
#include "registers.cl"

#ifndef POINTSMAN_KERNEL
#define ITEMS 256
#endif

// Returns the sum of `own` of this and all earlier work items; `sums` has room for two sums of each item.
INLINED uint pointsman_sum_up_to_item(uint own, local uint* sums) {
    const uint me = get_local_id(0);
    uint sum = own, at = 0;
    sums[me] = sum;
    for (uint width = 1; width < ITEMS; width *= 4) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 1; k < 4; ++k) {
            sum += me >= k * width ? sums[at + me - k * width] : 0;
        }
        at = ITEMS - at;
        sums[at + me] = sum;
    }
    return sum;
}
