// SPDX-License-Identifier: Apache-2.0
// Scans `TRANSFORM` of values of `in_t` by `COMBINE` to `out_t`, with work items that share local memory.
// Each work group scans one tile, and publishes its fold for later groups, which wait for it: values are read
// once and written once.
#include "scan_tile.cl"
#include "turns.cl"

// Each tile publishes its fold, and the last tile of a batch the fold of everything up to its end. A tile combines
// the folds of the earlier tiles in its own and the previous batch with that of all batches before these, which
// was published a batch ago. Which folds are combined, and in which order, depends only on the tile: equal values
// have equal sums in every run.
#define BATCH (ITEMS > 1 ? ITEMS / 2 : 1)
#define WORDS ((sizeof(sum_t) + 3) / 4)

typedef union {
    sum_t value;
    uint words[WORDS];
} pointsman_bits;

INLINED void pointsman_publish_sum(volatile global ulong* words, const uint index,
                                   const sum_t sum) {
    pointsman_bits bits;
    bits.words[0] = 0;  // `sum` may be shorter
    bits.value = sum;
    FOR_EACH (k, 0, WORDS) {
        pointsman_publish(&words[(ulong)index * WORDS + k], bits.words[k]);
    }
}

INLINED sum_t pointsman_await_sum(volatile global const ulong* words, const uint index) {
    pointsman_bits bits;
    FOR_EACH (k, 0, WORDS) {
        bits.words[k] = pointsman_await(&words[(ulong)index * WORDS + k]);
    }
    return bits.value;
}

// Returns the fold of the tiles before number `turn`, 0 if there are none. The last tile of a batch publishes
// the fold up to its end; `all` is the fold of the tile itself.
INLINED sum_t pointsman_fold_earlier(const uint turn, const sum_t all, volatile global ulong* folds,
                                     volatile global ulong* batches, local sum_t* sums,
                                     local sum_t* batches_before) {
    const uint me = get_local_id(0), batch = turn / BATCH;
    const uint first = batch != 0 ? (batch - 1) * BATCH : 0, near = turn - first;
    if (me == 0 &&
        near != 0) {  // mostly the last to be published, so one item asks for it repeatedly
        pointsman_await_sum(folds, turn - 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (batch > 1 && me == ITEMS - 1) {
        *batches_before = pointsman_await_sum(batches, batch - 2);
    }
    if (me < near) {
        sums[me] = pointsman_await_sum(folds, first + me);
    }
    sum_t earlier = {0};
    if (near != 0) {
        earlier = pointsman_fold_sums(near, sums);
        earlier = batch > 1 ? COMBINE(*batches_before, earlier) : earlier;
    }
    if (turn % BATCH == BATCH - 1 && me == 0) {
        pointsman_publish_sum(batches, batch, near != 0 ? COMBINE(earlier, all) : all);
    }
    return earlier;
}

// `words` are zeros: the first counts the tiles begun; then come the folds of tiles and batches. `sums` has room
// for three sums of each work item.
kernel void scan_tiles(global const in_t* x, ulong at_x, ulong n, global ulong* words,
                       local sum_t* tile, local sum_t* sums, sum_t initial, int has_initial,
                       int is_exclusive, global out_t* out, ulong at_out) {
    local uint number;
    local sum_t batches_before;
    const uint turn = pointsman_take_turn((global uint*)words, &number);
    volatile global ulong* folds = words + 1;
    volatile global ulong* batches = folds + get_num_groups(0) * WORDS;
    const ulong base = (ulong)turn * TILE;
    const uint count = min(n - base, (ulong)TILE);
    in_t values[EACH];
    pointsman_load(x + at_x + base, count, values);
    pointsman_fill_tile(values, tile);
    local const sum_t* scanned = pointsman_scan_sums(pointsman_fold_own(tile), sums);
    const sum_t all = scanned[ITEMS - 1];
    if (get_local_id(0) == 0) {
        pointsman_publish_sum(folds, turn, all);
    }
    sum_t carry =
        pointsman_fold_earlier(turn, all, folds, batches, sums + 2 * ITEMS, &batches_before);
    if (has_initial) {
        carry = turn != 0 ? COMBINE(initial, carry) : initial;
    }
    pointsman_write_tile(tile, scanned, count, carry, has_initial || turn != 0, is_exclusive,
                         out + at_out + base);
}
