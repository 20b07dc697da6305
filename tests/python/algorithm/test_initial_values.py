# SPDX-License-Identifier: Apache-2.0
"""Reductions, scans and fills follow one rule for the numbers that they are given."""

from __future__ import annotations

import math
import secrets
from typing import Any

import numpy as np
import pytest

import pointsman as pm

OPS = {"+": np.add, "*": np.multiply, "min": np.minimum, "max": np.maximum}
SIZES = [0, 1, 5, 40_000]
INITIALS = [0, 1, 3, -1, True, 0.5, 2.0, 300, 2**40, 2**63, 2**64, 1e300, math.inf, math.nan]
INITIALS += [np.float32(2.5), np.int8(-3), np.uint64(7), np.array(3), 1j, "3", [1]]


def held(value: Any, dtype: np.dtype[Any]) -> Any:
    """Returns the value as the type, or None if the type cannot hold it."""
    if isinstance(value, (complex, str, list)):
        return None
    if dtype.kind == "f":
        try:
            with np.errstate(over="ignore"):
                number = dtype.type(value)
        except OverflowError:
            return None
        return None if np.isinf(number) and not math.isinf(value) else number
    least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    is_whole = math.isfinite(value) and value == int(value)
    return dtype.type(int(value)) if is_whole and least <= int(value) <= most else None


def inclusive(ufunc: np.ufunc, x: Any, start: Any) -> Any:
    scanned = ufunc.accumulate(x)
    return scanned if start is None else ufunc(scanned, start)


def exclusive(ufunc: np.ufunc, x: Any, start: Any) -> Any:
    dtype = ufunc.accumulate(np.ones(1, x.dtype)).dtype
    return ufunc.accumulate(np.append(dtype.type(start), x)[: x.size], dtype=dtype)


def assert_same(got: Any, wanted: Any, case: str) -> None:
    """Asserts equality, except for the order in which floats are added to a large initial value."""
    wanted = np.asarray(wanted)
    tolerance = 16 * np.finfo(wanted.dtype).eps if wanted.dtype.kind == "f" else 0
    assert np.asarray(got).dtype == wanted.dtype, case
    np.testing.assert_allclose(got, wanted, rtol=tolerance, err_msg=case)


def test_an_initial_value_is_held_by_the_type_of_the_result_or_refused(policy):
    seed = secrets.randbelow(2**32)
    print(f"seed {seed}")
    random = np.random.default_rng(seed)
    types = "bool int8 uint8 int32 uint32 int64 uint64 float32 float64".split()
    for _ in range(40):
        dtype, op = np.dtype(str(random.choice(types))), str(random.choice(list(OPS)))
        initial, ufunc = INITIALS[random.integers(len(INITIALS))], OPS[op]
        x = random.integers(0, 2, random.choice(SIZES)).astype(dtype)
        result = ufunc.reduce(np.ones(1, dtype)).dtype
        number = held(initial, result)
        case = f"{dtype} {op} {initial!r} {x.size}"
        if number is None:
            for call in (
                lambda: pm.reduce(policy, x, op, initial),  # noqa: B023
                lambda: pm.inclusive_scan(policy, x, op, initial),  # noqa: B023
                lambda: pm.exclusive_scan(policy, x, initial, op),  # noqa: B023
            ):
                with pytest.raises((TypeError, ValueError), match="`initial` is"):
                    call()
            continue
        with np.errstate(all="ignore"):
            got = pm.reduce(policy, x, op, initial)
            assert_same(got, ufunc.reduce(x, initial=number), case)
            got = pm.inclusive_scan(policy, x, op, initial)
            assert_same(got, inclusive(ufunc, x, number), case)
            got = pm.exclusive_scan(policy, x, initial, op)
            assert_same(got, exclusive(ufunc, x, number), case)


@pytest.mark.parametrize("op", OPS)
def test_an_exclusive_scan_without_an_initial_value_begins_with_what_changes_none(
    policy, op, dtype
):
    for size in (1, 5, 40_000):
        x = np.ones(size, dtype)
        result = OPS[op].accumulate(x[:1]).dtype
        limits = {"b": (False, True), "f": (-np.inf, np.inf)}.get(result.kind)
        if limits is None:
            limits = np.iinfo(result).min, np.iinfo(result).max
        start = {"+": 0, "*": 1, "min": limits[1], "max": limits[0]}[op]
        got = pm.exclusive_scan(policy, x, None, op)
        assert got.dtype == result
        assert got[0] == start
        if dtype != np.float16 or op != "+":  # sums of float16 depend on the order
            np.testing.assert_array_equal(got, exclusive(OPS[op], x, start))


def test_flags_are_scanned_from_the_default_initial_value(policy):
    for size in (5, 100_000):
        got = pm.exclusive_scan(policy, np.ones(size, bool), op="max")
        np.testing.assert_array_equal(got, np.arange(size) > 0)


@pytest.mark.parametrize(("dtype", "initial"), [("int32", 0.5), ("uint64", -1), ("uint8", -1)])
def test_an_initial_value_that_the_type_cannot_hold_is_refused_by_name(policy, dtype, initial):
    for size in (5, 100_000):
        x = np.ones(size, dtype)
        for call in (pm.reduce, pm.inclusive_scan):
            with pytest.raises(ValueError, match=f"`initial` is {initial}, which"):
                call(policy, x, "+", initial)
        with pytest.raises(ValueError, match=f"`initial` is {initial}, which"):
            pm.exclusive_scan(policy, x, initial)


def test_a_sum_of_halves_refuses_an_initial_value_beyond_float16(policy):
    x = np.full(3, -20_000, np.float16)
    assert pm.reduce(policy, x, initial=65_000) == np.add.reduce(x, initial=np.float16(65_000))
    with pytest.raises(ValueError, match="`initial` is 100000, which float16 cannot hold"):
        pm.reduce(policy, x, initial=100_000)


def test_times_are_scanned_by_all_threads():
    x = np.ones(100_000, "m8[s]")
    for start in (None, np.timedelta64(2, "s")):
        wanted = inclusive(np.add, x, start)
        np.testing.assert_array_equal(pm.inclusive_scan(pm.par, x, initial=start), wanted)
    with pytest.raises(TypeError, match="`initial` is 0.5"):
        pm.reduce(pm.par, x, initial=0.5)


@pytest.mark.parametrize(
    ("dtype", "value", "error"),
    [
        (int, 0.5, ValueError),
        (int, math.nan, ValueError),
        (np.uint8, -1, ValueError),
        (np.int8, 128, ValueError),
        (bool, 2, ValueError),
        (np.float32, 1e300, ValueError),
        (float, 1j, TypeError),
        (float, "3", TypeError),
        (float, None, TypeError),
        (float, [1.0], TypeError),
    ],
)
def test_a_value_that_the_type_cannot_hold_fills_nothing(policy, dtype, value, error):
    out = np.ones(3, dtype)
    with pytest.raises(error, match="`value` is"):
        pm.fill(policy, out, value)
    assert (out == 1).all()


def test_a_complex_type_refuses_numbers_beyond_its_range(policy):
    x = np.zeros(2, np.complex64)
    for number in (1e300, -1e300, 1e300j, np.float64(1e39), 10**400):
        with pytest.raises(ValueError, match="which complex64 cannot hold"):
            pm.fill(policy, x, number)
        with pytest.raises(ValueError, match="which complex64 cannot hold"):
            pm.reduce(policy, x, initial=number)
    for number in (math.inf, complex(1, -math.inf), 1e38):
        assert (pm.fill(pm.seq, x.copy(), number) == np.complex64(number)).all()


def test_an_integer_of_thousands_of_digits_is_named(policy):
    with pytest.raises(ValueError, match="`value` is an integer of 16610 bits, which int64 cannot"):
        pm.fill(policy, np.zeros(2, np.int64), 10**5000)
    with pytest.raises(ValueError, match="`initial` is an integer of 16610 bits, which float64"):
        pm.reduce(policy, np.zeros(2), initial=10**5000)
