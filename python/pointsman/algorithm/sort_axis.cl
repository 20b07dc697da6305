// SPDX-License-Identifier: Apache-2.0
// Moves values between an array and its lines one after the other. What is put in front defines the unsigned types
// `value_t`, as wide as the values, and `index_t`, of their indices.

#ifndef TYPES_ARE_DEFINED
typedef uint value_t;
typedef uint index_t;
#endif

// The index in an array of the shape (outer, n, inner) of the value with the index `i` in the shape (outer, inner, n).
ulong place_of(const ulong i, const ulong n, const ulong inner) {
    const ulong line = i / n;
    return (line / inner * n + i % n) * inner + line % inner;
}

// Writes the `count` values line by line, and their indices in that order.
kernel void line_up(global const value_t* values, const ulong n, const ulong inner,
                    const ulong count, global value_t* keys, global index_t* indices) {
    const ulong i = get_global_id(0);
    if (i < count) {
        keys[i] = values[place_of(i, n, inner)];
        indices[i] = i;
    }
}

// Writes the number of the line of each index.
kernel void number_lines(global const index_t* indices, const ulong n, const ulong count,
                         global index_t* lines) {
    const ulong i = get_global_id(0);
    if (i < count) {
        lines[i] = indices[i] / n;
    }
}

// Writes the values with the indices, which are sorted by line, to `out`.
kernel void take_values(global const value_t* values, global const index_t* indices, const ulong n,
                        const ulong inner, const ulong count, global value_t* out) {
    const ulong i = get_global_id(0);
    if (i < count) {
        out[place_of(i, n, inner)] = values[place_of(indices[i], n, inner)];
    }
}

// Writes the indices in each line, which are sorted by line, to `out`.
kernel void take_indices(global const index_t* indices, const ulong n, const ulong inner,
                         const ulong count, global long* out) {
    const ulong i = get_global_id(0);
    if (i < count) {
        out[place_of(i, n, inner)] = indices[i] % n;
    }
}
