# SPDX-License-Identifier: Apache-2.0
"""Constants keep all of their bits on the way into a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm

BITS = {
    np.float16: [0x7E00, 0xFE00, 0x7C00, 0xFC00, 0x8000, 0x0001, 0x83FF, 0x7BFF],
    np.float32: [0x7FC00000, 0xFFC00001, 0x7F800000, 0xFF800000, 0x80000000, 1, 0x807FFFFF],
    np.float64: [0x7FF8 << 48, 0xFFF8000000000001, 0xFFF0 << 48, 1 << 63, 1, 0x7FEFFFFFFFFFFFFF],
    np.int64: [0x7FFFFFFFFFFFFFFF, 1 << 63, 0xFFFFFFFFFFFFFFFF],
    np.uint64: [0xFFFFFFFFFFFFFFFF, 1 << 63],
    np.int8: [0x7F, 0x80, 0xFF],
}


@pytest.mark.parametrize("dtype", BITS, ids=lambda dtype: dtype.__name__)
def test_a_constant_has_the_same_bits_under_every_policy(policy: Any, dtype: Any) -> None:
    unsigned = np.dtype(f"u{np.dtype(dtype).itemsize}")
    for bits in BITS[dtype]:
        constant = np.array(bits, unsigned).view(dtype)[()]
        got = pm.transform(policy, lambda x, c=constant: np.where(x != 0, c, x), np.ones(3, dtype))
        assert got.dtype == dtype
        assert got.view(unsigned).tolist() == [bits] * 3, hex(bits)
