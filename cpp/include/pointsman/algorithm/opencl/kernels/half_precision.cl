// SPDX-License-Identifier: Apache-2.0
// Precedes functions and kernels that use half precision, with or without `cl_khr_fp16`: `half` is only a
// type in memory, which every device can convert, and kernels compute in `float`. Devices convert the bits of
// NaN differently; these functions do it as NumPy does.

__attribute__((always_inline)) float from_half(const ushort bits) {
    const uint sign = bits & 0x8000, rest = bits & 0x7fff;
    if (rest > 0x7c00) {
        return as_float(sign << 16 | 0x7f800000 | (rest & 0x3ff) << 13);
    }
    return vload_half(0, (private const half*)&bits);
}

__attribute__((always_inline)) ushort to_half(const float value) {
    const uint wide = as_uint(value);
    if (value != value) {
        return (wide >> 16 & 0x8000) | 0x7c00 | max(wide >> 13 & 0x3ff, 1u);
    }
    ushort bits;
    vstore_half_rte(value, 0, (private half*)&bits);
    return bits;
}

#define half float
