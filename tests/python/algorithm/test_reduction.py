# SPDX-License-Identifier: Apache-2.0
"""Reductions give NumPy's results, and float sums stay within the documented bound."""

from __future__ import annotations

import numpy as np
import pytest
from algorithm.references import SIZES, assert_equal

import pointsman as pm


def test_reduce_folds_all_values(policy, values):
    for size in SIZES:
        x = values(size)
        assert_equal(pm.reduce(policy, x), np.add.reduce(x))
        assert_equal(pm.reduce(policy, x, initial=3), np.add.reduce(x, initial=3))
        if size:
            assert_equal(pm.reduce(policy, x, "min"), np.min(x))
            assert_equal(pm.reduce(policy, x, max), np.max(x))
        product = pm.reduce(policy, np.minimum(x, x.dtype.type(1)), "*")
        assert_equal(product, np.multiply.reduce(np.minimum(x, x.dtype.type(1))))


def test_transform_reduce_folds_the_values_of_a_function(policy, values):
    for size in SIZES:
        x, y = values(size), values(size)[::-1]
        ulps = 1 if x.dtype == np.float16 else 0  # NumPy also rounds partial sums
        assert_equal(pm.transform_reduce(policy, "x * y", x, y), np.add.reduce(x * y), ulps)
        assert_equal(pm.transform_reduce(policy, lambda a: a > 1, x), np.add.reduce(x > 1))


@pytest.mark.parametrize("op", ["min", "max"])
def test_nan_is_passed_on_by_min_and_max(policy, op):
    x = np.arange(70_000, dtype=np.float32)
    x[40_000] = np.nan
    assert np.isnan(pm.reduce(policy, x, op))


def test_min_of_nothing_needs_an_initial_value_as_in_numpy(policy):
    nothing = np.empty(0, np.int32)
    with pytest.raises(ValueError, match="identity"):
        pm.reduce(policy, nothing, "min")
    assert pm.reduce(policy, nothing, "min", initial=4) == 4


def test_float_sums_stay_within_the_stated_bound(policy):
    size = 1_000_000
    x = np.random.default_rng(1).random(size, np.float32)
    exact = x.astype(np.float64).sum()
    units = 1_300 + size / 65_536 if isinstance(policy, pm.execution.DevicePolicy) else 104
    if policy is pm.auto:
        units = 1_300 + size / 65_536
    assert abs(float(pm.reduce(policy, x)) - exact) <= units * np.spacing(np.float32(exact))


def test_sums_of_integers_wrap_around_as_numpys_do(policy):
    x = np.full(70_000, 2**62, np.int64)
    assert pm.reduce(policy, x) == np.add.reduce(x)


@pytest.mark.parametrize("to", ["int8", "uint16", "int64", "float16", "float32", "float64"])
def test_a_sum_is_of_the_type_asked_for(policy, values, to):
    for size in SIZES if to != "float16" else SIZES[:-1]:
        x = np.minimum(values(size), values(size).dtype.type(1))  # sums that float16 can hold
        if to[0] == "u" and x.dtype.kind == "f":
            x = abs(x)  # C does not define what negative floats are as unsigned integers
        assert_equal(pm.reduce(policy, x, dtype=to), np.add.reduce(x, dtype=to))
        with_initial = pm.reduce(policy, x, initial=3, dtype=to)
        assert_equal(with_initial, np.add.reduce(x, initial=3, dtype=to))
        doubled = pm.transform_reduce(policy, "2*x", x, dtype=to)
        assert_equal(doubled, np.add.reduce(2 * x, dtype=to))
        if size:
            assert_equal(pm.reduce(policy, x, "max", dtype=to), np.maximum.reduce(x, dtype=to))


def test_small_floats_are_added_in_a_wider_type_if_asked(policy):
    x = np.full(100_000, 0.1, np.float16)
    assert pm.reduce(policy, x, dtype=np.float64) == pytest.approx(100_000 * float(x[0]), rel=1e-12)


@pytest.mark.parametrize("wrong", ["bool", "complex64", ">f4", "M8[s]", "longdouble"])
def test_a_type_that_sums_cannot_have_is_named(policy, wrong):
    for call in (pm.reduce, pm.inclusive_scan, pm.exclusive_scan):
        with pytest.raises(TypeError, match="`dtype` is .*: pass one of int8, "):
            call(policy, np.ones(3), dtype=wrong)
