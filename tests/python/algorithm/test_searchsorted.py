# SPDX-License-Identifier: Apache-2.0
"""Values belong in a sorted array at the indices that NumPy finds."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from algorithm.references import SIZES, assert_identical, few_examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm

SIDES = ["left", "right"]
PAIRS = [
    ("bool", "bool"),
    ("int8", "uint8"),
    ("int64", "uint64"),
    ("uint64", "uint64"),
    ("float16", "float16"),
    ("float16", "bool"),
    ("float32", "int16"),
    ("int32", "float32"),
    ("float64", "float16"),
]


def special(name: str) -> Any:
    """The limits of a type, zeros of both signs, subnormal numbers, infinities and NaN."""
    dtype = np.dtype(name)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        some = [0, -0.0, 1, -1, 2.5, limits.max, limits.min, np.inf, -np.inf, np.nan, -np.nan]
        return np.array([*some, limits.tiny / 2, -limits.tiny / 2], dtype)
    whole = np.iinfo(dtype)
    return np.array([0, 1, 2, 100, whole.min, whole.max, whole.max - 1], dtype)


def assert_numpys(policy: Any, a: Any, v: Any) -> None:
    for side in SIDES:
        assert_identical(pm.searchsorted(policy, a, v, side=side), np.searchsorted(a, v, side=side))


def test_indices_are_numpys_for_every_size(policy, values):
    for sizes in itertools.product((0, 33, 65_537), SIZES):
        a, v = map(values, sizes)
        assert_numpys(policy, np.sort(a, kind="stable"), v)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_values_of_all_types_are_ordered_as_numpy_orders_them(policy, first, second):
    a, v = special(first), special(second)
    assert_numpys(policy, np.sort(np.repeat(a, 3), kind="stable"), v)
    assert_numpys(policy, np.sort(np.repeat(v, 3), kind="stable"), a)


@given(
    a=hnp.arrays(np.float32, st.integers(0, 50), elements=st.floats(width=32)),
    v=hnp.arrays(np.float32, hnp.array_shapes(min_side=0), elements=st.floats(width=32)),
)
@few_examples
def test_any_floats_in_any_shape_are_found_where_numpy_finds_them(policy, a, v):
    assert_numpys(policy, np.sort(a, kind="stable"), v)


def test_a_number_has_one_index(policy):
    for v in (2, 2.5, np.float32(1), np.array(3)):
        index = pm.searchsorted(policy, [1, 2, 3], v)
        assert type(index) is np.int64
        assert index == np.searchsorted([1, 2, 3], v)


def test_arrays_of_any_layout_are_read(policy):
    a, v = np.arange(40)[::4], np.arange(24).reshape(4, 6).T
    assert_numpys(policy, a, v)
    assert_numpys(policy, a[:0], v)


def test_the_indices_of_a_buffers_values_are_in_a_buffer(opencl_queue):
    a, v = np.arange(0, 20, 2), np.arange(12).reshape(3, 4)
    for queue in (opencl_queue, pm.opencl.Queue(out_of_order=True)):
        policy = pm.device_policy(queue)
        table, values = queue.buffer(a), queue.buffer(v)
        assert_identical(pm.searchsorted(policy, table, v), np.searchsorted(a, v))
        for given_table in (a, table):
            indices = pm.searchsorted(policy, given_table, values)
            assert_identical(queue.read(indices), np.searchsorted(a, v))
        assert not queue.read(pm.searchsorted(policy, a[:0], values)).any()
        assert pm.searchsorted(policy, table, v[:0]).shape == (0, 4)


def test_the_host_orders_whatever_numpy_orders():
    for a in (np.array(["a", "c"]), np.array([1, 3], "M8[s]"), np.array([1, 3 + 1j])):
        for policy in (pm.seq, pm.par, pm.auto):
            assert_numpys(policy, a, a[::-1])


def test_another_side_or_shape_is_refused(policy):
    with pytest.raises(ValueError, match="`side` is 'middle': pass 'left' or 'right'"):
        pm.searchsorted(policy, [1], [1], side="middle")
    for a in (3, [[1, 2]]):
        with pytest.raises(ValueError, match=r"`a` has the shape .*: pass an array of one dim"):
            pm.searchsorted(policy, a, [1])


def test_an_integer_of_more_than_64_bits_is_refused(policy):
    for a in ([1, 2], np.array([1, 2])):
        for number in (2**70, -(2**64)):
            with pytest.raises(ValueError, match=f"`v` is {number}, which no integer type of Num"):
                pm.searchsorted(policy, a, number)
        with pytest.raises(ValueError, match="`v` is an integer of 16610 bits, which no integer"):
            pm.searchsorted(policy, a, 10**5000)


def test_values_that_numpy_cannot_order_are_refused(policy):
    with pytest.raises(TypeError):
        pm.searchsorted(policy, np.array([1, 3], "M8[s]"), [1.5])
