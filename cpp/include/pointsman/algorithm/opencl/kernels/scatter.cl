// SPDX-License-Identifier: Apache-2.0
// Writes each value to the index that another array has for it.

#ifndef POINTSMAN_KERNEL
#define value_t float
#define index_t int
#endif

kernel void scatter(global const value_t* x, global const index_t* indices, ulong at_indices,
                    global value_t* out, ulong at_out, ulong n) {
    const ulong i = get_global_id(0);
    if (i < n) {
        out[at_out + (ulong)indices[at_indices + i]] = x[i];
    }
}
