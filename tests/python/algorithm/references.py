# SPDX-License-Identifier: Apache-2.0
"""What NumPy gives, where that is right."""

from __future__ import annotations

from typing import Any

import numpy as np


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
