// SPDX-License-Identifier: Apache-2.0
// Goes before functions and kernels that handle values of half precision, with or without `cl_khr_fp16`: `half` is
// a type in memory alone, which any device converts, and kernels compute in `float`. Devices differ in the bits
// of NaN; these are NumPy's.

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
