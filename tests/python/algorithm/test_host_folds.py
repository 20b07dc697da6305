# SPDX-License-Identifier: Apache-2.0
# The limit from which threads share the work is lowered, so that short arrays take the same way.
"""Lines that C++ folds, scans and searches in threads have NumPy's results, bit for bit."""

from __future__ import annotations

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
from pointsman.algorithm._operation import operation_of

DTYPES = ["bool", "int8", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1.0, 1e-45, 3e38]
SHAPES = st.lists(st.sampled_from([1, 2, 3, 7, 8, 9, 31, 33, 130]), min_size=2, max_size=3)


@pytest.fixture(autouse=True)
def _threads_share_all(monkeypatch):
    monkeypatch.setattr(_host_folds, "LEAST_BYTES", 1)
    monkeypatch.setattr(_host_folds, "SHORTEST_FOLDED", 1)
    monkeypatch.setattr(_host_folds, "SHORTEST_SEARCHED", 1)
    monkeypatch.setattr(_host_folds, "LONG_SEARCHED", 1)
    monkeypatch.setattr(_host, "CHUNK", 1)


def random_values(random: np.random.Generator, dtype: str, shape: Any) -> Any:
    of = np.dtype(dtype)
    if of.kind == "f":
        x = random.standard_normal(shape).astype(of)
        if random.random() < 0.5:
            x[random.random(shape) < 0.3] = random.choice(SPECIAL[: random.integers(2, 10)])
            x[random.random(shape) < 0.1] = random.choice(SPECIAL[:2])
        return x
    if of.kind == "b":
        return random.random(shape) < 0.5
    return random.integers(np.iinfo(of).min, np.iinfo(of).max, shape, of, endpoint=True)


def is_in_spans(shape: list[int], axis: int) -> bool:
    """Whether few long lines side by side are folded, in another order than NumPy's."""
    outer, n, inner = lengths_of(tuple(shape), (axis,))
    return inner > 1 and outer * inner < 4096 and n * inner > 32_768


@pytest.mark.parametrize("dtype", DTYPES)
@few_examples
@given(shape=SHAPES, seed=st.integers(0, 2**32 - 1))
def test_folds_along_each_axis_are_numpys(dtype, shape, seed):
    x = random_values(np.random.default_rng(seed), dtype, shape)
    x.flags.writeable = False
    for axis in range(x.ndim):
        for name, ufunc in ALL_NUMPYS:
            expected, warned = outcome(lambda u=ufunc, a=axis: u.reduce(x, a))
            result, seen = outcome(lambda n=name, a=axis: pm.reduce(pm.par, x, n, axis=a))
            if name in "+*" and dtype[0] == "f" and is_in_spans(shape, axis):
                np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-3)
            else:
                assert_identical(with_one_nan(result), with_one_nan(expected))
            assert seen == warned
        for find, numpys in ((pm.argmax, np.argmax), (pm.argmin, np.argmin)):
            assert_identical(find(pm.par, x, axis=axis), numpys(x, axis))


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint64", "float32", "float64"])
def test_few_long_columns_are_folded_in_spans(dtype, random):
    x = random.integers(-9, 9, (2, 100_003, 3)).astype(dtype)  # sums are exact
    for name, ufunc in ALL_NUMPYS:
        if name != "*":
            assert_identical(pm.reduce(pm.par, x, name, axis=1), ufunc.reduce(x, 1))
    values = random.random((200_001, 5))
    first = pm.reduce(pm.par, values, axis=0)
    np.testing.assert_allclose(first, values.sum(0), rtol=1e-12)
    for _ in range(5):
        assert_identical(pm.reduce(pm.par, values, axis=0), first)


@pytest.mark.parametrize("shape", [(40, 3000), (3, 50, 3000), (100_000, 2), (2, 70_000)])
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_wide_and_long_lines_are_folded_as_numpy_does(shape, dtype, random):
    x = random_values(random, dtype, shape)
    for axis in range(x.ndim):
        for name, ufunc in (("max", np.maximum), ("min", np.minimum)):
            result = pm.reduce(pm.par, x, name, axis=axis)
            assert_identical(with_one_nan(result), with_one_nan(ufunc.reduce(x, axis)))
    assert_identical(pm.argmax(pm.par, x, axis=-1), np.argmax(x, -1))
    x = (random.random(shape) * 100).astype(dtype)
    assert_identical(pm.reduce(pm.par, x, axis=-1), np.add.reduce(x, -1))


@pytest.mark.parametrize("dtype", DTYPES)
@few_examples
@given(size=st.sampled_from([1, 2, 15, 16, 17, 513, 2049, 65_537, 140_000]), data=st.data())
def test_the_first_extreme_is_found(dtype, size, data):
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    x = random_values(random, dtype, size)
    if data.draw(st.booleans()):
        x = x[random.integers(0, min(size, 5), size)]  # few values, each of them often
    assert pm.max_element(pm.par, x) == np.argmax(x)
    assert pm.min_element(pm.par, x) == np.argmin(x)
    assert pm.minmax_element(pm.par, x) == (np.argmin(x), np.argmax(x))


@pytest.mark.parametrize("dtype", DTYPES)
@few_examples
@given(shape=SHAPES, seed=st.integers(0, 2**32 - 1))
def test_scans_of_rows_are_numpys(dtype, shape, seed):
    random = np.random.default_rng(seed)
    x = random_values(random, dtype, shape)
    expected, warned = outcome(lambda: np.add.accumulate(x, -1))
    before = expected.dtype.type(3)
    for policy in (pm.seq, pm.par):
        result, seen = outcome(lambda p=policy: pm.inclusive_scan(p, x, axis=-1))
        assert_identical(with_one_nan(result), with_one_nan(expected))
        assert seen == warned
        later, exclusive = (
            outcome(lambda p=policy, s=scan: s(p, x, initial=before, axis=-1))[0]
            for scan in (pm.inclusive_scan, pm.exclusive_scan)
        )
        parts = np.concatenate([np.full((*shape[:-1], 1), before), x.astype(before.dtype)], -1)
        with np.errstate(all="ignore"):
            whole = np.add.accumulate(parts, -1, dtype=before.dtype)
        assert_identical(with_one_nan(later), with_one_nan(np.ascontiguousarray(whole[..., 1:])))
        assert_identical(
            with_one_nan(exclusive), with_one_nan(np.ascontiguousarray(whole[..., :-1]))
        )


@pytest.mark.parametrize("axes", [(0, 1), (1, 2), (-2, -1), (1, 0)])
@pytest.mark.parametrize("shape", [(5, 40, 130), (130, 3, 2), (17, 130, 5), (1, 9000, 1)])
def test_neighbouring_axes_are_folded_as_one(shape, axes, random):
    x = random.standard_normal(shape) * 100
    for name, ufunc in ALL_NUMPYS:
        with np.errstate(all="ignore"):
            assert_identical(pm.reduce(pm.par, x, name, axis=axes), ufunc.reduce(x, axes))


@pytest.mark.parametrize("buffer", [8192, 1024])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_long_rows_are_rounded_as_numpy_does(buffer, dtype, random):
    _host_folds._are_parts_folded.cache_clear()
    before = np.setbufsize(buffer)
    try:
        for n in (buffer - 1, buffer, buffer + 1, 3 * buffer, 70_001):
            x = (random.random((3, n)) * 100).astype(dtype)
            assert_identical(pm.reduce(pm.par, x, axis=1), np.add.reduce(x, 1))
            x = (0.99 + random.random((3, n)) / 50).astype(dtype)
            assert_identical(pm.reduce(pm.par, x, "*", axis=1), np.multiply.reduce(x, 1))
    finally:
        np.setbufsize(before)


def test_numpy_folds_what_its_loops_convert(random):
    x = random.integers(-9, 9, (300, 40))
    for of, options in (("int32", {}), ("float16", {}), ("float32", {"dtype": "float64"})):
        values = x.astype(of)
        expected = np.add.reduce(values, 1, options.get("dtype"))
        assert_identical(pm.reduce(pm.par, values, axis=1, **options), expected)
    swapped = x.astype(np.dtype(np.float64).newbyteorder())
    assert pm.reduce(pm.par, swapped, axis=1).tolist() == x.sum(1).tolist()
    assert pm.argmax(pm.par, swapped, axis=1).tolist() == x.argmax(1).tolist()
    assert pm.reduce(pm.par, x, axis=1, initial=5).tolist() == (x.sum(1) + 5).tolist()
    assert _host_folds.fold(operation_of("+"), x.astype(np.int32), (1,), {}) is None


def test_the_extension_refuses_arrays_that_do_not_fit():
    from pointsman import _algorithm

    values, folds = np.ones((2, 3, 4)), np.ones((2, 4))
    for wrong in (np.ones((2, 5)), np.ones(8), np.ones((2, 4), np.float32)):
        with pytest.raises(ValueError, match="contiguous arrays of the shapes"):
            _algorithm.fold_lines(np.add, 0, values, b"", wrong, 0, 9)
    with pytest.raises(ValueError, match="contiguous arrays of the shapes"):
        _algorithm.fold_lines(np.add, 0, values.transpose(), b"", folds.transpose(), 0, 9)
    with pytest.raises(IndexError):
        _algorithm.fold_lines(np.add, 999, values, b"", folds, 0, 9)
    with pytest.raises(ValueError, match="an element of out for each"):
        _algorithm.extreme_indices(np.ones(7), True, np.empty(2, np.int64))
    with pytest.raises(ValueError, match="one weight for each value"):
        _algorithm.weighted_bincount(np.ones(3, np.int64), np.ones(2), 0)
    program = _algorithm.make_program([8], [(np.negative, 13, [(True, 0, 8)], 8)])
    with pytest.raises(ValueError, match="results of type bool"):
        program.find([np.ones(3)], True, False, 0)
    with pytest.raises(ValueError, match="results of type bool"):
        program.count([np.ones(3)], False, 0)
    with pytest.raises(ValueError, match="lines of values"):
        _algorithm.scan_lines(np.ones((2, 3, 1)), np.ones((2, 2, 1)), np.ones(0), False, False)
