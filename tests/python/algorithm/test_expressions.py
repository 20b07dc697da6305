# SPDX-License-Identifier: Apache-2.0
"""Expressions give NumPy's results, on the host and in OpenCL C."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm

DTYPES = ["bool", "int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"]
DTYPES += ["float16", "float32", "float64"]
few = settings(
    max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def numpys(function, *arrays):
    """Returns NumPy's result, or None if NumPy refuses the types."""
    try:
        with np.errstate(all="ignore"):
            return np.asarray(function(*arrays))
    except TypeError:
        return None


def check(policy, text, function, x, y, ulps=0):
    wanted = numpys(function, x, y)
    if wanted is None:
        with pytest.raises(TypeError):
            pm.transform(policy, text, x, y)
        return
    with np.errstate(all="ignore"):
        got = pm.transform(policy, text, x, y)
    assert got.dtype == wanted.dtype
    if ulps and wanted.dtype.kind == "f":
        np.testing.assert_allclose(got, wanted, rtol=ulps * np.finfo(wanted.dtype).eps, atol=0)
    else:
        np.testing.assert_array_equal(got, wanted)


EXACT = {
    "x + y": lambda x, y: x + y,
    "x - y": lambda x, y: x - y,
    "x * y": lambda x, y: x * y,
    "x / y": lambda x, y: x / y,
    "x // y": lambda x, y: x // y,
    "x % y": lambda x, y: x % y,
    "x // nan": lambda x, y: x // np.nan,
    "x % -inf": lambda x, y: x % -np.inf,
    "2.5 // x": lambda x, y: 2.5 // x,
    "x**2": lambda x, y: x**2,
    "-x": lambda x, y: -x,
    "~x": lambda x, y: ~x,
    "abs(x)": lambda x, y: abs(x),
    "x & y | 3": lambda x, y: x & y | 3,
    "x ^ y": lambda x, y: x ^ y,
    "x << 3": lambda x, y: x << 3,
    "x >> 2": lambda x, y: x >> 2,
    "(x < y) | (x == 0)": lambda x, y: (x < y) | (x == 0),
    "x >= 2": lambda x, y: x >= 2,
    "where(x, y, 1)": lambda x, y: np.where(x, y, 1),
    "minimum(x, y)": lambda x, y: np.minimum(x, y),
    "maximum(x, 2)": lambda x, y: np.maximum(x, 2),
    "sign(x)": lambda x, y: np.sign(x),
    "isnan(x)": lambda x, y: np.isnan(x),
    "isfinite(x) & (y != 0)": lambda x, y: np.isfinite(x) & (y != 0),
    "logical_not(x)": lambda x, y: np.logical_not(x),
    "2.5 * x + y": lambda x, y: 2.5 * x + y,
    "x": lambda x, y: x,
    "7": lambda x, y: np.full(x.shape, 7),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("text", EXACT)
@few
@given(data=st.data())
def test_operators_equal_numpys_on_the_host(text, dtype, data):
    x, y = (data.draw(hnp.arrays(dtype, st.just(9))) for _ in range(2))
    check(pm.par, text, EXACT[text], x, y)


def awkward(dtype):
    """Returns each pair of a type's special values."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        special = [0, 1]
    elif dtype.kind == "f":
        special = [0.0, -0.0, 1, -1, 2.5, -3.5, 7, np.inf, -np.inf, np.nan, np.finfo(dtype).max]
    else:
        limits = np.iinfo(dtype)
        special = [limits.min, limits.max, limits.max - 1, 0, 1, 2, 3, 7]
        special += [-1, -2, -7, limits.min + 1] if dtype.kind == "i" else []
    pairs = np.array([(a, b) for a in special for b in special], dtype)
    return pairs[:, 0], pairs[:, 1]


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint32", "int64", "float16", "float32", "float64"]
)
@pytest.mark.parametrize("text", EXACT)
def test_operators_equal_numpys_on_a_device(opencl_queue, text, dtype):
    check(pm.device_policy(opencl_queue), text, EXACT[text], *awkward(dtype))


FUNCTIONS = "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arctan tanh floor ceil rint"
FUNCTIONS += " arcsinh arccosh reciprocal fabs deg2rad rad2deg degrees radians"


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS.split())
def test_functions_are_near_numpys_on_a_device(opencl_queue, name, dtype):
    x = np.array([0.25, 1, 2, 3.5, 10] if name != "arccosh" else [1, 1.25, 2, 10]).astype(dtype)
    function = getattr(np, name)
    check(
        pm.device_policy(opencl_queue),
        f"{name}(x) + 0*y",
        lambda a, b: function(a) + 0 * b,
        x,
        x,
        16,
    )


def test_types_are_promoted_between_the_arrays(policy):
    small, wide = np.arange(-5, 5, dtype=np.int8), np.arange(10, dtype=np.uint32)
    got = pm.transform(policy, "x * y - 1", small, wide)
    assert got.dtype == (small * wide - 1).dtype
    np.testing.assert_array_equal(got, small * wide - 1)


def test_integers_that_only_differ_in_type_are_not_mixed_up():
    x = np.arange(4, dtype=np.int32)
    assert pm.transform(pm.seq, "2 * x", x).dtype == np.int32
    assert pm.transform(pm.seq, "2.0 * x", x).dtype == np.float64
    assert pm.transform(pm.auto, lambda v: (v + 1) * (v + 1.0), x).dtype == np.float64


def test_a_lambda_that_computes_something_twice_traces_it_once():
    from pointsman.algorithm._tracing import trace

    assert len(trace(lambda x: (x + 1) * (x + 1), 1).steps) == 2


def test_numpys_warnings_and_errors_come_out_of_threads_too():
    x = np.zeros(100_000, np.float32)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        pm.transform(pm.par, "1 / x", x)
