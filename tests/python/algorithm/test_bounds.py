# SPDX-License-Identifier: Apache-2.0
"""The extension's own loops of values and constant bounds give NumPy's results bit for bit."""

from __future__ import annotations

import platform
import warnings
from typing import Any

import numpy as np
import pytest
from algorithm.references import assert_identical

import pointsman as pm
from pointsman.algorithm._function import expression_of
from pointsman.algorithm._fused import Fused

SPECIAL = [0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1.0, -1.0, 5e-324, 9e99]
BOUNDS = [0.0, -0.0, np.nan, np.inf, -1.0, 1]
SIZE = 9_000  # more than a block, and no multiple of a vector

# Each with a second step, as NumPy is called for a single one.
FUNCTIONS: list[Any] = [
    lambda x, low, high: np.minimum(np.maximum(x, low), high),
    lambda x, low, high: np.maximum(np.minimum(x, high), low),
    lambda x, low, high: np.minimum(high, np.maximum(low, x)),
    lambda x, low, high: np.maximum(x, low) - np.minimum(x, high),
    lambda x, low, high: np.maximum(low, x) * np.minimum(high, x),
    lambda x, low, high: np.sqrt(np.abs(np.maximum(low, np.minimum(x, high)))),
    lambda x, low, high: np.maximum(np.maximum(x, low), high) + np.maximum(x + 1, -x),
]


def values(dtype: str) -> Any:
    """Any values, and special ones of floats."""
    random = np.random.default_rng(1)
    if np.dtype(dtype).kind != "f":
        return random.integers(0 if dtype[0] == "u" else -9, 9, SIZE).astype(dtype)
    x = random.standard_normal(SIZE) * 2
    places = random.integers(0, SIZE, SIZE // 3)
    x[places] = random.choice(SPECIAL, places.size)
    with np.errstate(over="ignore"):
        return x.astype(dtype)


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("high", BOUNDS)
def test_floats_are_bounded_as_numpy_does(number, dtype, high):
    function, x = FUNCTIONS[number], values(dtype)
    for low in BOUNDS:
        with warnings.catch_warnings(), np.errstate(invalid="ignore"):
            warnings.simplefilter("error")
            wanted = function(x, low, high)
            for policy in (pm.seq, pm.par):
                for size in (7, SIZE):
                    ours = pm.transform(policy, lambda v, low=low: function(v, low, high), x[:size])
                    np.testing.assert_array_equal(ours, wanted[:size])
                    numbers = ~np.isnan(ours)
                    assert_identical(ours[numbers], wanted[:size][numbers])


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "uint64"])
def test_integers_are_bounded_as_numpy_does(number, dtype):
    function, x = FUNCTIONS[number], values(dtype)
    for low, high in [(2, 5), (5, 2), (0, 0), (1, 127)]:
        wanted = function(x, low, high)
        for policy in (pm.seq, pm.par):
            ours = pm.transform(policy, lambda v, b=(low, high): function(v, *b), x)
            assert_identical(ours, wanted)


only_x86 = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="NumPy orders zeros of both signs otherwise"
)


@only_x86
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_one_loop_clips(dtype):
    def program(text: str) -> Any:
        return Fused(expression_of(text, 1), (np.dtype(dtype),))._program

    clips = "clip(x, 1, 5)", "maximum(minimum(x, 5), 1)", "minimum(maximum(0, x), 5)"
    for text in (*clips, "minimum(0, maximum(0, x))", "clip(x, 0, 0)"):
        assert program(text).is_native
        assert program(text).loops == 1
    # Of equal zeros, the first step returns the value and the second step the bound.
    assert program("minimum(maximum(0, x), 0)").loops == (2 if dtype[0] == "f" else 1)
    assert program("maximum(maximum(x, 1), 5)").loops == 2
    assert not program("maximum(x, x + 1)").is_native


@only_x86
def test_nan_is_left_to_numpy():
    for bound, is_native in ((1.0, True), (np.nan, False), (-np.nan, False)):
        f = expression_of(lambda v, b=bound: np.minimum(np.maximum(v, b), 5), 1)
        assert Fused(f, (np.dtype(float),))._program.is_native == is_native
