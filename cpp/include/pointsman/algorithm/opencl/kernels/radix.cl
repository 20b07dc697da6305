// SPDX-License-Identifier: Apache-2.0
// A pass of a radix sort by eight bits of `BITS(key)`, in which each work item processes its own part.
#include "item_part.cl"

#ifndef POINTSMAN_KERNEL
#define key_t uint
#define BITS(key) (key)
#define VALUE_PARAMETERS \
    , global const int *values, ulong at_values, global int *out_values, ulong at_out_values
#define FOR_VALUES(DO) DO(int, values, out_values)
#endif

#define DIGIT(key) ((BITS(key) >> shift) & 255)
#define MOVE_VALUE(type, from, to) to[at_##to + after] = from[at_##from + before];

// Counts the digits of each part. `counts` is ordered by digit, and for each digit by part.
kernel void count_digits(global const key_t* keys, ulong at_keys, ulong n, ulong part, uint shift,
                         ulong parts, global ulong* counts) {
    PART_OF_ITEM(begin, end);
    uint count[256];
    for (int digit = 0; digit < 256; ++digit) {
        count[digit] = 0;
    }
    for (ulong i = begin; i < end; ++i) {
        ++count[DIGIT(keys[at_keys + i])];
    }
    for (int digit = 0; digit < 256; ++digit) {
        counts[digit * parts + get_global_id(0)] = count[digit];
    }
}

// Moves the keys of each part, one after the other. `starts` has the output index of the first key of each
// digit and part.
kernel void move_keys(global const key_t* keys, ulong at_keys, ulong n, ulong part, uint shift,
                      ulong parts, global const ulong* starts, global key_t* out,
                      ulong at_out VALUE_PARAMETERS) {
    PART_OF_ITEM(begin, end);
    ulong next[256];
    for (int digit = 0; digit < 256; ++digit) {
        next[digit] = starts[digit * parts + get_global_id(0)];
    }
    for (ulong before = begin; before < end; ++before) {
        const key_t key = keys[at_keys + before];
        const ulong after = next[DIGIT(key)]++;
        out[at_out + after] = key;
        FOR_VALUES(MOVE_VALUE)
    }
}
