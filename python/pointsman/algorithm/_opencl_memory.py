# SPDX-License-Identifier: Apache-2.0
# How kernels read values from the memory of a device, and write them there.
"""float16 is a type in memory alone: kernels compute in float, and round what each step gives.

So does NumPy. OpenCL C converts both ways on every device, with or without ``cl_khr_fp16``, as long
as there are pointers to half only, and no variables.
"""

from __future__ import annotations

import numpy as np

from pointsman.algorithm._expression import DType
from pointsman.algorithm._opencl_operations import C_TYPES

HALF = np.dtype(np.float16)
# Devices differ in the bits of NaN: these are NumPy's.
CONVERSIONS = """
float from_half(ushort bits) {
    const uint sign = bits & 0x8000, rest = bits & 0x7fff;
    if (rest > 0x7c00) return as_float(sign << 16 | 0x7f800000 | (rest & 0x3ff) << 13);
    return vload_half(0, (private const half*)&bits);
}
ushort to_half(float value) {
    const uint wide = as_uint(value);
    if (value != value) return wide >> 16 & 0x8000 | 0x7c00 | max(wide >> 13 & 0x3ff, 1u);
    ushort bits;
    vstore_half_rte(value, 0, (private half*)&bits);
    return bits;
}
"""


def with_conversions(text: str) -> str:
    """A program with the functions that convert, where it calls them."""
    return CONVERSIONS + text if "_half(" in text else text


def computed_type(dtype: DType) -> DType:
    """The type in which kernels compute with values of the type."""
    return np.dtype(np.float32) if dtype == HALF else dtype


def memory_type(dtype: DType) -> str:
    """The type of values in memory, in OpenCL C."""
    return "ushort" if dtype == HALF else C_TYPES[dtype]


def loaded(dtype: DType, value: str) -> str:
    """A value from memory, to compute with."""
    return f"from_half({value})" if dtype == HALF else value


def stored(dtype: DType, value: str) -> str:
    """A computed value as it is in memory."""
    return f"to_half({value})" if dtype == HALF else value


def rounded(dtype: DType, value: str) -> str:
    """A computed value as one of the type."""
    return f"from_half(to_half({value}))" if dtype == HALF else f"({C_TYPES[dtype]})({value})"
