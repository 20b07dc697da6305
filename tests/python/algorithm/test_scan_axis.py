# SPDX-License-Identifier: Apache-2.0
"""Scans along an axis give NumPy's results, whatever the shape."""

from __future__ import annotations

import itertools
import tracemalloc
from typing import Any

import numpy as np
import pytest
from algorithm.references import (
    ALL_NUMPYS,
    WRONG_AXES,
    assert_equal,
    assert_identical,
    few_examples,
    with_one_nan,
)
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm
from pointsman.algorithm import _device_axis

# Small ones, and ones with many, few, long and wide lines along some axis.
SHAPES = [
    (3,),
    (1, 1),
    (4, 5),
    (2, 3, 4),
    (3, 1, 2, 5),
    (70_000, 2),
    (2, 70_000),
    (60, 7, 33),
    (20, 3_000),
]


def scanned(ufunc: Any, x: Any, axis: int, initial: Any = None, exclusive: bool = False) -> Any:
    """Returns NumPy's scan of the values after an initial one."""
    if initial is None:
        return ufunc.accumulate(x, axis)
    dtype = ufunc.accumulate(x, axis).dtype
    first = np.full_like(np.take(x, [0], axis), initial, dtype)
    folds = ufunc.accumulate(np.concatenate([first, x.astype(dtype)], axis), axis)
    kept = slice(0, -1) if exclusive else slice(1, None)
    return np.moveaxis(np.moveaxis(folds, axis, 0)[kept], 0, axis)


def test_scans_along_an_axis_are_numpys(policy, values):
    for shape in SHAPES:
        x = values(int(np.prod(shape))).reshape(shape)
        signs = np.minimum(x, 1).astype(x.dtype) if x.dtype.kind in "bu" else np.sign(x)
        for axis in range(-1, len(shape) - 1):
            for op, ufunc in ALL_NUMPYS[:: 1 if x.size < 100 else 2]:
                # Greater sums of float16 values are not exact, so that they depend on the order.
                y = signs if op == "*" or x.dtype == np.float16 else x
                assert_equal(pm.inclusive_scan(policy, y, op, axis=axis), scanned(ufunc, y, axis))
                ours = pm.exclusive_scan(policy, y, 1, op, axis=axis)
                assert_equal(ours, scanned(ufunc, y, axis, 1, exclusive=True))


def test_scans_along_an_axis_take_a_type_and_an_initial_value(policy, values):
    for shape in [(4, 5), (60, 7, 33), (3, 40_000)]:
        x = values(int(np.prod(shape))).reshape(shape)
        for axis in range(len(shape)):
            ours = pm.inclusive_scan(policy, x, "max", 1, axis=axis)
            assert_equal(ours, scanned(np.maximum, x, axis, 1))
            ours = pm.exclusive_scan(policy, x, 2, dtype="int64", axis=axis)
            assert_equal(ours, scanned(np.add, x.astype(np.int64), axis, 2, exclusive=True))
            ours = pm.exclusive_scan(policy, x, None, "*", dtype="int32", axis=axis)
            products = np.multiply.accumulate(x, axis, dtype="int32")
            before = np.moveaxis(np.ones_like(products), axis, 0)
            before[1:] = np.moveaxis(products, axis, 0)[:-1]
            assert_equal(ours, np.moveaxis(before, 0, axis))


@pytest.mark.parametrize("shape", [(5, 6), (40, 3, 900), (3, 70_000), (300, 400)])
def test_results_are_written_where_the_caller_wants_them(policy, shape):
    x = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    for axis, exclusive in itertools.product(range(len(shape)), [False, True]):
        scan: Any = pm.exclusive_scan if exclusive else pm.inclusive_scan
        wanted = scanned(np.add, x, axis, 0, exclusive)
        spaced = np.zeros((*shape, 2), x.dtype)[..., 1]
        same, turned = x.copy(), np.zeros(shape[::-1], x.dtype).T
        wide = np.zeros(shape)
        for source, out in ((x, spaced), (same, same), (x, turned), (x, wide)):
            assert scan(policy, source, out=out, axis=axis) is out
            np.testing.assert_array_equal(out, wanted)
        shifted = np.zeros(x.size + 1, x.dtype)
        shifted[1:] = x.reshape(-1)
        source, out = shifted[1:].reshape(shape), shifted[:-1].reshape(shape)
        assert_identical(scan(policy, source, out=out, axis=axis), wanted)
    with pytest.raises(ValueError, match="`out` has the shape"):
        pm.inclusive_scan(policy, x, out=np.zeros(x.size), axis=0)


@pytest.mark.parametrize("name", ["seq", "unseq"])
def test_one_thread_rounds_as_numpy_does(name, dtype):
    policy, random = getattr(pm, name), np.random.default_rng(1)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
    for shape in [(7, 5), (50, 700), (9, 3, 600), (4, 1_000, 20)]:
        x = (random.normal(0, 9, shape)).astype(dtype)
        if dtype.kind == "f":
            x = np.where(random.random(shape) < 0.01, random.choice(special, shape), x)
            x = x.astype(dtype)
        with np.errstate(invalid="ignore", over="ignore"):
            for axis, (op, ufunc) in itertools.product(range(len(shape)), ALL_NUMPYS):
                for ours, numpys in [
                    (pm.inclusive_scan(policy, x, op, axis=axis), scanned(ufunc, x, axis)),
                    (pm.inclusive_scan(policy, x, op, 1, axis=axis), scanned(ufunc, x, axis, 1)),
                    (
                        pm.exclusive_scan(policy, x, 1, op, axis=axis),
                        scanned(ufunc, x, axis, 1, exclusive=True),
                    ),
                ]:
                    assert_identical(with_one_nan(ours), with_one_nan(numpys))


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 16, 97, 2_049, 5_000])
def test_sums_of_lines_side_by_side_are_rounded_as_numpys(width, dtype, random):
    shape = 3, max(2, 70_000 // width), width
    if dtype.kind == "f":
        x = random.standard_normal(shape).astype(dtype)
        x[random.random(shape) < 1e-4] = -0.0
    else:
        x = random.integers(0, 256, (*shape, dtype.itemsize), np.uint8).view(dtype)[..., 0]
        x = x % 2 == 1 if dtype.kind == "b" else x  # any bits: sums wrap around
    # Under `par`, threads share long lines of floats without neighbours, and all lines of float16:
    # their sums are rounded otherwise.
    is_shared = dtype.kind == "f" and (width == 1 or dtype == np.float16)
    for policy in (pm.seq,) if is_shared else (pm.seq, pm.par):
        assert_identical(pm.inclusive_scan(policy, x, axis=1), np.add.accumulate(x, 1))
        ours = pm.inclusive_scan(policy, x, initial=1, axis=1)
        assert_identical(ours, scanned(np.add, x, 1, 1))
        ours = pm.exclusive_scan(policy, x, 1, axis=1)
        assert_identical(ours, scanned(np.add, x, 1, 1, exclusive=True))


@few_examples
@given(data=st.data(), dtype=st.sampled_from(["float16", "float32", "float64"]))
def test_special_values_are_scanned_as_lines_of_one_dimension_are(policy, data, dtype):
    some = st.sampled_from([0.0, -0.0, 1.0, -2.0, np.inf, -np.inf, np.nan])
    x = data.draw(hnp.arrays(dtype, hnp.array_shapes(max_dims=3, max_side=9), elements=some))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    with np.errstate(invalid="ignore"):
        for op, _ in ALL_NUMPYS:
            lines = np.apply_along_axis(
                lambda line, op=op: pm.inclusive_scan(pm.seq, line, op), axis, x
            )
            assert_equal(pm.inclusive_scan(policy, x, op, axis=axis), lines)


def test_parts_of_any_size_are_scanned_on_a_device(device_policy, monkeypatch, random):
    for items, few, most in [(1, 64, 1_024), (262_144, 4, 8), (1_000, 4, 3)]:
        monkeypatch.setattr(_device_axis, "ITEMS", items)
        monkeypatch.setattr(_device_axis, "FEW", few)
        monkeypatch.setattr(_device_axis, "MOST_IN_A_ROW", most)
        for n in (2, 3, 64, 65, 257, 5_000):
            shape = int(random.integers(1, 4)), n, int(random.integers(1, 9))
            x = random.integers(-(2**31), 2**31, shape).astype(np.int32)
            for op, ufunc in ALL_NUMPYS:
                ours = pm.inclusive_scan(device_policy, x, op, axis=1)
                assert_equal(ours, ufunc.accumulate(x, 1))
                ours = pm.exclusive_scan(device_policy, x, 3, op, axis=1)
                assert_equal(ours, scanned(ufunc, x, 1, 3, exclusive=True))


def test_the_results_of_a_buffer_are_in_a_buffer(device_policy, opencl_queue):
    for dtype in ("float32", "int8", "float16", "bool"):
        x = (np.arange(600).reshape(20, 30) % 2).astype(dtype)
        buffer = opencl_queue.buffer(x)
        folds = pm.inclusive_scan(device_policy, buffer, "max", axis=0)
        assert isinstance(folds, pm.opencl.Buffer)
        assert_identical(opencl_queue.read(folds), np.maximum.accumulate(x, 0))
        assert pm.exclusive_scan(device_policy, buffer, 1, "min", buffer, axis=1) is buffer
        assert_identical(opencl_queue.read(buffer), scanned(np.minimum, x, 1, 1, exclusive=True))


def test_scans_wait_for_earlier_commands_of_an_out_of_order_queue(opencl_queue):
    queue = pm.opencl.Queue(opencl_queue.device, out_of_order=True)
    policy = pm.device_policy(queue)
    x = np.arange(300_000, dtype=np.int32).reshape(150, 2_000) % 1_001
    doubled = pm.transform(policy, "2*x", queue.buffer(x))
    for axis in (0, 1):
        ours = pm.inclusive_scan(policy, doubled, axis=axis, dtype=np.int32)
        assert_equal(queue.read(ours), np.cumsum(2 * x, axis, np.int32))


def test_integers_wrap_around_and_float16_is_rounded_once_on_a_device(device_policy):
    x = np.full((3, 5_000, 2), 2**62, np.int64)
    assert_equal(pm.inclusive_scan(device_policy, x, axis=1), np.cumsum(x, 1))
    half = np.full((2, 3_000), 0.1, np.float16)
    ours = pm.inclusive_scan(device_policy, half, axis=1)
    exact = np.cumsum(half, 1, np.float64).astype(np.float16)
    np.testing.assert_array_max_ulp(ours, exact, 1)


def test_errors_are_reported_as_numpy_does():
    x = np.full((3, 600), 3e38, np.float32)
    for width in (600, 16, 4):
        for axis in (0, 1):
            with np.errstate(over="raise"), pytest.raises(FloatingPointError, match="overflow"):
                pm.inclusive_scan(pm.par, x[:, :width].repeat(500, 1 - axis), axis=axis)
    with np.errstate(over="raise"):  # the last value is not folded
        pm.exclusive_scan(pm.seq, x[:2], 0, axis=0)


@pytest.mark.parametrize("shape", [(2_000, 1_000), (1_000, 2_000), (4_000, 250), (250, 4_000)])
def test_scans_need_little_memory_besides_the_results(shape):
    x, out = np.ones(shape), np.empty(shape)
    for axis in (0, 1):
        tracemalloc.start()
        pm.exclusive_scan(pm.seq, x, out=out, axis=axis)
        pm.inclusive_scan(pm.seq, out, "max", 1, out, axis=axis)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < x.nbytes / 4


def test_axes_of_nothing_are_scanned(policy):
    for shape in [(0, 3), (3, 0), (2, 0, 4)]:
        x = np.empty(shape, np.int32)
        for axis in range(len(shape)):
            assert_equal(pm.inclusive_scan(policy, x, axis=axis), np.cumsum(x, axis))
            assert_equal(pm.exclusive_scan(policy, x, axis=axis), np.cumsum(x, axis))


@pytest.mark.parametrize(("axis", "error", "said"), WRONG_AXES)
def test_wrong_axes_are_refused(policy, axis, error, said):
    for scan in (pm.inclusive_scan, pm.exclusive_scan):
        with pytest.raises(error, match=said):
            scan(policy, np.ones((2, 2)), axis=axis)
    with pytest.raises(ValueError, match=r"has the shape \(\): pass one of one dimension"):
        pm.inclusive_scan(policy, np.array(1.0), axis=0)
