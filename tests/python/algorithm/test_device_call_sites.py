# SPDX-License-Identifier: Apache-2.0
# Buffers under a device policy take a way without a plan if all is as usual, else the one with it.
"""Device calls whose types, shapes and outputs change from call to call give NumPy's results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm

TYPES = "uint8 int64 float16 float32".split()
SHAPES = [(1,), (5,), (1000,), (3, 4)]


def same(found: Any, expected: Any, dtype: Any) -> bool:
    expected = np.asarray(expected)
    return bool(found.dtype == dtype and np.array_equal(found, expected.astype(dtype)))


@pytest.mark.parametrize("_run", range(3))
def test_random_calls_on_buffers_are_numpys(opencl_queue, device_policy, random, _run):
    queue, policy = opencl_queue, device_policy
    for _ in range(40):
        dtype, other = (np.dtype(str(each)) for each in random.choice(TYPES, 2))
        shape = SHAPES[random.integers(len(SHAPES))]
        a, b = (random.integers(0, 4, shape).astype(each) for each in (dtype, other))
        x, y = queue.buffer(a), queue.buffer(b)
        expected = (2 * a + b).astype(np.result_type(2 * a, b))
        wider = np.float64 if random.integers(3) == 0 else expected.dtype
        out = queue.empty(shape, wider) if random.integers(2) else None
        if out is not None and out.dtype != expected.dtype:
            with pytest.raises(TypeError, match="`out` has the type float64: the results are"):
                pm.transform(policy, "2*x + y", x, y, out=out)
        else:
            found = pm.transform(policy, "2*x + y", x, y, out=out)
            assert out is None or found is out
            assert found.shape == shape and same(queue.read(found), expected, expected.dtype)
        on_host = pm.transform(policy, "2*x + y", x, b)  # one array is on the host
        assert same(queue.read(on_host), expected, expected.dtype)
        assert same(queue.read(pm.copy(policy, x)), a, dtype)
        assert queue.read(pm.fill(policy, x, 3)).tolist() == np.full(shape, 3).tolist()
        x = queue.buffer(a)
        op, ufunc = [("+", np.add), ("max", np.maximum)][random.integers(2)]
        initial = 2 if random.integers(2) else None
        options = {} if initial is None else {"initial": initial}
        folded = pm.reduce(policy, x, op, **options)
        assert same(
            folded, ufunc.reduce(a, axis=None, **options), ufunc.reduce(a.reshape(-1)).dtype
        )
        products = a * b
        assert same(
            pm.transform_reduce(policy, "x*y", x, y, op),
            ufunc.reduce(products.reshape(-1)),
            ufunc.reduce(products.reshape(-1)).dtype,
        )
        if len(shape) == 1 and dtype != np.float16:  # whose sums NumPy rounds at each step
            scanned = ufunc.accumulate(a)
            fits = queue.empty(shape, scanned.dtype) if random.integers(2) else None
            found = pm.inclusive_scan(policy, x, op, out=fits)
            assert fits is None or found is fits
            assert same(queue.read(found), scanned, scanned.dtype)


def test_buffers_that_do_not_fit_are_refused_as_before(opencl_queue, device_policy):
    x, y = opencl_queue.buffer(np.ones(4, "f4")), opencl_queue.buffer(np.ones(5, "f4"))
    with pytest.raises(ValueError, match="shapes \\(4,\\) and \\(5,\\), which do not fit"):
        pm.transform(device_policy, "x + y", x, y)
    with pytest.raises(ValueError, match="`out` has the shape \\(5,\\)"):
        pm.transform(device_policy, "2*x", x, out=y)
    with pytest.raises(ValueError, match="shapes \\(4,\\) and \\(5,\\), which do not fit"):
        pm.transform_reduce(device_policy, "x + y", x, y)
    with pytest.raises(ValueError, match="which int32 cannot hold"):
        pm.fill(device_policy, opencl_queue.empty(3, "i4"), 0.5)
    complex_values = opencl_queue.buffer(np.ones(3, "c8"))
    for call in (pm.copy, pm.reduce, pm.inclusive_scan):
        with pytest.raises(TypeError, match="complex64 is no type of values on devices"):
            call(device_policy, complex_values)
