// SPDX-License-Identifier: Apache-2.0
// A pass of a radix sort by eight bits of `BITS(key)` that reads each key once: a work group sorts one tile, and
// waits for the numbers of keys that groups of earlier tiles have published.
#include "item_sums.cl"
#include "turns.cl"
#include "warp.cl"

#ifndef POINTSMAN_KERNEL
#define key_t uint
#define BITS(key) (key)
#define LAST_KEY (~0u)
#define VALUE_PARAMETERS \
    , global const int *values, ulong at_values, global int *out_values, ulong at_out_values
#define FOR_VALUES(DO) DO(int, values, out_values)
#define PASSES 4
#define EACH 24
#define ROOM (ITEMS * EACH / 2)
#endif

#define TILE (ITEMS * EACH)
#define WARPS (ITEMS / WARP)
#define DIGIT_AT(key, shift) ((uint)(BITS(key) >> (shift)) & 255)
#define DIGIT(key) DIGIT_AT(key, shift)

// A word has the number of a tile's keys of one digit, or of these and all that go before them in the output.
#define OF_TILE (1u << 30)
#define OF_ALL (2u << 30)
#define NUMBER (OF_TILE - 1)

// Adds the numbers of keys of each pass and digit to `counts`, which are zeros.
kernel void count_digits(global const key_t* keys, ulong at_keys, ulong n, global uint* counts) {
    const uint me = get_local_id(0);
    local uint count[PASSES * 256];
    for (uint i = me; i < PASSES * 256; i += ITEMS) {
        count[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong step = get_global_size(0);
    ulong i = get_global_id(0);
    for (; i + 3 * step < n; i += 4 * step) {
        key_t key[4];
        FOR_EACH (k, 0, 4) {
            key[k] = keys[at_keys + i + k * step];
        }
        FOR_EACH (k, 0, 4) {
            FOR_EACH (pass, 0, PASSES) {
                atomic_inc(&count[pass * 256 + DIGIT_AT(key[k], 8 * pass)]);
            }
        }
    }
    for (; i < n; i += step) {
        FOR_EACH (pass, 0, PASSES) {
            atomic_inc(&count[pass * 256 + DIGIT_AT(keys[at_keys + i], 8 * pass)]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint digit = me; digit < PASSES * 256; digit += ITEMS) {
        if (count[digit] != 0) {
            atomic_add(&counts[digit], count[digit]);
        }
    }
}

// Returns the sum of `own` of the tiles before number `turn`, and publishes it with that of this tile; in the first
// tile it is `start`.
INLINED uint pointsman_sum_earlier(const uint turn, const uint own, const uint start,
                                   volatile global uint* words) {
    uint sum = turn == 0 ? start : 0, word = turn == 0 ? OF_ALL : OF_TILE;
    for (uint earlier = turn; word < OF_ALL; sum += word & NUMBER) {
        --earlier;
        do {
            word = words[earlier * 256];
        } while (word == 0);
    }
    words[turn * 256] = OF_ALL | (sum + own);
    return sum;
}

// Moves values in the way of the tile's keys, through the same local memory.
#define MOVE_VALUE(type, from, to)                                         \
    {                                                                      \
        local type* moved = (local type*)room;                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                      \
        FOR_EACH (k, 0, EACH) {                                            \
            if (mine + k * WARP < count) {                                 \
                moved[rank[k]] = from[at_##from + base + mine + k * WARP]; \
            }                                                              \
        }                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                      \
        FOR_EACH (k, 0, EACH) {                                            \
            if (k * ITEMS + me < count) {                                  \
                to[at_##to + after[k]] = moved[k * ITEMS + me];            \
            }                                                              \
        }                                                                  \
    }

// Moves the keys. `counts` are those of all passes. `words` are zeros: the first one counts the tiles begun, and tile
// t publishes a word for each digit at 256 * (t + 1). A work group needs at least 256 items.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void move_keys(
    global const key_t* keys, ulong at_keys, uint n, uint shift, global const uint* counts,
    global uint* words, global key_t* out, ulong at_out VALUE_PARAMETERS) {
    const uint me = get_local_id(0), warp = me / WARP, lane = me % WARP;
    local ulong room[ROOM];
    local uint* of_warps = (local uint*)room;  // of a warp and digit at warp * 256 + digit
    local key_t* tile = (local key_t*)room;
    local uint sums[2 * ITEMS], to_tile[256], number;
    for (uint i = me; i < WARPS * 256; i += ITEMS) {
        of_warps[i] = 0;
    }
    const uint turn = pointsman_take_turn(words, &number);
    const uint base = turn * TILE, count = min(n - base, (uint)TILE);
    // If the last tile has too few keys, it is filled with keys that come after all others.
    const uint mine = warp * WARP * EACH + lane;
    key_t key[EACH];
    if (count == TILE) {
        FOR_EACH (k, 0, EACH) {
            key[k] = keys[at_keys + base + mine + k * WARP];
        }
    } else {
        FOR_EACH (k, 0, EACH) {
            key[k] = mine + k * WARP < count ? keys[at_keys + base + mine + k * WARP] : LAST_KEY;
        }
    }
    // Each warp counts its digits, and the group publishes the sums before the keys are ranked.
    local uint* next = of_warps + warp * 256;
    FOR_EACH (k, 0, EACH) {
        atomic_inc(&next[DIGIT(key[k])]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint in_tile = 0;
    volatile global uint* published = words + 256 + me;
    if (me < 256) {
        FOR_EACH (w, 0, WARPS) {
            in_tile += of_warps[w * 256 + me];
        }
        if (turn != 0) {
            published[turn * 256] = OF_TILE | in_tile;
        }
    }
    const uint first = pointsman_sum_up_to_item(in_tile, sums) - in_tile;
    if (me < 256) {
        uint before = first;
        FOR_EACH (w, 0, WARPS) {
            const uint of_warp = of_warps[w * 256 + me];
            of_warps[w * 256 + me] = before;
            before += of_warp;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // The first of the lanes whose keys have the same digit counts them all.
    const uint lower_lanes = (1u << lane) - 1;
    uint rank[EACH];
    FOR_EACH (k, 0, EACH) {
        const uint digit = DIGIT(key[k]);
        const uint lanes = pointsman_lanes_with(digit), before = next[digit];
        rank[k] = before + popcount(lanes & lower_lanes);
        pointsman_sync_warp();
        if ((lanes & lower_lanes) == 0) {
            next[digit] = before + popcount(lanes);
        }
        pointsman_sync_warp();
    }
    uint start = 0;
    if (turn == 0) {
        const uint of_digit = me < 256 ? counts[shift * 32 + me] : 0;
        start = pointsman_sum_up_to_item(of_digit, sums) - of_digit;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_EACH (k, 0, EACH) {
        tile[rank[k]] = key[k];
    }
    if (me < 256) {
        to_tile[me] = pointsman_sum_earlier(turn, in_tile, start, published) - first;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint after[EACH];
    FOR_EACH (k, 0, EACH) {
        const uint at = k * ITEMS + me;
        const key_t moved = tile[at];
        after[k] = to_tile[DIGIT(moved)] + at;
        if (at < count) {
            out[at_out + after[k]] = moved;
        }
    }
    FOR_VALUES(MOVE_VALUE)
}
