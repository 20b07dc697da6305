# SPDX-License-Identifier: Apache-2.0
"""Reductions along axes give NumPy's results, whatever the shape."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from algorithm.references import assert_equal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm

# Small ones, and ones with many rows, with wide rows, and with few or many rows of several axes.
SHAPES = [
    (3,),
    (1, 1),
    (4, 5),
    (2, 3, 4),
    (3, 1, 2, 5),
    (70_000,),
    (40_000, 3),
    (3, 40_000),
    (2, 70_000),
    (300, 7, 33),
    (2, 70_000, 2),
    (2, 2, 70_000),
]
ALL_NUMPYS = [
    ("+", np.add),
    ("*", np.multiply),
    ("min", np.minimum),
    ("max", np.maximum),
]

few_examples = settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def axes_of(ndim: int) -> list[Any]:
    """Each set of axes that follow each other, some of them counted from the end."""
    single: list[Any] = [*range(-ndim, ndim)]
    return [*single, *(tuple(range(a, b)) for a in range(ndim) for b in range(a + 1, ndim + 1))]


def test_folds_along_axes_are_numpys(policy, values):
    for shape in SHAPES:
        x = values(int(np.prod(shape))).reshape(shape)
        signs = np.minimum(x, 1).astype(x.dtype) if x.dtype.kind in "bu" else np.sign(x)
        for axis, keepdims in itertools.product(axes_of(len(shape)), [False, True]):
            for op, ufunc in ALL_NUMPYS[: 1 if keepdims else 4]:
                y = signs if op == "*" or x.dtype == np.float16 else x
                ours = pm.reduce(policy, y, op, axis=axis, keepdims=keepdims)
                assert_equal(ours, ufunc.reduce(y, axis, keepdims=keepdims))


def test_folds_along_axes_take_a_type_and_an_initial_value(policy, values):
    for shape in [(4, 5), (300, 7, 33), (3, 40_000)]:
        x = values(int(np.prod(shape))).reshape(shape)
        for axis in range(len(shape)):
            ours = pm.reduce(policy, x, "min", 1, axis=axis)
            assert_equal(ours, np.minimum.reduce(x, axis, initial=1))
            ours = pm.reduce(policy, x, initial=2, dtype="int64", axis=axis)
            assert_equal(ours, np.add.reduce(x.astype(np.int64), axis, initial=2))


def test_functions_are_folded_along_axes(policy):
    x = np.arange(90_000, dtype=np.int32).reshape(300, 300) % 7
    for axis in (0, 1, None):
        ours = pm.transform_reduce(policy, "x * y", x, x[::-1], "max", axis=axis)
        assert_equal(ours, np.max(x * x[::-1], axis))
        ours = pm.transform_reduce(policy, lambda a: 3, x, axis=axis, keepdims=True)
        assert_equal(ours, np.full(x.shape, 3).sum(axis, keepdims=True))


@pytest.mark.parametrize("axes", [(0, 2), (0, 1, 3), (-1, 0), ()])
def test_the_host_folds_along_any_axes(axes):
    x = np.arange(2 * 3 * 4 * 5_000).reshape(2, 3, 4, 5_000)
    for policy in (pm.seq, pm.par, pm.auto):
        assert_equal(pm.reduce(policy, x, axis=axes), np.add.reduce(x, axes))


def test_a_device_names_the_axes_that_it_cannot_fold(device_policy):
    with pytest.raises(TypeError, match=r"not along \(0, 2\): call once for each"):
        pm.reduce(device_policy, np.ones((2, 3, 4)), axis=(0, 2))


def test_the_results_of_a_buffer_are_in_a_buffer(device_policy, opencl_queue):
    x = np.arange(600, dtype=np.float32).reshape(20, 30)
    buffer = opencl_queue.buffer(x)
    sums = pm.reduce(device_policy, buffer, axis=0)
    assert isinstance(sums, pm.opencl.Buffer)
    assert_equal(opencl_queue.read(sums), x.sum(0))
    same = pm.reduce(device_policy, opencl_queue.buffer(x[None]), axis=0)
    assert_equal(opencl_queue.read(same), x)
    row = opencl_queue.buffer(x[:1])
    kept = pm.reduce(device_policy, row, axis=0, keepdims=True)
    pm.fill(device_policy, row, 0)
    assert_equal(opencl_queue.read(kept), x[:1])
    least = pm.argmin(device_policy, buffer, axis=1, keepdims=True)
    assert isinstance(least, pm.opencl.Buffer)
    assert_equal(opencl_queue.read(least), x.argmin(1, keepdims=True))


@few_examples
@given(data=st.data(), dtype=st.sampled_from(["float16", "float32", "float64"]))
def test_special_values_are_folded_as_numpy_does(policy, data, dtype):
    some = st.sampled_from([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan])
    x = data.draw(hnp.arrays(dtype, hnp.array_shapes(max_dims=3, max_side=9), elements=some))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    with np.errstate(invalid="ignore"):
        for op, ufunc in ALL_NUMPYS:
            assert_equal(pm.reduce(policy, x, op, axis=axis), ufunc.reduce(x, axis))
    for ours, numpys in ((pm.argmin, np.argmin), (pm.argmax, np.argmax)):
        assert_equal(ours(policy, x, axis), numpys(x, axis))


def test_indices_along_an_axis_are_numpys(policy, values):
    for shape in SHAPES:
        x = values(int(np.prod(shape))).reshape(shape)
        for axis in range(-len(shape), len(shape)):
            assert_equal(pm.argmin(policy, x, axis), np.argmin(x, axis))
            ours = pm.argmax(policy, x, axis=axis, keepdims=True)
            assert_equal(ours, np.expand_dims(np.argmax(x, axis), axis))
        assert_equal(pm.argmin(policy, x, keepdims=True), np.full((1,) * x.ndim, np.argmin(x)))


def test_sums_along_axes_stay_within_the_stated_bound(policy):
    x = np.random.default_rng(1).random((3, 200_000, 2), np.float32)
    on_host = isinstance(policy, pm.execution.HostPolicy)
    for axis, length in ((1, 200_000), (2, 2), ((0, 1), 600_000), ((1, 2), 400_000)):
        exact = x.astype(np.float64).sum(axis)
        units = length if on_host else 1_300 + length / 65_536
        units = length if policy is pm.auto else units
        error = np.abs(pm.reduce(policy, x, axis=axis).astype(np.float64) - exact)
        assert np.all(error <= units * np.spacing(exact.astype(np.float32)))


def test_axes_of_nothing_are_folded_as_numpy_does(policy):
    for shape in [(0, 3), (3, 0), (2, 0, 4)]:
        x = np.empty(shape, np.int32)
        for axis in range(len(shape)):
            assert_equal(pm.reduce(policy, x, axis=axis), np.add.reduce(x, axis))
            if shape[axis]:
                assert_equal(pm.argmax(policy, x, axis), np.argmax(x, axis))
                continue
            with pytest.raises(ValueError, match="no identity"):
                pm.reduce(policy, x, "min", axis=axis)
            with pytest.raises(ValueError, match=r"axis \d of an array of the shape .* no values"):
                pm.argmin(policy, x, axis)


@pytest.mark.parametrize(
    ("axis", "error", "said"),
    [
        (2, ValueError, "axis 2 is out of bounds"),
        (-3, IndexError, "axis -3 is out of bounds"),
        ((0, 0), ValueError, "duplicate"),
        (0.5, TypeError, "integer"),
        ("x", TypeError, "integer"),
    ],
)
def test_wrong_axes_are_refused_as_numpy_does(policy, axis, error, said):
    with pytest.raises(error, match=said):
        pm.reduce(policy, np.ones((2, 2)), axis=axis)
    with pytest.raises(TypeError if isinstance(axis, tuple) else error):
        pm.argmin(policy, np.ones((2, 2)), axis)
