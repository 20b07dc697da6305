# SPDX-License-Identifier: Apache-2.0
"""Scans with addition and with other operations give NumPy's results."""

from __future__ import annotations

import numpy as np
import pytest
from algorithm.references import SIZES, assert_equal

import pointsman as pm


def test_scans_fold_the_preceding_values(policy, values):
    for size in SIZES:
        x = values(size)
        sums = np.cumsum(x)
        assert_equal(pm.inclusive_scan(policy, x), sums)
        assert_equal(pm.inclusive_scan(policy, x, initial=2), (sums + sums.dtype.type(2)))
        before = np.concatenate([[2], 2 + sums[:-1]])[:size].astype(sums.dtype)
        assert_equal(pm.exclusive_scan(policy, x, 2), before)
        assert_equal(pm.inclusive_scan(policy, x, np.maximum), np.maximum.accumulate(x))


@pytest.mark.parametrize("op", ["min", "max"])
def test_nan_is_passed_on_by_min_and_max(policy, op):
    x = np.arange(70_000, dtype=np.float32)
    x[40_000] = np.nan
    scanned = pm.inclusive_scan(policy, x, op)
    assert np.isnan(scanned[40_000:]).all() and not np.isnan(scanned[:40_000]).any()


def test_sums_of_integers_wrap_around_as_numpys_do(policy):
    x = np.full(70_000, 2**62, np.int64)
    assert (pm.inclusive_scan(policy, x) == np.cumsum(x)).all()


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint64"])
@pytest.mark.parametrize("size", [4_096, 4_097, 33_000, 70_000])
@pytest.mark.parametrize("host", [pm.seq, pm.unseq])
def test_sums_in_one_thread_have_numpys_bits(host, size, dtype, random):
    x = (random.random(size) * 1e3).astype(dtype)
    if dtype[0] == "f":
        x[: random.integers(9)] = -0.0
    assert pm.inclusive_scan(host, x).tobytes() == np.add.accumulate(x).tobytes()
    for initial in (-0.0, 3) if dtype[0] == "f" else (0, 3):
        begun = np.add.accumulate(np.concatenate([np.array([initial], dtype), x]))
        assert pm.inclusive_scan(host, x, "+", initial).tobytes() == begun[1:].tobytes()
        assert pm.exclusive_scan(host, x, initial).tobytes() == begun[:-1].tobytes()


@pytest.mark.parametrize("name", ["inclusive_scan", "inclusive_scan_by_segment"])
@pytest.mark.parametrize("host", [pm.seq, pm.par])
def test_errors_of_sums_are_reported_as_numpy_reports_them(host, name):
    x = np.full(10_000, 1e35, np.float32)
    keys = (np.zeros(x.size, np.int8),) if "segment" in name else ()
    with np.errstate(over="raise"), pytest.raises(FloatingPointError, match="overflow"):
        getattr(pm, name)(host, *keys, x)
    with np.errstate(over="ignore"):
        assert np.isinf(getattr(pm, name)(host, *keys, x)[-1])


@pytest.mark.parametrize("to", ["int8", "uint16", "int64", "float32", "float64"])
def test_a_scan_is_of_the_type_asked_for(policy, values, to):
    for size in SIZES:
        x = values(size)
        if to[0] == "u" and x.dtype.kind == "f":
            x = abs(x)  # C does not define what negative floats are as unsigned integers
        assert_equal(pm.inclusive_scan(policy, x, dtype=to), np.add.accumulate(x, dtype=to))
        after = np.add.accumulate(np.append(x.dtype.type(1), x), dtype=to)[:size]
        assert_equal(pm.exclusive_scan(policy, x, 1, dtype=to), after)
        out = np.empty(size, to)
        assert pm.inclusive_scan(policy, x, "max", out=out, dtype=to) is out
        assert_equal(out, np.maximum.accumulate(x, dtype=to))


@pytest.mark.parametrize("name", ["seq", "par", "par_unseq"])
def test_what_no_result_of_an_exclusive_scan_holds_raises_no_error(name):
    x = np.ones(100_000)
    x[-2:] = np.inf, 0
    with np.errstate(all="raise"):
        found = pm.exclusive_scan(getattr(pm, name), x, 1, "*")
    np.testing.assert_array_equal(found, np.append(np.ones(99_999), np.inf))
