# SPDX-License-Identifier: Apache-2.0
"""Folds of a function's results, which C++ computes part by part, have NumPy's results."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from algorithm.references import (
    ALL_NUMPYS,
    assert_identical,
    few_examples,
    outcome,
    with_one_nan,
)
from hypothesis import given
from hypothesis import strategies as st

import pointsman as pm
from pointsman.algorithm import _host, _host_folds
from pointsman.algorithm._axis import lengths_of
from pointsman.algorithm._function import expression_of
from pointsman.algorithm._fused import Fused, fused
from pointsman.algorithm._operation import operation_of

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "x * y": lambda x, y: x * y,
    "abs(x - y)": lambda x, y: np.abs(x - y),
    "where(x < y, x, 3)": lambda x, y: np.where(x < y, x, 3),
    "x / y + sqrt(x)": lambda x, y: x / y + np.sqrt(x),
    "maximum(x, 1) - y": lambda x, y: np.maximum(x, 1) - y,
}
TYPES = ["int32", "int64", "uint64", "float16", "float32", "float64"]
LENGTHS = st.sampled_from([1, 2, 3, 4, 7, 31, 33, 129])
SPECIAL = [0.0, np.inf, -np.inf, np.nan, -np.nan, 1e-45, 3e38]  # one zero: see below
# Of rows, columns and what lies between, in one span and several. Few are longer than a part.
LARGE = [
    (100_000, 3),
    (5, 40_000),
    (3, 9_000, 4),
    (200_001, 1),
    (200, 500),
    (40, 70, 60),
    (1, 2**18),
    (2, 2**18),
    (2, 2**18 + 1),
    (50_000, 1, 4),
    (30_000, 2, 2),
    (9_000, 3, 4),
]


@pytest.fixture(autouse=True)
def _cpp_folds_all(monkeypatch):
    monkeypatch.setattr(_host_folds, "SHORTEST_FOLDED", 1)
    monkeypatch.setattr(_host, "CHUNK", 1)
    monkeypatch.setattr(_host, "FEW_COMPUTED", 0)


def random_pair(random: np.random.Generator, dtype: str, shape: Any) -> tuple[Any, Any]:
    """Two arrays. ``FUNCTIONS`` of them are never -0.0: a maximum of 0.0 and -0.0 may be either."""
    of = np.dtype(dtype)
    if of.kind != "f":
        limits = np.iinfo(of)
        a, b = (random.integers(limits.min, limits.max, shape, of, endpoint=True) for _ in range(2))
        return a, np.maximum(b, 1)
    a, b = (random.uniform(0.5, 2, shape).astype(of) for _ in range(2))
    if random.random() < 0.5:
        with np.errstate(over="ignore"):
            some = np.array(SPECIAL[: random.integers(1, 8)]).astype(of)
        a[random.random(shape) < 0.2] = random.choice(some)
    return a, b


def is_in_numpys_order(shape: tuple[int, ...], axes: tuple[int, ...], policy: Any) -> bool:
    """Whether each line is folded from its first result to its last one, by one call if in rows."""
    outer, n, inner = lengths_of(shape, axes)
    in_one_thread = policy is pm.seq or outer * n * inner <= 65_536
    if inner == 1:
        return n <= 2**18 and (outer > 1 or in_one_thread)
    return in_one_thread or n <= max(16, 8_192 // inner)


@pytest.mark.parametrize("dtype", TYPES)
@few_examples
@given(
    shape=st.lists(LENGTHS, min_size=1, max_size=3),
    function=st.sampled_from(list(FUNCTIONS)),
    seed=st.integers(0, 2**32 - 1),
)
def test_folds_of_results_are_numpys(dtype, shape, function, seed):
    random = np.random.default_rng(seed)
    a, b = random_pair(random, dtype, shape)
    first, end = sorted(random.choice(len(shape) + 1, 2, replace=False).tolist())
    axes = tuple(range(first, end))
    compute = FUNCTIONS[function]
    for name, ufunc in ALL_NUMPYS:
        expected, warned = outcome(lambda u=ufunc: u.reduce(compute(a, b), axes))
        for policy in (pm.seq, pm.par):
            result, seen = outcome(
                lambda p=policy, n=name: pm.transform_reduce(p, function, a, b, n, axis=axes)
            )
            assert seen == warned
            is_whole = len(axes) == len(shape)  # sums of these are partial ones of C++
            if is_in_numpys_order(tuple(shape), axes, policy) and not (is_whole and name == "+"):
                assert_identical(with_one_nan(result), with_one_nan(expected))
            elif name != "*":
                assert result.dtype == expected.dtype
                errors = {"float16": 5e-2, "float32": 1e-4, "float64": 1e-12}
                most = errors.get(dtype, 0) if name == "+" else 0
                np.testing.assert_allclose(result, expected, rtol=most, atol=most * a.size)


@pytest.mark.parametrize("shape", LARGE, ids=str)
@pytest.mark.parametrize("dtype", ["int64", "float32", "float64"])
def test_folds_of_many_results_are_numpys(shape, dtype, random):
    a, b = random.uniform(1, 9, (2, *shape)).astype(dtype)
    values = a * b
    for axis in range(len(shape)):
        for policy in (pm.seq, pm.par):
            for name, ufunc in (("+", np.add), ("max", np.maximum), ("min", np.minimum)):
                folds = pm.transform_reduce(policy, "x * y", a, b, name, axis=axis)
                expected = ufunc.reduce(values, axis)
                if is_in_numpys_order(shape, (axis,), policy) or name != "+" or dtype == "int64":
                    assert_identical(folds, expected)
                else:
                    np.testing.assert_allclose(folds, expected, rtol=1e-4)
                again = pm.transform_reduce(policy, "x * y", a, b, name, axis=axis)
                assert_identical(folds, again)  # wherever threads took over


@pytest.mark.parametrize("size", [1, 2, 31, 8_191, 8_192, 8_193, 65_537, 300_000])
@pytest.mark.parametrize("dtype", ["int32", "float16", "float32", "float64"])
def test_a_whole_array_of_results_is_folded(size, dtype, random):
    a, b = random.integers(1, 200, (2, size)).astype(dtype)
    at = random.integers(size)
    for policy in (pm.seq, pm.par):
        for name, ufunc in (("max", np.maximum), ("min", np.minimum)):
            folded = pm.transform_reduce(policy, "abs(x - y)", a, b, name)
            assert_identical(folded, ufunc.reduce(np.abs(a - b)))
            initial = np.dtype(dtype).type(150)
            folded = pm.transform_reduce(policy, "x + y", a, b, name, initial)
            assert_identical(folded, ufunc.reduce(a + b, initial=initial))
        signs = np.where(random.random(size) < 0.5, -1, 1).astype(dtype)
        wide = np.dtype(dtype).kind == "i"
        result = pm.transform_reduce(policy, "-x", signs, op="*")
        assert result == np.multiply.reduce(-signs)
        assert result.dtype == (np.int64 if wide else dtype)
        if not wide:
            holes = a.copy()
            holes[at] = np.nan
            with np.errstate(all="raise"):  # no comparison of a NaN is an error
                assert np.isnan(pm.transform_reduce(policy, "x + y", holes, b, "max"))


@pytest.mark.parametrize("policy", [pm.seq, pm.par], ids=["seq", "par"])
@pytest.mark.parametrize("size", [1, 2, 31, 8_193, 65_537, 120_000, 200_000, 300_000])
def test_a_sum_of_float16_is_rounded_once(policy, size, random):
    x = random.uniform(0, 0.2, size).astype(np.float16)
    for f, values in (("x * 1", x), ("x + x", x + x)):
        ours = pm.transform_reduce(policy, f, x)
        assert_identical(ours, np.add.reduce(values))
        assert_identical(
            pm.transform_reduce(policy, f, x[None], axis=1), np.add.reduce(values[None], 1)
        )
    counts = np.arange(size).astype(np.uint8) % 3
    ours = pm.transform_reduce(policy, "x*0 + y**3", counts, x)  # NumPy computes it
    assert_identical(ours, np.add.reduce(counts * 0 + x**3))
    apart = np.ones(size, np.float16)
    apart[size // 2 :] = -1
    with np.errstate(over="ignore"):  # of parts of the sum, in NumPy 2.2 and before
        expected = np.add.reduce(apart)
        assert pm.transform_reduce(policy, "x * 1", apart) == expected
    if np.isfinite(expected):
        with np.errstate(all="raise"):
            assert pm.transform_reduce(policy, "x * 1", apart) == expected == -(size % 2)
            assert pm.reduce(policy, apart) == expected


@pytest.mark.parametrize("policy", [pm.seq, pm.par], ids=["seq", "par"])
@pytest.mark.parametrize("shape", [(2, 400_001, 1), (2, 400_001)], ids=str)
def test_sums_of_float16_in_long_lines_are_rounded_once(policy, shape):
    a = np.zeros(shape, np.float16)
    a[:, 0] = 60_000
    a[:, -3:-1] = -39_600
    folds = pm.transform_reduce(policy, "x * 1", a, axis=1)
    assert_identical(folds, np.add.reduce(a * 1, 1))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("size", [31, 256, 257, 1_000, 1_024, 1_025, 5_000])
def test_sums_of_every_second_value_are_within_the_stated_error(size, dtype, random):
    x = random.uniform(0.5, 1, size).astype(dtype)
    where = np.arange(size) % 2 == 0
    exact = math.fsum(x[where].tolist())
    last_place = np.spacing(np.dtype(dtype).type(exact)).item()
    for policy in (pm.seq, pm.par):
        error = abs(float(pm.reduce(policy, x, where=where)) - exact)
        assert error <= (2 * math.log2(size) + 64) * last_place


@pytest.mark.parametrize("name", ["+", "max"])
@pytest.mark.parametrize("size", [1, 2, 31, 300, 9_000])
def test_cpp_folds_few_results_too(size, name, random):
    x = random.integers(-9, 9, size).astype(np.float32)
    program = fused(expression_of("x * x", 1), [x])
    assert program is not None
    for policy in (pm.seq, pm.par):
        folded = _host_folds.fold_computed(policy, operation_of(name), program, [x], (0,), {})
        expected = (np.add if name == "+" else np.maximum).reduce(x * x)
        assert folded is not None
        assert_identical(folded[()], expected)


@pytest.mark.parametrize("axis", [0, 1, 2, (0, 1), (1, 2)])
def test_folds_begin_with_initial_and_leave_out_what_is_not_selected(axis, random):
    a, b = random.integers(-9, 9, (2, 40, 60, 50)).astype(np.float32)
    where = random.random(a.shape) < 0.5
    for policy in (pm.seq, pm.par):
        for name, ufunc in (("+", np.add), ("max", np.maximum)):
            folds = pm.transform_reduce(policy, "x * y", a, b, name, 5, axis=axis)
            assert_identical(folds, ufunc.reduce(a * b, axis, initial=5))
            folds = pm.transform_reduce(policy, "x * y", a, b, name, 5, axis=axis, where=where)
            assert_identical(folds, ufunc.reduce(a * b, axis, initial=5, where=where))
        folds = pm.transform_reduce(policy, "x * y", a, b, axis=axis, dtype=np.float32)
        assert_identical(folds, np.add.reduce(a * b, axis))
        folds = pm.transform_reduce(policy, "x * y", a, b, axis=axis, dtype=np.float64)
        assert_identical(folds, np.add.reduce(a * b, axis, np.float64))


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("policy", [pm.seq, pm.par], ids=["seq", "par"])
def test_errors_of_steps_and_of_folds_are_reported_as_numpy_reports_them(policy, axis):
    ones = np.ones((300, 400))
    of_fold, of_step, later = ones * 1e307, ones.copy(), ones * 1e160
    of_step[-1, -1] = 0
    for f, x, op, error in [
        ("x + x", of_fold, "+", "overflow encountered in reduce"),
        ("x * 1e200", later, "max", "overflow encountered in multiply"),
        ("1 / x", of_step, "min", "divide by zero encountered in divide"),
        ("1 / x", of_step, "+", "divide by zero encountered in divide"),
    ]:
        with np.errstate(all="raise"), pytest.raises(FloatingPointError, match=error):
            pm.transform_reduce(policy, f, x, op=op, axis=axis)
        with np.errstate(all="ignore"):
            result = pm.transform_reduce(policy, f, x, op=op, axis=axis)
            numpys = {"+": np.add, "max": np.maximum, "min": np.minimum}[op]
            computed = x + x if f == "x + x" else x * 1e200 if f == "x * 1e200" else 1 / x
            np.testing.assert_array_equal(result, numpys.reduce(computed, axis))


def test_numpy_folds_what_a_loop_would_convert_and_what_takes_much_memory(random):
    fold = _host_folds.fold_computed

    def program_for(x: Any) -> Fused:
        program = fused(expression_of("x * x", 1), [x])
        assert program is not None
        return program

    small = random.integers(-9, 9, (30, 40)).astype(np.int32)
    assert fold(pm.seq, operation_of("+"), program_for(small), [small], (1,), {}) is None
    assert fold(pm.seq, operation_of("max"), program_for(small), [small], (1,), {}) is not None
    x = np.ones((2, 2**18 + 1))
    for axes, op, is_folded in (((1,), "+", False), ((1,), "max", True), ((0,), "max", False)):
        folded = fold(pm.seq, operation_of(op), program_for(x), [x], axes, {})
        assert (folded is not None) == is_folded
    apart = np.ones((4, 3, 5))
    assert fold(pm.seq, operation_of("max"), program_for(apart), [apart], (0, 2), {}) is None


def test_a_program_refuses_arrays_that_do_not_fit():
    from pointsman import _algorithm

    program = _algorithm.make_program([8], [(np.negative, 13, [(True, 0, 8)], 8)])
    values, options = np.ones(12), (False, 0, 9)
    for wrong in (np.ones(3), np.ones((5, 1)), np.ones((3, 1), np.float32), np.ones((0, 1))):
        with pytest.raises(ValueError, match=r"of the shape \(outer, inner\)"):
            program.fold_lines([values], np.add, 13, b"", wrong, *options)
    with pytest.raises(IndexError):
        program.fold_lines([values], np.add, 999, b"", np.ones((3, 1)), *options)
    assert program.fold_lines([values[::2]], np.add, 13, b"", np.ones((3, 1)), *options) is None
    nothing = _algorithm.make_program([8], [])
    with pytest.raises(ValueError, match="the program has no steps"):
        nothing.fold_lines([values], np.add, 13, b"", np.ones((3, 1)), *options)
