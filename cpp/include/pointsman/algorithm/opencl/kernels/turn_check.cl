// SPDX-License-Identifier: Apache-2.0
// Checks that each work group that has started makes progress while later ones wait for it.
#include "turns.cl"

// Each group waits for the one before it, but reads its word at most `most` times, and publishes 1 if that
// one and all before it were seen, else 0.
kernel void take_turns(global uint* taken, volatile global ulong* words, uint most) {
    local uint turn;
    const uint mine = pointsman_take_turn(taken, &turn);
    if (get_local_id(0) != 0) {
        return;
    }
    ulong before = WRITTEN | 1;
    if (mine != 0) {
        before = words[mine - 1];
        for (uint k = 0; k < most && (before & WRITTEN) == 0; ++k) {
            before = words[mine - 1];
        }
    }
    pointsman_publish(&words[mine], (uint)before);
}
