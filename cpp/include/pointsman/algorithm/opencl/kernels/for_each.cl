// SPDX-License-Identifier: Apache-2.0
// A loop over a constant number of values, which compilers unroll so that arrays of them stay in registers.

#define FOR_EACH(k, first, past) _Pragma("unroll") for (uint k = first; k < past; ++k)
