# SPDX-License-Identifier: Apache-2.0
"""Counts, positions and yes-or-no answers agree with NumPy's comparisons."""

from __future__ import annotations

import numpy as np
import pytest
from algorithm.references import SIZES

import pointsman as pm


def test_searches_count_and_find(policy, values):
    for size in SIZES:
        x = values(size)
        holds = x == 1
        positions = np.flatnonzero(holds)
        assert pm.count_if(policy, "x == 1", x) == len(positions)
        assert pm.find_if(policy, "x == 1", x) == (positions[0] if len(positions) else None)
        assert pm.any_of(policy, "x == 1", x) == holds.any()
        assert pm.none_of(policy, lambda v: v == 1, x) == (not holds.any())
        assert pm.all_of(policy, "x <= 5", x)
        assert pm.all_of(policy, "x == 1", x) == holds.all()


def test_the_last_of_many_values_is_found(policy):
    x = np.zeros(100_000, np.int32)
    x[-1] = 7
    assert pm.find_if(policy, "x", x) == 99_999


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "int64", "bool"])
def test_the_first_of_several_is_found_wherever_it_is(dtype, random):
    for size in (32_769, 140_000, 600_000):
        for place in {0, 16_383, 16_384, 32_768, size - 1, int(random.integers(size))}:
            x = np.zeros(size, dtype)
            x[place] = 1
            if place < size - 1:
                x[random.integers(place + 1, size, 3)] = 1
            for policy in (pm.seq, pm.par):
                assert pm.find_if(policy, "x > 0", x) == place
                assert pm.find_if(policy, "(x == 1) & (x + 1 > 1)", x) == place
                assert pm.find_if(policy, "x == y", x, np.ones_like(x)) == place
                assert pm.find_if(policy, "abs(x) > 5", x) is None
                assert pm.any_of(policy, "x", x)
                assert not pm.all_of(policy, "x == 0", x)
                assert not pm.all_of(policy, "(x < 1) & (x + 1 < 2)", x)
                assert pm.all_of(policy, "(x >= 0) & (x + 1 > 0)", x)
                if dtype == "bool":
                    assert pm.find_if(policy, "x", x) == place


def test_a_search_reports_errors_as_numpy_does():
    x = np.ones(200_000)
    x[70_000] = 0
    for policy in (pm.seq, pm.par):
        with pytest.warns(RuntimeWarning, match="divide by zero") as caught:
            assert pm.find_if(policy, "1 / x > 2", x) == 70_000
        assert len(caught) == 1
        with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
            pm.any_of(policy, "1 / x > 2", x)


def test_errors_behind_what_is_found_are_not_reported():
    x = np.ones(1_000_000)
    x[200_000:] = np.inf
    with np.errstate(all="raise"):
        for _ in range(30):  # threads may be ahead
            assert pm.find_if(pm.par, "(x - x) * 1.0 == 0", x) == 0
            assert not pm.all_of(pm.par, "(x - x) * 1.0 == 1", x)
            with pytest.raises(FloatingPointError):
                pm.find_if(pm.par, "(x - x) * 1.0 == 1", x)
            with pytest.raises(FloatingPointError):
                pm.all_of(pm.par, "(x - x) * 1.0 == 0", x)


def test_what_is_not_zero_holds(policy, dtype):
    x = np.array([0, 1, 0, 1, 1], dtype)
    for f, holds in (("x", x != 0), ("x*x", x != 0), ("2.5", x == x), ("0.0", x != x)):
        assert pm.count_if(policy, f, x) == np.count_nonzero(holds)
        assert pm.find_if(policy, f, x) == (int(holds.argmax()) if holds.any() else None)
        assert pm.any_of(policy, f, x) == holds.any()
        assert pm.all_of(policy, f, x) == holds.all()
        assert pm.copy_if(policy, f, x).tolist() == x[holds].tolist()


def test_nan_is_not_zero(policy):
    x = np.array([0, np.nan, -0.0], np.float32)
    assert (pm.count_if(policy, "x", x), pm.find_if(policy, "x", x)) == (1, 1)
    assert pm.count_if(policy, "x + nan", x) == pm.count_if(policy, "nan", x) == 3
