// SPDX-License-Identifier: Apache-2.0
// Work groups that wait for what others have written. Groups may start in any order, so each takes a number
// when it starts, and waits only for groups with lower numbers: these have started and make progress.
#include "registers.cl"

// A word holds 32 bits and, above them, whether they have been written. Devices with 64-bit atomics read and
// write aligned words as a whole, so nothing else needs to be ordered.
#define WRITTEN ((ulong)1 << 32)

// Returns the number of the work group. `taken` counts the groups that have started; `turn` is scratch.
INLINED uint pointsman_take_turn(global uint* taken, local uint* turn) {
    if (get_local_id(0) == 0) {
        *turn = atomic_inc(taken);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return *turn;
}

INLINED void pointsman_publish(volatile global ulong* word, const uint bits) {
    *word = WRITTEN | bits;
}

// Waits until `word` is written, and returns its bits.
INLINED uint pointsman_await(volatile global const ulong* word) {
    ulong now = *word;
    while ((now & WRITTEN) == 0) {
        now = *word;
    }
    return (uint)now;
}
