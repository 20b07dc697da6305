// SPDX-License-Identifier: Apache-2.0
// A pass of a radix sort by eight bits of `BITS(key)`, in which work items share local memory.
#include "item_sums.cl"

#ifndef POINTSMAN_KERNEL
#define key_t uint
#define BITS(key) (key)
#define LAST_KEY (~0u)
#define HAS_VALUES 1
#define VALUE_PARAMETERS \
    , global const int *values, ulong at_values, global int *out_values, ulong at_out_values
#define FOR_VALUES(DO) DO(int, values, out_values)
#define EACH 15
#endif

// A work group counts the digits of its part, and sorts the part by them tile by tile in local memory, by the
// lower four bits of the digit and then by the upper four, so that neighbouring work items write to
// neighbouring addresses. If the last tile has too few keys, it is filled with keys that come after all
// others. The keys of the next tile are loaded while a tile is sorted. Loops read before they write, so that
// no read waits for a write, and `words` are aligned so that a work item reads its words as vectors.
#define TILE (ITEMS * EACH)
#define DIGIT(key) ((uint)(BITS(key) >> shift) & 255)
#define MOVE_VALUE(type, from, to) to[at_##to + after] = from[at_##from + before];

// Counts the digits of each part. `counts` is ordered by digit, and for each digit by part.
kernel void count_digits(global const key_t* keys, ulong at_keys, ulong n, ulong part, uint shift,
                         ulong parts, global ulong* counts) {
    const uint me = get_local_id(0);
    const ulong first = get_group_id(0) * part, last = min(first + part, n);
    local uint count[256];
    for (uint digit = me; digit < 256; digit += ITEMS) {
        count[digit] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong i = first + me;
    for (; i + 3 * ITEMS < last; i += 4 * ITEMS) {
        key_t key[4];
        for (uint k = 0; k < 4; ++k) {
            key[k] = keys[at_keys + i + k * ITEMS];
        }
        for (uint k = 0; k < 4; ++k) {
            atomic_inc(&count[DIGIT(key[k])]);
        }
    }
    for (; i < last; i += ITEMS) {
        atomic_inc(&count[DIGIT(keys[at_keys + i])]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint digit = me; digit < 256; digit += ITEMS) {
        counts[digit * parts + get_group_id(0)] = count[digit];
    }
}

// Replaces the items' counts, two to a word, by the number of keys that go before those counted.
INLINED void keys_before_counts(local uint* words, local uint* sums) {
    const uint me = get_local_id(0);
    uint counts[8], both = 0;
    FOR_EACH (k, 0, 8) {
        counts[k] = words[me * 8 + k];
    }
    FOR_EACH (k, 0, 8) {
        both += counts[k];
    }
    const uint sum = (both & 0xffff) + (both >> 16);
    uint before = pointsman_sum_up_to_item(sum, sums) - sum;
    FOR_EACH (k, 0, 8) {
        const uint between = before + (counts[k] & 0xffff);
        words[me * 8 + k] = before | between << 16;
        before = between + (counts[k] >> 16);
    }
}

// Loads the work item's keys of the tile at `base`, with LAST_KEY beyond `last`.
INLINED void load_keys(global const key_t* keys, ulong base, ulong last, key_t* key) {
    const ulong mine = base + get_local_id(0);
    if (base + TILE <= last) {
        FOR_EACH (k, 0, EACH) {
            key[k] = keys[mine + k * ITEMS];
        }
    } else {
        FOR_EACH (k, 0, EACH) {
            key[k] = mine + k * ITEMS < last ? keys[mine + k * ITEMS] : LAST_KEY;
        }
    }
}

// Moves the keys of each part. `starts` has the output index of the first key of each digit and part.
kernel void move_keys(global const key_t* keys, ulong at_keys, ulong n, ulong part, uint shift,
                      ulong parts, global const ulong* starts, global key_t* out,
                      ulong at_out VALUE_PARAMETERS) {
    const uint me = get_local_id(0);
    const ulong first = get_group_id(0) * part, last = min(first + part, n);
    local key_t tile[TILE];
#if HAS_VALUES
    local ushort origins[TILE];
#endif
    local uint words[8 * ITEMS] __attribute__((aligned(32)));
    local uint sums[2 * ITEMS];
    local ushort* counts = (local ushort*)words;  // of a digit and item at digit * ITEMS + item
    local ulong next[256];
    local ushort from[256], upto[256];
    for (uint digit = me; digit < 256; digit += ITEMS) {
        next[digit] = at_out + starts[digit * parts + get_group_id(0)];
    }
    key_t ahead[EACH];
    load_keys(keys + at_keys, first, last, ahead);
    for (ulong base = first; base < last; base += TILE) {
        const uint count = min(last - base, (ulong)TILE);
        key_t key[EACH];
        FOR_EACH (k, 0, EACH) {
            tile[k * ITEMS + me] = ahead[k];
        }
        load_keys(keys + at_keys, base + TILE, last, ahead);
#if HAS_VALUES
        FOR_EACH (k, 0, EACH) {
            origins[k * ITEMS + me] = k * ITEMS + me;
        }
#endif
        for (uint low = shift; low < shift + 8; low += 4) {
            barrier(CLK_LOCAL_MEM_FENCE);
            // Each item ranks its consecutive keys among themselves ...
            FOR_EACH (k, 0, EACH) {
                key[k] = tile[me * EACH + k];
            }
#if HAS_VALUES
            ushort origin[EACH];
            FOR_EACH (k, 0, EACH) {
                origin[k] = origins[me * EACH + k];
            }
#endif
            ulong seen = 0, ranks = 0;  // four bits for each digit, and for each key
            FOR_EACH (k, 0, EACH) {
                const uint at = 4 * ((uint)(BITS(key[k]) >> low) & 15);
                ranks |= (seen >> at & 15) << 4 * k;
                seen += (ulong)1 << at;
            }
            FOR_EACH (digit, 0, 16) {
                counts[digit * ITEMS + me] = seen >> 4 * digit & 15;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            // ... then all together count the keys of lower digits, and of the same digit in earlier items.
            keys_before_counts(words, sums);
            barrier(CLK_LOCAL_MEM_FENCE);
            uint to[EACH];
            FOR_EACH (k, 0, EACH) {
                const uint digit = (uint)(BITS(key[k]) >> low) & 15;
                to[k] = counts[digit * ITEMS + me] + (uint)(ranks >> 4 * k & 15);
            }
            FOR_EACH (k, 0, EACH) {
                tile[to[k]] = key[k];
            }
#if HAS_VALUES
            FOR_EACH (k, 0, EACH) {
                origins[to[k]] = origin[k];
            }
#endif
        }
        for (uint digit = me; digit < 256; digit += ITEMS) {
            from[digit] = upto[digit] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint before[EACH];
        FOR_EACH (k, 0, EACH) {
            key[k] = tile[k * ITEMS + me];
        }
        FOR_EACH (k, 0, EACH) {
            before[k] = DIGIT(tile[max(k * ITEMS + me, 1u) - 1]);
        }
        FOR_EACH (k, 0, EACH) {
            if (DIGIT(key[k]) != before[k]) {
                from[DIGIT(key[k])] = upto[before[k]] = k * ITEMS + me;
            }
        }
        if (me == ITEMS - 1) {
            upto[DIGIT(key[EACH - 1])] = TILE;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        FOR_EACH (k, 0, EACH) {
            const uint at = k * ITEMS + me, digit = DIGIT(key[k]);
            const ulong to = next[digit] + at - from[digit];
            if (at < count) {
                out[to] = key[k];
#if HAS_VALUES
                const ulong before = base + origins[at], after = to - at_out;
                FOR_VALUES(MOVE_VALUE)
#endif
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint digit = me; digit < 256; digit += ITEMS) {
            next[digit] += upto[digit] - from[digit];
        }
    }
}
