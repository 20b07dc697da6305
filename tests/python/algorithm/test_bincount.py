# SPDX-License-Identifier: Apache-2.0
"""Counts and sums of weights are NumPy's, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithm.references import SIZES, assert_identical, few_examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm

TYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def numbers(size: int, dtype: str) -> Any:
    """The same small numbers in each call, few of them different in a bool array."""
    most = 2 if dtype == "bool" else 100
    return np.random.default_rng(size).integers(0, most, size).astype(dtype)


def counts_of(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    """NumPy's, which takes uint64 from 2.2.4 on."""
    return np.bincount(x.astype(np.int64), weights, minlength)


@pytest.mark.parametrize("dtype", TYPES)
def test_counts_are_numpys(policy, dtype):
    for size in SIZES:
        x = numbers(size, dtype)
        for length in (0, 1, 150):
            counts = pm.bincount(policy, x, minlength=length)
            assert_identical(counts, counts_of(x, minlength=length))


@pytest.mark.parametrize("dtype", ["bool", "int16", "float16", "float32", "float64"])
def test_weights_are_added_in_numpys_order(policy, dtype):
    for size in SIZES:
        x = numbers(size, "uint8")
        weights = (100 * np.random.default_rng(size).normal(size=size)).astype(dtype)
        sums = pm.bincount(policy, x, weights, minlength=120)
        assert_identical(sums, np.bincount(x, weights, minlength=120))


@pytest.mark.parametrize("dtype", TYPES)
def test_weights_may_be_unaligned_apart_or_of_another_byte_order(dtype, random):
    for size in (3, 5_000):
        x = numbers(size, dtype)
        bytes_behind = np.empty(8 * size + 1, np.uint8)[1:]
        at_odd_address = bytes_behind.view(np.float64)
        at_odd_address[:] = weights = random.normal(size=size)
        apart, swapped = np.repeat(weights, 2)[::2], weights.astype(">f8")
        for policy in (pm.seq, pm.par):
            for same in (weights, at_odd_address, apart, swapped):
                sums = pm.bincount(policy, x, same, minlength=7)
                assert_identical(sums, counts_of(x, weights, minlength=7))


@pytest.mark.parametrize("dtype", ["int8", "int64"])
def test_a_negative_number_with_a_weight_is_refused(dtype):
    with pytest.raises(ValueError, match="holds -3"):
        pm.bincount(pm.seq, np.array([1, -3], dtype), np.ones(2))


@given(data=st.data())
@few_examples
def test_any_numbers_and_weights_give_what_numpy_gives(policy, data):
    x = data.draw(hnp.arrays(np.int64, st.integers(0, 40), elements=st.integers(0, 5000)))
    floats = st.floats(-1e6, 1e6) | st.sampled_from([np.inf, -np.inf, np.nan, -0.0])
    weights = data.draw(hnp.arrays(np.float64, x.shape, elements=floats))
    length = data.draw(st.integers(0, 6000))
    assert_identical(pm.bincount(policy, x, minlength=length), np.bincount(x, minlength=length))
    with np.errstate(invalid="ignore"):
        assert_identical(pm.bincount(policy, x, weights), np.bincount(x, weights))


@pytest.mark.parametrize("dtype", TYPES)
def test_many_numbers_are_counted_by_threads(dtype, random):
    for size in (3, 40_000, 300_003):
        for most in (1, 2, 6, 100, 5000, 65_535, 65_536, 200_000):
            if dtype != "bool" and most > np.iinfo(dtype).max:
                continue
            x = random.integers(0, most, size, endpoint=True).astype(dtype)
            x[: size // 4] = min(most, 3)
            for length in (0, 2, 7, 6000):
                wanted = counts_of(x, minlength=length)
                for policy in (pm.seq, pm.par):
                    assert_identical(pm.bincount(policy, x, minlength=length), wanted)


def test_numpy_is_left_no_small_numbers(monkeypatch):
    x = numbers(9, "int64")
    wanted = np.bincount(x)
    monkeypatch.delattr(np, "bincount")
    for policy in (pm.seq, pm.par):
        assert_identical(pm.bincount(policy, x), wanted)


def test_lists_and_arrays_of_any_layout_are_counted(policy):
    x = np.arange(60).reshape(6, 10)[:, 3]
    for given_numbers in (x, x[::-1], [3, 1, 3], (2,), [], [True, False]):
        assert_identical(pm.bincount(policy, given_numbers), np.bincount(given_numbers))


def test_numbers_and_weights_may_be_in_buffers(opencl_queue):
    x, weights = numbers(1000, "int32"), np.random.default_rng(1).normal(size=1000)
    policy = pm.device_policy(opencl_queue)
    buffers = opencl_queue.buffer(x), opencl_queue.buffer(weights)
    assert_identical(pm.bincount(policy, buffers[0]), np.bincount(x))
    for given_numbers, added in (buffers, (buffers[0], weights), (x, buffers[1])):
        sums = pm.bincount(policy, given_numbers, added)
        assert_identical(sums, np.bincount(x, weights))


def test_devices_that_work_in_groups_count_too(queue_in_groups):
    x = numbers(65_537, "int32")
    assert_identical(pm.bincount(pm.device_policy(queue_in_groups), x), np.bincount(x))


@pytest.mark.parametrize("size", [3, 70_000])
@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_a_negative_value_is_named(policy, dtype, size):
    x = np.zeros(size, dtype)
    x[size // 2] = -7
    for weights in (None, np.ones(size)):
        with pytest.raises(ValueError, match="`a` holds -7: pass non-negative integers"):
            pm.bincount(policy, x, weights)


@pytest.mark.parametrize("number", [2**63 - 1, 2**62, 2**60 - 1])
def test_an_integer_is_refused_up_to_which_no_array_has_counts(policy, number):
    for given_numbers in ([number], [number, 3]):
        with pytest.raises(ValueError, match=f"`a` holds {number}, .*: pass smaller integers, or"):
            pm.bincount(policy, given_numbers)


@pytest.mark.parametrize("number", [2**64 - 1, 2**63, 2**60 - 1])
def test_unsigned_numbers_are_named_as_they_are(policy, number):
    for count in (1, 70_000):
        x = np.full(count, 3, np.uint64)
        x[-1] = number
        for weights in (None, np.ones(count)):
            with pytest.raises(ValueError, match=f"`a` holds {number}, .*: pass smaller integers"):
                pm.bincount(policy, x, weights)


def test_unsigned_numbers_may_be_of_another_byte_order():
    x = numbers(300, "uint64").astype(">u8")
    for policy in (pm.seq, pm.par):
        assert_identical(pm.bincount(policy, x), counts_of(x))
    x[-1] = 2**63 + 5
    with pytest.raises(ValueError, match=f"`a` holds {2**63 + 5}, "):
        pm.bincount(pm.seq, x)


def test_a_least_length_that_no_array_has_is_refused(policy):
    for length in (-1, 2**60, 2**70):
        with pytest.raises(ValueError, match=f"`minlength` is {length}: pass 0 or more, and less"):
            pm.bincount(policy, [1, 2], minlength=length)
    with pytest.raises(ValueError, match="`minlength` is an integer of 16610 bits: pass"):
        pm.bincount(policy, [1, 2], minlength=10**5000)


@pytest.mark.parametrize("size", [0, 3])
def test_other_types_are_refused(policy, size):
    for dtype in ("float32", "complex64", "M8[s]"):
        with pytest.raises(TypeError, match="`a` has the type .*: pass bool or integers"):
            pm.bincount(policy, np.zeros(size, dtype))
    with pytest.raises(TypeError, match="`weights` has the type complex128: pass real numbers"):
        pm.bincount(policy, np.zeros(size, int), np.zeros(size, complex))


def test_wrong_shapes_are_refused(policy):
    for a in (3, [[1, 2]]):
        with pytest.raises(ValueError, match=r"`a` has the shape .*: pass an array of one dim"):
            pm.bincount(policy, a)
    for weights in ([1], [[1, 2]]):
        with pytest.raises(ValueError, match=r"`weights` \(.*: pass one weight for each value"):
            pm.bincount(policy, [1, 2], weights)


def test_a_least_length_is_a_non_negative_integer(policy):
    with pytest.raises(ValueError, match="`minlength` is -2: pass 0 or more"):
        pm.bincount(policy, [1], minlength=-2)
    for length in (None, 1.0):
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            pm.bincount(policy, [1], minlength=length)
