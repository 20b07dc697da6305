# SPDX-License-Identifier: Apache-2.0
"""What NumPy gives, where that is right, and how results are compared with it."""

from __future__ import annotations

from typing import Any

import numpy as np

SIZES = [0, 1, 2, 31, 33, 1000, 65537]


def histogram(x: Any, bins: Any, limits: Any = None) -> tuple[Any, Any]:
    """``numpy.histogram``, of bools as bytes.

    It sorts where edges are given, and NumPy 2.2 sorts half precision wrongly with AVX-512.
    """
    if x.dtype == bool:
        x = x.view(np.uint8)
    if x.dtype == np.float16 and np.ndim(bins) != 0:
        x = x.astype(np.float32)
    counts, edges = np.histogram(x, bins, limits)
    return counts, edges


def assert_identical(ours: Any, numpys: Any) -> None:
    """Bit for bit."""
    assert ours.dtype == numpys.dtype
    assert ours.shape == numpys.shape
    assert ours.tobytes() == numpys.tobytes()


def assert_equal(ours: Any, numpys: Any, ulps: int = 0) -> None:
    """Bit for bit, but for floats: those may differ by ``ulps``, and zeros in their sign."""
    ours, numpys = np.asarray(ours), np.asarray(numpys)
    assert ours.dtype == numpys.dtype
    assert ours.shape == numpys.shape
    if ulps:
        np.testing.assert_array_max_ulp(ours, numpys, ulps)
    elif numpys.dtype.kind == "f":
        # Sums of whole numbers of these sizes are exact in every order.
        np.testing.assert_array_equal(ours, numpys)
    else:
        assert ours.tobytes() == numpys.tobytes()
