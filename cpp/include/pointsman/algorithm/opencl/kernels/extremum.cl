// SPDX-License-Identifier: Apache-2.0
// Finds the index of the least or greatest value of `value_t`, as `LATER_WINS` defines it.
#include "item_part.cl"

#ifndef POINTSMAN_KERNEL
#define value_t int
#define LATER_WINS(later, earlier) ((later) < (earlier))
#endif

#define BLOCK 1024
#define LANES 16
#define BETTER(later, earlier) (LATER_WINS(later, earlier) ? (later) : (earlier))

// Returns the index of the best value among those at `start`, `start + step` and so on, before `end`.
ulong pointsman_index_of_best(global const value_t* x, const ulong start, const ulong end,
                              const ulong step) {
    ulong index = start;
    value_t best = x[start];
    for (ulong i = start + step; i < end; i += step) {
        const value_t value = x[i];
        if (LATER_WINS(value, best)) {
            best = value;
            index = i;
        }
    }
    return index;
}

// Each work item first finds the block of its part that contains the extremum, in as many lanes as a vector
// register may have, and then the index in that block.
kernel void find_in_parts(global const value_t* x, ulong at_x, ulong n, ulong part,
                          global value_t* values, global ulong* indices) {
    PART_OF_ITEM(begin, end);
    x += at_x;
    ulong best_block = begin;
    value_t best_of_all = x[begin];
    for (ulong block = begin; block < end; block += BLOCK) {
        const ulong block_end = min(block + BLOCK, end);
        value_t lanes[LANES];
        for (int k = 0; k < LANES; ++k) {
            lanes[k] = x[min(block + k, end - 1)];
        }
        ulong i = block + LANES;
        for (; i + LANES <= block_end; i += LANES) {
            for (int k = 0; k < LANES; ++k) {
                lanes[k] = BETTER(x[i + k], lanes[k]);
            }
        }
        for (; i < block_end; ++i) {
            lanes[0] = BETTER(x[i], lanes[0]);
        }
        for (int width = LANES / 2; width != 0; width /= 2) {
            for (int k = 0; k < width; ++k) {
                lanes[k] = BETTER(lanes[k + width], lanes[k]);
            }
        }
        if (LATER_WINS(lanes[0], best_of_all)) {
            best_of_all = lanes[0];
            best_block = block;
        }
    }
    const ulong index = pointsman_index_of_best(x, best_block, min(best_block + BLOCK, end), 1);
    values[get_global_id(0)] = x[index];
    indices[get_global_id(0)] = index;
}

// Each work item searches values at a stride of the global size, and its group reduces the items' results in
// local memory by halves.
kernel void find(global const value_t* x, ulong at_x, ulong n, local value_t* value_of,
                 local ulong* index_of, global value_t* values, global ulong* indices) {
    const size_t me = get_local_id(0), items = get_local_size(0);
    x += at_x;
    if (get_global_id(0) < n) {
        const ulong index = pointsman_index_of_best(x, get_global_id(0), n, get_global_size(0));
        value_of[me] = x[index];
        index_of[me] = index;
    }
    size_t filled = min(n - get_group_id(0) * items, (ulong)items);
    for (size_t width = items / 2; width != 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const size_t other = me + width;
        if (me < width && other < filled) {
            const bool other_wins = index_of[me] < index_of[other]
                                        ? LATER_WINS(value_of[other], value_of[me])
                                        : !LATER_WINS(value_of[me], value_of[other]);
            if (other_wins) {
                value_of[me] = value_of[other];
                index_of[me] = index_of[other];
            }
        }
        filled = min(filled, width);
    }
    if (me == 0) {
        values[get_group_id(0)] = value_of[0];
        indices[get_group_id(0)] = index_of[0];
    }
}
