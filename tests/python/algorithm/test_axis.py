# SPDX-License-Identifier: Apache-2.0
"""Reductions along axes give NumPy's results, whatever the shape."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest
from algorithm.references import ALL_NUMPYS, assert_equal, few_examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm
from pointsman.algorithm import _device_axis

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


@pytest.mark.parametrize("shape", [(5, 6), (64, 9_000), (40, 30, 300)])
def test_arguments_and_numbers_are_folded_along_axes(policy, shape):
    x = np.arange(np.prod(shape), dtype=np.int32).reshape(shape) % 1_000
    y = x + 2
    for f, values in (("x", x), ("y", y), ("2", np.full(shape, 2)), ("x*y", x * y)):
        for axis in axes_of(len(shape)):
            for op, ufunc in (ALL_NUMPYS[0], ALL_NUMPYS[3]):
                ours = pm.transform_reduce(policy, f, x, y, op, axis=axis)
                assert_equal(ours, ufunc.reduce(values, axis))


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
        ours = pm.transform_reduce(policy, "x % 7", x, op="max", initial=5, axis=axes)
        assert_equal(ours, np.max(x % 7, axes, initial=5))


def test_objects_are_folded_by_numpy():
    x = np.array([[1, 2**70], [3, 4]], object)
    assert pm.reduce(pm.seq, x, axis=0).tolist() == [4, 2**70 + 4]
    assert pm.reduce(pm.seq, x) == 2**70 + 8


def test_a_number_has_one_axis_as_in_numpy(policy):
    assert pm.argmin(policy, np.array(5), 0) == 0
    assert pm.reduce(policy, np.array(5), axis=0) == 5
    with pytest.raises(TypeError, match="the first argument is 'x': pass pm.seq"):
        pm.argmin("x", np.array(5), 0)


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
        found = ours(policy, x, axis)
        assert type(found) is type(numpys(x, axis))
        assert_equal(found, numpys(x, axis))


def test_indices_along_an_axis_are_numpys(policy, values):
    for shape in SHAPES:
        x = values(int(np.prod(shape))).reshape(shape)
        for axis in range(-len(shape), len(shape)):
            assert_equal(pm.argmin(policy, x, axis), np.argmin(x, axis))
            ours = pm.argmax(policy, x, axis=axis, keepdims=True)
            assert_equal(ours, np.expand_dims(np.argmax(x, axis), axis))
        assert_equal(pm.argmin(policy, x, keepdims=True), np.full((1,) * x.ndim, np.argmin(x)))


def test_work_items_that_share_rows_fold_as_items_alone_do(queue_in_groups, monkeypatch, random):
    device_policy = pm.device_policy(queue_in_groups)
    for items in (1, 1_000, 262_144):  # rows in one part, and in several
        monkeypatch.setattr(_device_axis, "ITEMS", items)
        for n in (2, 3, 8, 33, 255, 257, 1_000, 70_000, 300_000):
            rows = int(random.integers(1, 4))
            # Each value occurs in two places at most, and none is even, so that products are not 0.
            x = np.stack([random.permutation(n) // 2 * 2 - n // 2 * 2 + 1 for _ in range(rows)])
            x = x.astype(np.int32)
            for op, ufunc in ALL_NUMPYS:
                ours = pm.reduce(device_policy, x, op, axis=1, dtype=np.int32)
                assert_equal(ours, ufunc.reduce(x, 1, dtype=np.int32))
            assert_equal(pm.argmin(device_policy, x, axis=1), x.argmin(1))
            y = np.where(random.random(x.shape) < 2 / n, np.nan, x)
            assert_equal(pm.argmax(device_policy, y, axis=1), y.argmax(1))
    x = np.full((2, 1_000_000), 0.1, np.float32)
    error = np.abs(pm.reduce(device_policy, x, axis=1).astype(np.float64) - 1e6 * float(x[0, 0]))
    assert np.all(error <= 1_300 * np.spacing(np.float32(1e5)))
    x[0, 777_777] = np.nan
    assert np.isnan(pm.reduce(device_policy, x, "max", axis=1)).tolist() == [True, False]


def test_sums_along_axes_stay_within_the_stated_bound(policy):
    x = np.full((3, 200_000, 2), 0.1, np.float32)  # the errors of its sums add up
    on_device = isinstance(policy, pm.execution.DevicePolicy)
    for axis in [0, 1, 2, (0, 1), (1, 2), *([] if on_device else [(0, 2)])]:
        length = int(np.prod([x.shape[each] for each in np.atleast_1d(axis)]))
        of_host = 2 * np.log2(length) + 64 if axis in (2, (1, 2)) else length
        of_device = 1_300 + length / 65_536
        both = max(of_host, of_device) if policy is pm.auto else of_host
        exact = length * float(x[0, 0, 0])
        error = np.abs(pm.reduce(policy, x, axis=axis).astype(np.float64) - exact)
        units = of_device if on_device else both
        assert np.all(error <= units * np.spacing(np.float32(exact)))


def test_an_initial_value_is_folded_first():
    x = np.full((70_000, 2), 2, np.float32)
    for policy in (pm.seq, pm.par):
        with np.errstate(over="ignore", invalid="ignore"):
            ours = pm.reduce(policy, x, "*", 0, axis=0)
        assert_equal(ours, np.zeros(2, np.float32))


def test_folds_of_leading_axes_use_little_memory():
    x = np.ones((500, 1, 40_000))
    for call in (
        lambda: pm.reduce(pm.seq, x, axis=(0, 1)),
        lambda: pm.transform_reduce(pm.par, "x * x", x, axis=0),
        lambda: pm.reduce(pm.seq, x.reshape(5, 100, 40_000), axis=(0, 1)),
        lambda: pm.reduce(pm.par, x.reshape(100, 5, 40_000), "max", axis=(0, 2)),
    ):
        tracemalloc.start()
        call()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 6e6 * len(os.sched_getaffinity(0))  # a block in each thread


LATE = """
kernel void wait(global float* x) {
    for (int i = 0; i < 30000000; ++i) { x[0] = x[0] * 1.0000001f + 1e-9f; }
}
kernel void number(global int* x) { x[get_global_id(0)] = get_global_id(0); }
"""


@pytest.mark.parametrize(
    ("ours", "numpys"),
    [
        (lambda p, x: pm.reduce(p, x, axis=0), lambda x: x.sum(0)),
        (lambda p, x: pm.reduce(p, x, axis=1), lambda x: x.sum(1)),
        (lambda p, x: pm.argmax(p, x, 1), lambda x: x.argmax(1)),
        (lambda p, x: pm.inclusive_scan(p, x, axis=1), lambda x: x.cumsum(1)),
        (lambda p, x: pm.argsort(p, x, axis=1, descending=True), lambda x: (-x).argsort(1)),
        (lambda p, x: pm.searchsorted(p, x, x), lambda x: np.arange(x.size)),
        (lambda p, x: pm.reduce_by_segment(p, x, x)[1], lambda x: x.reshape(-1).astype(np.int64)),
    ],
)
def test_kernels_wait_for_what_an_out_of_order_queue_has_not_begun(ours, numpys, opencl_queue):
    other = pm.opencl.Queue(opencl_queue.device)
    queue = pm.opencl.Queue(opencl_queue.device, out_of_order=True)
    kernels = queue.build(LATE)
    x = np.arange(60_000, dtype=np.int32).reshape(300, 200)
    is_flat = numpys(x).size == x.size and numpys(x).ndim == 1
    for _ in range(2):  # the first call builds programs
        buffer = queue.buffer(np.zeros_like(x.reshape(-1) if is_flat else x))
        late = other.enqueue(kernels.wait, 1, other.buffer(np.ones(1, np.float32)))
        queue.enqueue(kernels.number, x.size, buffer, wait_for=late)
        results = ours(pm.device_policy(queue), buffer)
        assert_equal(queue.read(results).reshape(numpys(x).shape), numpys(x))


def test_kernels_run_one_after_the_other_on_an_out_of_order_queue(opencl_queue):
    queue = pm.opencl.Queue(opencl_queue.device, out_of_order=True)
    policy = pm.device_policy(queue)
    x = np.arange(600_000, dtype=np.int32).reshape(300, 2_000) % 1_001
    buffer = queue.buffer(x)
    for axis in (0, 1):
        doubled = pm.transform(policy, "2*x", buffer)
        assert_equal(queue.read(pm.reduce(policy, doubled, axis=axis)), (2 * x).sum(axis))
        ours = pm.transform_reduce(policy, "x + 1", buffer, axis=axis)
        assert_equal(queue.read(ours), (x + 1).sum(axis))
        assert_equal(queue.read(pm.argmax(policy, doubled, axis)), x.argmax(axis))


def test_axes_are_checked_whatever_is_in_memory():
    x = np.ones((2, 2))
    with np.errstate(all="raise"):
        for _ in range(100):
            np.array([[0x7FF0_0000_0000_0001]], np.uint64)  # a signalling NaN, freed at once
            assert pm.reduce(pm.seq, x, axis=(0, 1)) == 4


def test_the_truth_of_keepdims_counts(policy):
    x = np.arange(6.0).reshape(2, 3)
    for keepdims in (None, 0, [], 1, "yes"):
        folds = pm.reduce(policy, x, axis=0, keepdims=keepdims)
        assert_equal(folds, x.sum(0, keepdims=bool(keepdims)))


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
        (True, TypeError, "integer"),
        (0.5, TypeError, "integer"),
        ("x", TypeError, "integer"),
    ],
)
def test_wrong_axes_are_refused_as_numpy_does(policy, axis, error, said):
    with pytest.raises(error, match=said):
        pm.reduce(policy, np.ones((2, 2)), axis=axis)
    with pytest.raises(TypeError if isinstance(axis, tuple) else error):
        pm.argmin(policy, np.ones((2, 2)), axis)


FOLDS_OF_SHAPES = """
import ast, sys
import numpy as np
import pointsman as pm
policy = pm.device_policy(pm.opencl.Queue())
for shape in ast.literal_eval(sys.argv[1]):
    x = np.ones(shape, np.float32)
    assert (pm.reduce(policy, x, axis=0) == shape[0]).all()
    assert (pm.inclusive_scan(policy, x, axis=0)[-1] == shape[0]).all()
"""


def test_a_driver_compiles_no_kernel_again_for_another_shape(opencl_queue, tmp_path):
    if "Portable Computing Language" not in opencl_queue.device.platform:
        pytest.skip("counts the files in PoCL's cache")

    def compiled(name: str, *shapes: tuple[int, int]) -> int:
        cache = tmp_path / name
        cache.mkdir()
        environment = {**os.environ, "POCL_CACHE_DIR": str(cache)}
        command = [sys.executable, "-c", FOLDS_OF_SHAPES, str(shapes)]
        subprocess.run(command, env=environment, check=True)
        return len([*cache.rglob("*.so")])

    few = compiled("few", (70, 600))
    assert 0 < compiled("many", (70, 600), (70, 1_100), (70, 2_304), (70, 3_001)) == few
