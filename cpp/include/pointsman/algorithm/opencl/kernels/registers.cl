// SPDX-License-Identifier: Apache-2.0
// Loops and functions that compilers resolve, so that arrays of a constant size stay in registers.

#define FOR_EACH(k, first, past) _Pragma("unroll") for (uint k = first; k < past; ++k)
#define INLINED static inline __attribute__((always_inline))
