# SPDX-License-Identifier: Apache-2.0
"""Reductions by functions give what NumPy's ufuncs and plain loops give."""

from __future__ import annotations

import functools
import itertools
import tracemalloc

import numpy as np
import pytest
from algorithm.references import SIZES, assert_equal, few_examples
from hypothesis import given
from hypothesis import strategies as st

import pointsman as pm
from pointsman.algorithm import _folded_function

SHAPES = [(1, 1), (4, 5), (2, 3, 4), (300, 7, 33), (3, 40_000), (40_000, 3), (2, 70_000)]


def test_functions_fold_as_numpys_operations_do(policy, values):
    for size in SIZES[1:]:
        x = values(size)
        pairs = [("x + y", np.add), (lambda x, y: np.maximum(x, y), np.maximum)]
        if x.dtype.kind in "iu":
            pairs += [(np.gcd, np.gcd), (np.bitwise_xor, np.bitwise_xor), ("x * y", np.multiply)]
        for f, ufunc in pairs:
            assert_equal(pm.reduce(policy, x, f), ufunc.reduce(x, dtype=x.dtype))
            assert_equal(pm.reduce(policy, x, f, 1), ufunc.reduce(x, dtype=x.dtype, initial=1))


def test_functions_fold_along_axes(policy, values):
    for shape in SHAPES:
        x = values(int(np.prod(shape))).reshape(shape)
        for axis, keepdims in itertools.product(range(-len(shape), len(shape)), [False, True]):
            ours = pm.reduce(policy, x, "x | y" if x.dtype.kind != "f" else np.fmax, axis=axis)
            ufunc = np.bitwise_or if x.dtype.kind != "f" else np.fmax
            assert_equal(ours, ufunc.reduce(x, axis))
            ours = pm.reduce(
                policy, x, lambda x, y: np.where(x < y, x, y), 1, axis=axis, keepdims=keepdims
            )
            assert_equal(ours, np.minimum.reduce(x, axis, initial=1, keepdims=keepdims))


@pytest.mark.parametrize("axes", [(0, 2), (0, 1, 3), (-1, 0), ()])
def test_the_host_folds_functions_along_any_axes(axes):
    x = np.arange(2 * 3 * 4 * 5_000).reshape(2, 3, 4, 5_000)
    for policy in (pm.seq, pm.par, pm.auto):
        assert_equal(pm.reduce(policy, x, "x ^ y", axis=axes), np.bitwise_xor.reduce(x, axes))


def test_no_order_of_the_values_is_left_out(policy):
    # With these functions each value has an effect of its own on the result.
    for size in SIZES[1:]:
        x = np.random.default_rng(size).integers(0, 2**16, size, np.uint64)
        both = pm.reduce(policy, x, "(x * y) % 65521")
        assert both == functools.reduce(lambda a, b: a * b % 65521, x.tolist())
        longs = x.astype(np.int64) - 2**15
        sums = pm.reduce(policy, longs, lambda x, y: x + y - 11)
        assert sums == longs.sum() - 11 * (size - 1)


@few_examples
@given(x=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=70))
def test_integers_wrap_around(policy, x):
    x = np.array(x, np.int64)
    assert_equal(pm.reduce(policy, x, "x + y + 5"), np.append(x, 5 * (len(x) - 1)).sum())


def test_values_have_the_type_that_the_function_returns(policy):
    x = np.array([3, 4, 12], np.int32)
    length = pm.reduce(policy, x, np.hypot)
    assert type(length) is np.float64
    np.testing.assert_allclose(length, 13, rtol=1e-12)
    assert_equal(pm.reduce(policy, x[:1], np.hypot), np.float64(3))
    assert_equal(pm.reduce(policy, x, "x | y", dtype=np.int8), np.int8(15))
    assert_equal(pm.reduce(policy, x, np.logical_and), np.True_)
    assert_equal(pm.reduce(policy, np.array([1, 0, 2]), np.logical_and), np.False_)


def test_values_that_are_not_zero_are_true(policy):
    for x in (np.array([0.5, 0.25]), np.array([256, 512], np.int16), np.array([2, 4], np.uint8)):
        assert_equal(pm.reduce(policy, x, np.logical_and), np.True_)
        assert_equal(pm.reduce(policy, x, np.logical_xor), np.False_)
        folds = pm.reduce(policy, np.stack([x, 0 * x]), np.logical_or, axis=0)
        assert_equal(folds, np.array([True, True]))
        both = pm.reduce(policy, np.stack([x, x]) != 0, "x + y", True, axis=0)
        assert_equal(both, np.array([True, True]))
        ours = pm.transform_reduce(policy, "x / 8", x, op=np.logical_and)
        assert_equal(ours, np.True_)


def test_results_of_functions_are_folded_by_functions(policy):
    x = np.arange(1, 70_001, dtype=np.float64)
    ours = pm.transform_reduce(policy, "1 / x", x, op=lambda x, y: x + y)
    np.testing.assert_allclose(ours, (1 / x).sum(), rtol=1e-13)


def test_a_fold_of_a_buffer_is_a_number_or_a_buffer(device_policy, opencl_queue):
    x = np.arange(6_000, dtype=np.int32).reshape(20, 300)
    buffer = opencl_queue.buffer(x)
    assert pm.reduce(device_policy, buffer, "x ^ y") == np.bitwise_xor.reduce(x, None)
    folds = pm.reduce(device_policy, buffer, "x ^ y", axis=0)
    assert isinstance(folds, pm.opencl.Buffer)
    assert_equal(opencl_queue.read(folds), np.bitwise_xor.reduce(x, 0))


def test_a_number_is_folded(policy):
    assert_equal(pm.reduce(policy, np.array(3.0), "x + y"), np.float64(3))
    assert_equal(pm.reduce(policy, np.array(3.0), "x + y", 2, keepdims=True), np.float64(5))


def test_a_fold_is_a_new_array(policy):
    x = np.ones((1, 40_000), np.int32)
    fold = pm.reduce(policy, x, "x ^ y", axis=0)
    fold[:] = 2
    assert x.min() == x.max() == 1


def test_nothing_is_folded_to_the_initial_value(policy):
    assert_equal(pm.reduce(policy, np.empty(0, np.int8), "x ^ y", 3), np.int8(3))
    ours = pm.reduce(policy, np.empty((0, 2), np.int8), "x ^ y", 3, axis=0)
    assert_equal(ours, np.full(2, 3, np.int8))
    assert pm.reduce(policy, np.empty((2, 0), np.int8), "x ^ y", axis=0).shape == (0,)
    with pytest.raises(ValueError, match="no values by a function has no identity: pass `initial`"):
        pm.reduce(policy, np.empty(0), "x + y")


@pytest.mark.parametrize(
    "f", ["x - y", "x + y*y", "x ** y", "(x + y) / 2", "x + 0*y", lambda x, y: y]
)
def test_a_fold_that_depends_on_the_order_is_refused(policy, f):
    with pytest.raises(ValueError, match="depend on the order: of .* it makes .* pass one that is"):
        pm.reduce(policy, np.ones(3), f)


def test_a_fold_of_bools_that_depends_on_the_order_is_refused(policy):
    with pytest.raises(ValueError, match="depend on the order: of f.False, False. and False"):
        pm.reduce(policy, np.ones(3, bool), "~x | y")


def test_folds_make_small_arrays():
    x = np.ones(4_000_000)
    table = x.reshape(4_000, 1_000)
    for call in (
        lambda: pm.reduce(pm.seq, x, "x + y - x*y"),
        lambda: pm.reduce(pm.seq, table, "x + y - x*y", axis=0),
        lambda: pm.reduce(pm.seq, table, "x + y - x*y", axis=1),
    ):
        tracemalloc.start()
        call()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < x.nbytes / 4


def test_a_function_that_is_traced_anew_is_tried_once():
    class Product:
        def __call__(self, x, y):
            return x * y

    operations = {_folded_function.reduction_of(Product()) for _ in range(3)}
    assert len(operations) == 1


def test_a_type_that_the_function_does_not_return_is_refused(policy):
    x = np.array([0.5, 1.5], np.float32)
    with pytest.raises(
        TypeError, match="of which the function makes float64: pass dtype='float64'"
    ):
        pm.reduce(policy, x, np.hypot, dtype=np.int32)


def test_an_operation_that_is_none_is_refused(policy):
    x = np.ones(3)
    for op in [3, "avg", "-", None, "x"]:
        with pytest.raises(TypeError, match=f"the operation is {op!r}: .* or a function such as"):
            pm.reduce(policy, x, op)
    with pytest.raises(TypeError, match="uses 'z'"):
        pm.reduce(policy, x, "x + y + z")
    with pytest.raises(TypeError, match="cannot be called with 2 values"):
        pm.reduce(policy, x, lambda x: x)
    with pytest.raises(TypeError, match="the operation is"):
        pm.inclusive_scan(policy, x, lambda x, y: x + y)
