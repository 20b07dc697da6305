# SPDX-License-Identifier: Apache-2.0
"""``where=`` of reductions: only values at True are folded, as NumPy does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithm.references import SIZES, assert_equal, few_examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm

SHAPES = [(3,), (4, 5), (2, 3, 4), (70_000,), (300, 7, 33), (3, 40_000), (40_000, 3)]
ALL = [
    ("+", np.add, None),
    ("*", np.multiply, None),
    ("min", np.minimum, 1),
    ("max", np.maximum, 1),
]


def test_selected_values_are_folded_as_numpy_does(policy, values, random):
    for size in SIZES:
        x = values(size)
        signs = np.minimum(x, 1).astype(x.dtype) if x.dtype.kind in "bu" else np.sign(x)
        for share in (0.0, 0.1, 1.0):
            mask = random.random(size) < share
            for op, ufunc, initial in ALL:
                y = signs if op == "*" or x.dtype == np.float16 else x
                options = {} if initial is None else {"initial": initial}
                ours = pm.reduce(policy, y, op, initial, where=mask)
                assert_equal(ours, ufunc.reduce(y, where=mask, **options))


def test_selected_values_are_folded_along_axes(policy, values, random):
    for shape in SHAPES:
        x = values(int(np.prod(shape))).reshape(shape)
        mask = random.random(shape) < 0.5
        for axis in range(-len(shape), len(shape)):
            ours = pm.reduce(policy, x, "min", 1, axis=axis, keepdims=True, where=mask)
            assert_equal(ours, np.minimum.reduce(x, axis, initial=1, keepdims=True, where=mask))
            ours = pm.reduce(policy, x, axis=axis, dtype=np.int64, where=mask)
            assert_equal(ours, np.add.reduce(x.astype(np.int64), axis, where=mask))


def test_a_selection_is_broadcast(policy):
    x = np.arange(60_000).reshape(300, 200)
    for mask in (np.True_, False, x[0] % 3 == 0, x[:, :1] % 7 == 0, [True, False] * 100):
        for axis in (None, 0, 1):
            assert_equal(pm.reduce(policy, x, where=mask, axis=axis), x.sum(axis, where=mask))


def test_functions_of_selected_values_are_folded(policy):
    x = np.arange(90_000, dtype=np.int32).reshape(300, 300) % 7
    mask = x != 3
    for axis in (0, 1, None):
        ours = pm.transform_reduce(policy, "x * y", x, x[::-1], axis=axis, where=mask)
        assert_equal(ours, np.sum(x * x[::-1], axis, where=mask))
        ours = pm.transform_reduce(policy, lambda a: 3, x, None, "max", 1, axis=axis, where=~mask)
        assert_equal(ours, np.max(np.full(x.shape, 3), axis, where=~mask, initial=1))


@few_examples
@given(data=st.data(), dtype=st.sampled_from(["float16", "float32", "float64"]))
def test_values_that_are_not_selected_have_no_effect(policy, data, dtype):
    some = st.sampled_from([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan])
    x = data.draw(hnp.arrays(dtype, hnp.array_shapes(max_dims=3, max_side=9), elements=some))
    mask = data.draw(hnp.arrays(bool, x.shape))
    axis = data.draw(st.sampled_from([None, *range(x.ndim)]))
    with np.errstate(invalid="ignore", over="ignore"):
        for op, ufunc, initial in ALL:
            options = {} if initial is None else {"initial": initial}
            ours = pm.reduce(policy, x, op, initial, axis=axis, where=mask)
            numpys = ufunc.reduce(x, axis, where=mask, **options)
            assert_equal(ours, numpys)
            if op == "+":  # zeros of both signs, too
                is_zero = np.equal(numpys, 0)
                assert_equal(np.signbit(ours) & is_zero, np.signbit(numpys) & is_zero)


def test_a_buffer_of_bytes_selects(device_policy, opencl_queue):
    x = np.arange(6_000, dtype=np.float32).reshape(20, 300)
    selected = (x % 3).astype(np.uint8)  # 0, 1 and 2
    buffers = opencl_queue.buffer(x), opencl_queue.buffer(selected)
    assert pm.reduce(device_policy, buffers[0], where=buffers[1]) == x.sum(where=selected > 0)
    sums = pm.reduce(device_policy, buffers[0], axis=1, where=buffers[1])
    assert isinstance(sums, pm.opencl.Buffer)
    assert_equal(opencl_queue.read(sums), x.sum(1, where=selected > 0))
    assert pm.reduce(device_policy, x, where=buffers[1]) == x.sum(where=selected > 0)
    with pytest.raises(ValueError, match=r"a buffer of the shape \(300,\) would have to be"):
        pm.reduce(device_policy, x, where=opencl_queue.buffer(selected[0]))


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"op": "min"}, ValueError, "'min' has no identity .* pass `initial` beside `where`"),
        ({"op": "max", "initial": 0, "dtype": np.int64}, TypeError, r"convert .* with .astype\(\)"),
        ({"op": lambda x, y: x + y}, TypeError, "a function has no identity .* pm.copy_if"),
        ({"where": np.ones(2, bool)}, ValueError, r"`where` has the shape \(2,\), .* fit \(2, 3\)"),
        ({"where": np.ones((5, 2, 3), bool)}, ValueError, r"`where` has the shape \(5, 2, 3\)"),
        ({"where": np.ones((2, 3), int)}, TypeError, "`where` has the type int64: pass bools"),
        ({"where": "x > 0"}, TypeError, "`where` has the type"),
    ],
)
def test_a_wrong_selection_is_refused(policy, options: dict[str, Any], error, said):
    with pytest.raises(error, match=said):
        pm.reduce(policy, np.ones((2, 3), np.float32), **{"where": np.ones((2, 3), bool)} | options)


def test_the_order_of_the_bytes_has_no_effect():
    x = np.array([3.0, 4.0], ">f8")
    mask = np.array([True, False])
    for policy in (pm.seq, pm.par, pm.auto):
        assert_equal(pm.reduce(policy, x, where=mask), np.float64(3))
        assert_equal(pm.reduce(policy, x, "max", 1, where=mask), np.float64(3))
        assert_equal(pm.reduce(policy, x, "max", 1, where=mask, dtype=float), np.float64(3))


@pytest.mark.parametrize(("dtype", "op"), [(object, "+"), (complex, "max")])
def test_values_without_an_identity_are_not_selected(dtype, op):
    x = np.array([1, 2**70], dtype)
    with pytest.raises(TypeError, match=r"none of type .*: fold the array a\[where\]"):
        pm.reduce(pm.seq, x, op, 0, where=np.array([True, False]))
