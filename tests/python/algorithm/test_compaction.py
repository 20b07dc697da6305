# SPDX-License-Identifier: Apache-2.0
"""copy_if and unique keep the values that NumPy keeps, in every kind of output."""

from __future__ import annotations

import array
import sys

import numpy as np
import pytest
from algorithm.references import SIZES, assert_identical, few_examples
from hypothesis import given
from hypothesis import strategies as st

import pointsman as pm
from pointsman.algorithm import _host


def test_copy_if_keeps_the_values_for_which_the_predicate_holds(policy, values):
    for size in SIZES:
        x = values(size)
        assert_identical(pm.copy_if(policy, "x > 1", x), x[x > 1])
        assert_identical(pm.copy_if(policy, lambda v: v == 1, x), x[x == 1])


def test_kept_values_go_to_the_beginning_of_out(policy):
    x, out = np.arange(70_000), np.zeros(70_000, np.int64)
    kept = pm.copy_if(policy, "x % 2 == 1", x, out=out)
    assert np.shares_memory(kept, out)
    assert_identical(out[:35_000], x[1::2])
    assert not out[35_000:].any()
    with pytest.raises(ValueError, match="pass one of one dimension and 35000 elements"):
        pm.copy_if(policy, "x % 2 == 1", x, out=out[:9])


def test_kept_values_may_go_to_any_writable_object(policy):
    out = array.array("q", [0] * 4)
    kept = pm.copy_if(policy, "x > 1", np.arange(4), out=out)
    assert kept.tolist() == [2, 3]
    assert out.tolist() == [2, 3, 0, 0]
    with pytest.raises(TypeError, match="`out` is a list that cannot be written to"):
        pm.unique(policy, np.arange(4), out=[0] * 4)


def test_unique_keeps_the_first_of_each_run(policy, values):
    for size in SIZES:
        x = values(size)
        assert_identical(pm.unique(policy, x), x[np.append(True, x[1:] != x[:-1])[:size]])
        assert_identical(pm.unique(policy, np.sort(x)), np.unique(x))


def test_a_run_across_the_blocks_of_threads_is_one_run(policy):
    assert pm.unique(policy, np.ones(1_000_000, np.int8)).tolist() == [1]


@few_examples
@given(
    dtype=st.sampled_from("? b H i f d q F D e g m8[s] V3 V16".split()),
    seed=st.integers(0, 2**32 - 1),
)
def test_values_are_selected_as_numpy_selects_them(dtype, seed):
    random = np.random.default_rng(seed)
    size = int(random.integers(0, 400))
    memory = random.integers(0, 256, size * np.dtype(dtype).itemsize, np.uint8)
    x = (memory & 1 if dtype == "?" else memory).view(dtype)
    runs = np.cumsum(random.random(size) < random.choice([0.02, 0.3, 1])) % 2 == 1
    is_kept = runs if random.random() < 0.5 else random.random(size) < random.choice([0, 0.1, 1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_host, "FEW_KEPT", -1)
        patch.setattr(_host, "CHUNK", int(random.integers(1, 50)))
        for policy in (pm.seq, pm.par):
            assert_identical(_host.keep(policy, x, is_kept), x[is_kept])


def test_any_byte_but_zero_is_true():
    x, is_kept = np.arange(2000), (np.arange(2000) % 5).astype(np.uint8).view(bool)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_host, "FEW_KEPT", 0)
        assert_identical(_host.keep(pm.seq, x, is_kept), x[x % 5 != 0])


def test_values_that_are_no_arrays_for_c_are_left_to_numpy():
    from pointsman import _algorithm

    x, is_kept = np.arange(8.0), np.ones(8, bool)
    assert _algorithm.selected(x[::2], is_kept[:4], 4) is None
    assert _algorithm.selected(np.zeros(8, "V3"), is_kept, 4) is None
    for wrong in (is_kept[:7], is_kept.view(np.uint8), np.ones(16, bool)[::2]):
        with pytest.raises(ValueError, match="a contiguous truth value for each value"):
            _algorithm.selected(x, wrong, 4)


def test_threads_keep_the_order(random):
    x = random.random(300_000).astype(np.float32)
    assert_identical(pm.copy_if(pm.par, "x*x > 0.3", x), x[x * x > np.float32(0.3)])
    y = np.floor(4 * random.random(1_200_000))
    assert_identical(pm.unique(pm.par, y), y[np.append(True, y[1:] != y[:-1])])
    numbers = (10 * x).astype(np.int32)
    assert_identical(pm.copy_if(pm.par, "x > 2.5", numbers), numbers[numbers > 2.5])
    assert_identical(pm.copy_if(pm.par, "x", numbers), numbers[numbers != 0])


@pytest.mark.parametrize("size", [3, 3000, 70_000])
def test_values_that_are_no_numbers_are_kept_by_their_truth(size):
    for few in (
        [None, 1, "", 0, "a"],
        np.array([0, 5], "M8[s]"),
        np.array([0, 5], "m8[s]"),
        [0j, 2j],
        np.array([0, 2], ">f4"),
    ):
        dtype = object if None in list(few) else None
        x = np.resize(np.array(few, dtype), size)
        for policy in (pm.seq, pm.par):
            kept = pm.copy_if(policy, "x", x)
            assert kept.tolist() == x[x.astype(bool)].tolist()
            assert pm.unique(policy, x).tolist() == x[np.append(True, x[1:] != x[:-1])].tolist()


def test_kept_objects_are_counted():
    thing = object()
    x = np.full(5000, thing, object)
    before = sys.getrefcount(thing)
    kept = pm.copy_if(pm.seq, "x == x", x), pm.unique(pm.par, x)
    assert sys.getrefcount(thing) == before + 5001
    del kept
    assert sys.getrefcount(thing) == before


@pytest.mark.parametrize("dtype", ["int8", "int32", "float32", "complex128"])
def test_a_constant_keeps_all_or_nothing(policy, dtype):
    for size in (3, 3000, 300_000):
        x = np.ones(size, dtype)
        for f, kept in (("1", size), ("True", size), ("2.5", size), ("0", 0), (lambda _: 1, size)):
            if dtype != "complex128" or policy in (pm.seq, pm.par):
                assert_identical(pm.copy_if(policy, f, x), x[:kept])


@pytest.mark.parametrize("host", [pm.seq, pm.par])
def test_runs_of_equal_structures_are_kept_once(host):
    x = np.array([(1, 2.0), (1, 2.0), (1, 3.0), (1, 3.0), (1, 2.0)], [("a", "i4"), ("b", "f8")])
    assert pm.unique(host, x).tolist() == [(1, 2.0), (1, 3.0), (1, 2.0)]
    many = np.repeat(x, 20_000)
    assert pm.unique(host, many).tolist() == [(1, 2.0), (1, 3.0), (1, 2.0)]
