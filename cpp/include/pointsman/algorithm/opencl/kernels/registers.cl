// SPDX-License-Identifier: Apache-2.0
// Unrolled loops and inlined functions, with which arrays of a constant size stay in registers.

#define FOR_EACH(k, first, past) _Pragma("unroll") for (uint k = first; k < past; ++k)
#define INLINED static inline __attribute__((always_inline, unused))
