// SPDX-License-Identifier: Apache-2.0
// Finds the indices at which values belong in a sorted array, by binary search; one work item for each value.

#ifndef key_t
#define key_t float
#define IS_FLOATING 1
#define IS_RIGHT 0
#endif

// Returns true if `a` is before `b` in NumPy's order, which has NaN last.
int is_before(const key_t a, const key_t b) {
#if IS_FLOATING
    return a < b || (b != b && a == a);
#else
    return a < b;
#endif
}

// Counts, for each of the `n` values, the elements of `a` that are before it, and those equal to it too if
// IS_RIGHT.
kernel void searchsorted(global const key_t* a, const ulong size, global const key_t* values,
                         const ulong n, global long* indices) {
    const ulong i = get_global_id(0);
    if (i >= n) {
        return;
    }
    const key_t value = values[i];
    ulong begin = 0;
    ulong end = size;
    while (begin < end) {
        const ulong middle = begin + (end - begin) / 2;
        if (IS_RIGHT ? !is_before(value, a[middle]) : is_before(a[middle], value)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    indices[i] = (long)begin;
}
