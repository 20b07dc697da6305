// SPDX-License-Identifier: Apache-2.0
// Work items of a warp, which run in step. NVIDIA's OpenCL C has no functions for them, but takes assembly
// language. WARP is 32 there, and 1 on other devices, on which no work items are known to run in step.
#include "registers.cl"

#ifndef POINTSMAN_KERNEL
#define WARP 32
#endif

#if WARP == 32
// Returns the lanes, one bit for each, whose work items have the same lower eight bits in `digit`.
INLINED uint pointsman_lanes_with(const uint digit) {
    uint same = ~0u;
    FOR_EACH (bit, 0, 8) {
        uint lanes;
        __asm__ volatile(
            "{ .reg .pred is_set;\n"
            "and.b32 %0, %1, %2;\n"
            "setp.ne.u32 is_set, %0, 0;\n"
            "vote.sync.ballot.b32 %0, is_set, 0xffffffff;\n"
            "@!is_set not.b32 %0, %0; }"
            : "=r"(lanes)
            : "r"(digit), "r"(1u << bit));
        same &= lanes;
    }
    return same;
}

// What items of the warp have written to local memory before, the others read after.
INLINED void pointsman_sync_warp(void) {
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}
#else
#define pointsman_lanes_with(digit) 1u
#define pointsman_sync_warp()
#endif
