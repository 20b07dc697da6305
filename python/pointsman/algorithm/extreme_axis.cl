// SPDX-License-Identifier: Apache-2.0
// Finds the indices of the extreme values along an axis.

#ifndef value_t
#define value_t float
#define IS_FLOATING 1
#define IS_LEAST 1
#endif

// Returns true if `a` is more extreme than `b`; NaN is the most extreme.
int is_beyond(const value_t a, const value_t b) {
#if IS_FLOATING
    if (a != a || b != b) {
        return a != a && b == b;
    }
#endif
    return IS_LEAST ? a < b : a > b;
}

// For `values` of the shape (outer, n, inner), compares the candidates, indices along the axis of the shape
// (outer, taken, inner), in `parts` parts: part p is that of the candidates p, p + parts and so on. Writes the index
// of the most extreme value of each part, the first if there are several, to `found`, of the shape (outer, parts,
// inner), by one work item for each of its `count` indices. Without `candidates` these are all indices.
kernel void extreme_axis(global const value_t* values, const ulong n, global const long* candidates,
                         const ulong taken, const ulong inner, const ulong parts, const ulong count,
                         global long* found) {
    const ulong i = get_global_id(0);
    if (i >= count) {
        return;
    }
    const ulong outer = i / inner / parts;
    const ulong place = i % inner;
    global const value_t* const from = values + outer * n * inner + place;
    ulong best = n;
    for (ulong k = i / inner % parts; k < taken; k += parts) {
        const ulong index = candidates ? (ulong)candidates[(outer * taken + k) * inner + place] : k;
        const value_t value = from[index * inner];
        if (best == n || is_beyond(value, from[best * inner]) ||
            (index < best && !is_beyond(from[best * inner], value))) {
            best = index;
        }
    }
    found[i] = (long)best;
}

// The number of work items in a group of `extreme_rows`.
#ifndef ITEMS
#define ITEMS 256
#endif

// Like `extreme_axis` for rows of `n` values, whose candidates are in `parts` parts that follow each other, of
// `part` candidates, fewer in the last. `lanes` work items of a group share a part and read neighbouring values;
// `lanes` is a power of two that divides the size of the group.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void extreme_rows(
    global const value_t* values, const ulong n, global const long* candidates, const ulong taken,
    const ulong part, const ulong parts, const uint lanes, const ulong count, global long* found) {
    local ulong of_lanes[ITEMS];
    const uint me = get_local_id(0), lane = me % lanes;
    const ulong i = get_group_id(0) * (ITEMS / lanes) + me / lanes;
    const ulong row = i / parts, begin = i % parts * part;
    const uint size = i < count ? min(part, taken - begin) : 0;
    global const value_t* const restrict x = values + row * n;
    ulong best = n;
    value_t most = 0;
    for (uint k = lane; k < size; k += lanes) {
        const ulong index = candidates ? (ulong)candidates[row * taken + begin + k] : begin + k;
        const value_t value = x[index];
        if (best == n || is_beyond(value, most)) {
            best = index;
            most = value;
        }
    }
    of_lanes[me] = best;
    for (uint width = lanes / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < width && lane + width < size) {
            const ulong other = of_lanes[me + width];
            const value_t value = x[other];
            if (is_beyond(value, most) || (other < best && !is_beyond(most, value))) {
                best = other;
                most = value;
                of_lanes[me] = best;
            }
        }
    }
    if (lane == 0 && i < count) {
        found[i] = (long)best;
    }
}
