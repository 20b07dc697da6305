# SPDX-License-Identifier: Apache-2.0
"""Every algorithm gives under every policy, for every type and size, what NumPy gives."""

from __future__ import annotations

import numpy as np
import pytest

import pointsman as pm

SIZES = [0, 1, 2, 31, 33, 1000, 65537]


def assert_same(ours, numpys, ulps=0):
    """Bit for bit, but for the rounding of floating sums."""
    ours, numpys = np.asarray(ours), np.asarray(numpys)
    assert ours.dtype == numpys.dtype
    assert ours.shape == numpys.shape
    if ulps:
        np.testing.assert_array_max_ulp(ours, numpys, ulps)
    elif numpys.dtype.kind == "f":
        # Sums of whole numbers of these sizes are exact in every order.
        np.testing.assert_array_equal(ours, numpys)
    else:
        assert ours.tobytes() == numpys.tobytes()


def test_transform_computes_one_or_two_arrays(policy, values):
    for size in SIZES:
        x, y = values(size), values(size)[::-1]
        assert_same(pm.transform(policy, "x + x", x), x + x)
        assert_same(
            pm.transform(policy, lambda a, b: np.where(a > b, a, b), x, y), np.maximum(x, y)
        )
        assert_same(pm.transform(policy, "x / 3 == y", x, y), x / 3 == y)


def test_fill_and_copy_write_each_place(policy, values):
    for size in SIZES:
        x = values(size)
        out = np.zeros_like(x)
        assert pm.fill(policy, out, 1) is out
        assert_same(out, np.ones_like(x))
        assert pm.copy(policy, x, out=out) is out
        assert_same(out, x)
        copied = pm.copy(policy, x)
        assert_same(copied, x)
        assert not np.shares_memory(copied, x)


def test_reduce_folds_all_values(policy, values):
    for size in SIZES:
        x = values(size)
        assert_same(pm.reduce(policy, x), np.add.reduce(x))
        assert_same(pm.reduce(policy, x, initial=3), np.add.reduce(x, initial=3))
        if size:
            assert_same(pm.reduce(policy, x, "min"), np.min(x))
            assert_same(pm.reduce(policy, x, max), np.max(x))
        product = pm.reduce(policy, np.minimum(x, x.dtype.type(1)), "*")
        assert_same(product, np.multiply.reduce(np.minimum(x, x.dtype.type(1))))


def test_transform_reduce_folds_what_a_function_makes(policy, values):
    for size in SIZES:
        x, y = values(size), values(size)[::-1]
        ulps = 1 if x.dtype == np.float16 else 0  # NumPy rounds sums of parts, too
        assert_same(pm.transform_reduce(policy, "x * y", x, y), np.add.reduce(x * y), ulps)
        assert_same(pm.transform_reduce(policy, lambda a: a > 1, x), np.add.reduce(x > 1))


def test_scans_fold_what_comes_before(policy, values):
    for size in SIZES:
        x = values(size)
        sums = np.cumsum(x)
        assert_same(pm.inclusive_scan(policy, x), sums)
        assert_same(pm.inclusive_scan(policy, x, initial=2), (sums + sums.dtype.type(2)))
        before = np.concatenate([[2], 2 + sums[:-1]])[:size].astype(sums.dtype)
        assert_same(pm.exclusive_scan(policy, x, 2), before)
        assert_same(pm.inclusive_scan(policy, x, np.maximum), np.maximum.accumulate(x))


def test_searches_count_and_find(policy, values):
    for size in SIZES:
        x = values(size)
        holds = x == 1
        places = np.flatnonzero(holds)
        assert pm.count_if(policy, "x == 1", x) == len(places)
        assert pm.find_if(policy, "x == 1", x) == (places[0] if len(places) else None)
        assert pm.any_of(policy, "x == 1", x) == holds.any()
        assert pm.none_of(policy, lambda v: v == 1, x) == (not holds.any())
        assert pm.all_of(policy, "x <= 5", x)
        assert pm.all_of(policy, "x == 1", x) == holds.all()


def test_the_last_of_many_values_is_found(policy):
    x = np.zeros(100_000, np.int32)
    x[-1] = 7
    assert pm.find_if(policy, "x", x) == 99_999


@pytest.mark.parametrize("op", ["min", "max"])
def test_nan_is_passed_on_by_min_and_max(policy, op):
    x = np.arange(70_000, dtype=np.float32)
    x[40_000] = np.nan
    assert np.isnan(pm.reduce(policy, x, op))
    scanned = pm.inclusive_scan(policy, x, op)
    assert np.isnan(scanned[40_000:]).all() and not np.isnan(scanned[:40_000]).any()


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


def test_integers_wrap_around_as_numpys_do(policy):
    x = np.full(70_000, 2**62, np.int64)
    assert pm.reduce(policy, x) == np.add.reduce(x)
    assert (pm.inclusive_scan(policy, x) == np.cumsum(x)).all()
    small = np.arange(-128, 128).astype(np.int8)
    assert (pm.transform(policy, "x * x + x", small) == small * small + small).all()
