# SPDX-License-Identifier: Apache-2.0
# Contiguous arrays go straight to NumPy; strided ones with the same values are planned.
"""Plain arrays give what other arrays of the same values give, errors included."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pointsman as pm

CALLS: dict[str, Callable[..., Any]] = {
    "reduce": lambda p, a, b: pm.reduce(p, a),
    "reduce max": lambda p, a, b: pm.reduce(p, a, "max"),
    "reduce initial": lambda p, a, b: pm.reduce(p, a, "*", 1),
    "transform_reduce": lambda p, a, b: pm.transform_reduce(p, "x*y", a, b),
    "constant fold": lambda p, a, b: pm.transform_reduce(p, "2", a),
    "min_element": lambda p, a, b: pm.min_element(p, a),
    "minmax_element": lambda p, a, b: pm.minmax_element(p, a),
    "transform": lambda p, a, b: pm.transform(p, "2*x + y", a, b),
    "lambda": lambda p, a, b: pm.transform(p, lambda x, y: np.where(x < y, x, y), a, b),
    "division": lambda p, a, b: pm.transform(p, "x / 4", a),
    "negative power": lambda p, a, b: pm.transform(p, "x ** -1", a),
    "constant": lambda p, a, b: pm.transform(p, "2.5", a),
    "itself": lambda p, a, b: pm.transform(p, "x", a),
    "second": lambda p, a, b: pm.transform(p, "y", a, b),
    "copy": lambda p, a, b: pm.copy(p, a),
    "inclusive_scan": lambda p, a, b: pm.inclusive_scan(p, a),
    "scan from 3": lambda p, a, b: pm.inclusive_scan(p, a, "max", 3),
    "exclusive_scan": lambda p, a, b: pm.exclusive_scan(p, a),
    "exclusive min": lambda p, a, b: pm.exclusive_scan(p, a, None, "min"),
    "exclusive from half": lambda p, a, b: pm.exclusive_scan(p, a, 0.5),
    "reduce_by_segment": lambda p, a, b: pm.reduce_by_segment(p, a, b, "max"),
    "inclusive by segment": lambda p, a, b: pm.inclusive_scan_by_segment(p, a, b),
    "exclusive by segment": lambda p, a, b: pm.exclusive_scan_by_segment(p, a, b, None, "min"),
    "count_if": lambda p, a, b: pm.count_if(p, "x > y", a, b),
    "count all": lambda p, a, b: pm.count_if(p, "True", a),
    "count numbers": lambda p, a, b: pm.count_if(p, "x", a),
    "find_if": lambda p, a, b: pm.find_if(p, "x == 3", a),
    "find none": lambda p, a, b: pm.find_if(p, "False", a),
    "find any": lambda p, a, b: pm.find_if(p, "7", a),
    "any_of": lambda p, a, b: pm.any_of(p, "x > 3", a),
    "none_of": lambda p, a, b: pm.none_of(p, "x > 9", a),
    "all_of": lambda p, a, b: pm.all_of(p, "x > -9", a),
    "copy_if": lambda p, a, b: pm.copy_if(p, "x > 1", a),
    "copy all": lambda p, a, b: pm.copy_if(p, "True", a),
    "copy nonzero": lambda p, a, b: pm.copy_if(p, "x", a),
    "unique": lambda p, a, b: pm.unique(p, a),
    "histogram": lambda p, a, b: pm.histogram(p, a),
    "histogram in range": lambda p, a, b: pm.histogram(p, a, 4, (-2, 2)),
    "histogram of edges": lambda p, a, b: pm.histogram(p, a, [-3, 0, 1, 4]),
    "histogram of weights": lambda p, a, b: pm.histogram(p, a, 4, (-2, 2), weights=b),
    "searchsorted": lambda p, a, b: pm.searchsorted(p, pm.sort(p, a), b),
    "bincount": lambda p, a, b: pm.bincount(p, a),
    "bincount of weights": lambda p, a, b: pm.bincount(p, a, b, minlength=9),
    "fill": lambda p, a, b: pm.fill(p, a, 3),
    "fill half": lambda p, a, b: pm.fill(p, a, 0.5),
    "sort": lambda p, a, b: pm.sort(p, a),
    "descending": lambda p, a, b: pm.stable_sort(p, a, descending=True),
    "argsort": lambda p, a, b: pm.argsort(p, a),
    "argsort down": lambda p, a, b: pm.argsort(p, a, descending=True),
    "copy to": lambda p, a, b: pm.copy(p, a, b),
    "copy of a part": lambda p, a, b: pm.copy(p, a[:-1], a[1:]),
    "greatest by segment": lambda p, a, b: pm.reduce_by_segment(p, a, b, "max"),
    "searchsorted number": lambda p, a, b: pm.searchsorted(p, pm.sort(p, a), 2, side="right"),
    "falling sort": lambda p, a, b: pm.sort(p, a, descending=True),
    "stable_sort": lambda p, a, b: pm.stable_sort(p, a),
    "sort_by_key": lambda p, a, b: pm.sort_by_key(p, a, b),
    "merge": lambda p, a, b: pm.merge(p, pm.sort(p, a), pm.sort(p, b)),
}
SIZES = [0, 1, 2, 31, 1000, 32_768, 32_769, 70_000]
TYPES = ["bool", "uint8", "int64", "float16", "float32", ">f4", "complex128"]


def outcome(call: Callable[..., Any], policy: Any, *arrays: Any) -> Any:
    """What a call returns, or the type and text of its error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(policy, *arrays)
    except (TypeError, ValueError, OverflowError) as error:
        return type(error), str(error)


def strided(array: Any) -> Any:
    wide = np.repeat(array, 2, axis=-1)
    return wide[..., ::2]


def assert_same(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    if isinstance(one, tuple):
        assert len(one) == len(other)
        for each in zip(one, other, strict=True):
            assert_same(*each)
    elif isinstance(one, (np.ndarray, np.generic)):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tobytes() == other.tobytes()
    else:
        assert one == other


def pair(dtype: str, shape: Any) -> tuple[Any, Any]:
    random = np.random.default_rng(5)
    low = 0 if dtype in ("bool", "uint8") else -5
    a, b = (random.integers(low, 6, shape).astype(dtype) for _ in range(2))
    return a, b


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", TYPES)
def test_contiguous_and_strided_arrays_give_the_same(name, dtype):
    for size in SIZES:
        for policy in (pm.seq, pm.par):
            a, b = pair(dtype, size)
            other = strided(a), strided(b)
            results = outcome(CALLS[name], policy, a, b)
            expected = outcome(CALLS[name], policy, *other)
            assert_same(results, expected)
            assert_same((a, b), tuple(map(np.ascontiguousarray, other)))


@pytest.mark.parametrize("name", CALLS)
def test_arrays_of_two_dimensions_give_the_same(name):
    a, b = pair("float64", (7, 5))
    other = strided(a), strided(b)
    assert_same(
        outcome(CALLS[name], pm.seq, a, b),
        outcome(CALLS[name], pm.seq, *other),
    )


@pytest.mark.parametrize("size", [1000, 70_000])
@pytest.mark.parametrize("shift", [-1, 0, 1, 7])
def test_out_may_share_memory_with_the_inputs(size, shift):
    memory = np.random.default_rng(3).random(size + 20)
    a = memory[10 : 10 + size]
    out = memory[10 + shift : 10 + shift + size]
    b = a[::-1].copy()
    expected = np.where(a < b, 2 * a, a + b)
    for policy in (pm.seq, pm.par):
        memory[10 : 10 + size] = b[::-1]
        returned = pm.transform(policy, "where(x < y, 2*x, x + y)", a, b, out=out)
        assert returned is out
        assert out.tobytes() == expected.tobytes()


def test_a_read_only_array_is_not_written_to():
    a = np.arange(4.0)
    a.flags.writeable = False
    for call in (lambda: pm.fill(pm.seq, a, 1), lambda: pm.sort(pm.seq, a)):
        with pytest.raises(TypeError, match="cannot be written to"):
            call()
    with pytest.raises(TypeError, match="cannot be written to"):
        pm.transform(pm.seq, "x", a, out=a)
    assert a.tolist() == [0, 1, 2, 3]


def test_an_unaligned_array_is_sorted_in_place():
    for dtype in ("int16", "float32", "float64"):
        memory = np.zeros(3000 * np.dtype(dtype).itemsize + 1, np.uint8)
        a = memory[1:].view(dtype)
        a[:] = np.random.default_rng(3).integers(0, 99, a.size)
        expected = np.sort(a)
        assert pm.sort(pm.seq, a) is a
        assert a.tobytes() == expected.tobytes()


def test_what_a_transform_returns_shares_no_memory_with_its_input():
    a, b = np.arange(4.0), np.arange(4.0)
    for f in ("x", "y"):
        result = pm.transform(pm.seq, f, a, b)
        result[:] = 9
    assert a.tolist() == b.tolist() == [0, 1, 2, 3]
