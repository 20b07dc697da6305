# SPDX-License-Identifier: Apache-2.0
"""NumPy's results, corrected where NumPy is wrong, and comparisons with them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings

SIZES = [0, 1, 2, 31, 33, 1000, 65537]
ALL_NUMPYS = [
    ("+", np.add),
    ("*", np.multiply),
    ("min", np.minimum),
    ("max", np.maximum),
]
# Axes of an array of two dimensions that an algorithm along one axis refuses, and what it says.
WRONG_AXES = [
    (2, ValueError, "axis 2 is out of bounds"),
    (-3, IndexError, "axis -3 is out of bounds"),
    ((0,), TypeError, r"`axis` is \(0,\): pass one integer"),
    ([0], TypeError, r"`axis` is \[0\]: pass one integer"),
    (True, TypeError, "integer"),
    (0.5, TypeError, "integer"),
    ("x", TypeError, "integer"),
    (None, ValueError, r"has the shape \(2, 2\): pass one of one dimension, .* and axis="),
]
# Examples are drawn slowly on a busy machine; fixtures of functions are policies and types.
few_examples = settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
    ],
)


def histogram(
    x: Any, bins: Any, limits: Any = None, density: bool = False, weights: Any = None
) -> tuple[Any, Any]:
    """Calls ``numpy.histogram``, with bools converted to bytes.

    Given edges, NumPy sorts the values, and NumPy 2.2 sorts float16 wrongly with AVX-512.
    """
    if x.dtype == bool:
        x = x.view(np.uint8)
    if x.dtype == np.float16 and np.ndim(bins) != 0:
        x = x.astype(np.float32)
    counts, edges = np.histogram(x, bins, limits, density, weights)
    return counts, edges


def assert_identical(ours: Any, numpys: Any) -> None:
    """Asserts that two arrays have the same type, shape and bits."""
    assert ours.dtype == numpys.dtype
    assert ours.shape == numpys.shape
    assert ours.tobytes() == numpys.tobytes()


def outcome(call: Callable[[], Any]) -> tuple[Any, list[str]]:
    """What ``call`` returns, and the texts of its warnings."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = call()
    return result, sorted({str(each.message) for each in seen})


def with_one_nan(array: Any) -> Any:
    """The array with every NaN the same: of two NaN, NumPy's loops keep the first or the second, by
    the processor and by where a value is in a vector."""
    if array.dtype.kind != "f":
        return array
    return np.where(np.isnan(array), np.array(np.nan, array.dtype), array)


def assert_equal(ours: Any, numpys: Any, ulps: int = 0) -> None:
    """Asserts the same bits, except that floats may differ by ``ulps``, and zeros in their sign."""
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
