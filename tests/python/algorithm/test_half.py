# SPDX-License-Identifier: Apache-2.0
"""A device's float16 results equal NumPy's, whether or not it supports half precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm

EVERY = np.arange(65_536, dtype=np.uint16).view(np.float16)
NUMBERS = EVERY[np.isfinite(EVERY)]


@pytest.fixture(params=["opencl_queue", "queue_in_groups"])
def policy(request: pytest.FixtureRequest) -> Any:
    """A device's policy, with the kernels for CPUs and with those for other devices."""
    return pm.device_policy(request.getfixturevalue(request.param))


def bits(values: Any) -> Any:
    """Returns the bits of the values as unsigned integers."""
    return values.view(f"u{values.itemsize}")


def assert_same(ours: Any, wanted: Any) -> None:
    """Asserts equal types, values and signs of zeros."""
    assert ours.dtype == wanted.dtype
    np.testing.assert_array_equal(ours, wanted)
    is_number = ours == ours
    np.testing.assert_array_equal(bits(ours[is_number]), bits(wanted[is_number]))


def test_every_value_is_moved_bit_for_bit(policy):
    np.testing.assert_array_equal(bits(pm.copy(policy, EVERY)), bits(EVERY))
    kept = pm.copy_if(policy, "(x < 1) | (x != x)", EVERY)
    np.testing.assert_array_equal(bits(kept), bits(EVERY[~(EVERY >= 1)]))


@pytest.mark.parametrize("value", [0.1, -0.0, 65504, np.inf, np.nan, 2.0**-24])
def test_an_array_is_filled_with_any_value(policy, value):
    filled = pm.fill(policy, np.ones(1000, np.float16), value)
    np.testing.assert_array_equal(bits(filled), bits(np.full(1000, value, np.float16)))


def numpys(text: str, **operands: Any) -> Any:
    """Evaluates the expression with NumPy."""
    return eval(text, vars(np) | operands)


@pytest.mark.parametrize(
    "text",
    [
        "-x",
        "abs(x)",
        "sqrt(x)",
        "floor(x) + rint(x)",
        "x * x",
        "1 / x",
        "3 * x - 0.1",
        "x / 4096",
        "sign(x) < x",
        "where(x > 0, x, 70)",
    ],
)
def test_functions_of_every_value_are_numpys(policy, text):
    with np.errstate(all="ignore"):
        assert_same(pm.transform(policy, text, EVERY), numpys(text, x=EVERY))


@pytest.mark.parametrize(
    "text",
    [f"x {sign} y" for sign in ("+", "-", "*", "/", "//", "%", "<=")]
    + ["minimum(x, y)", "maximum(x, y)", "(x + y) * (x - y)"],
)
def test_functions_of_any_two_values_are_numpys(policy, text):
    random = np.random.default_rng(1)
    x, y = random.choice(EVERY, 200_000), random.choice(EVERY, 200_000)
    with np.errstate(all="ignore"):
        y[::2] = x[::2] * random.uniform(-2, 2, 100_000).astype(np.float16)  # of similar magnitude
        assert_same(pm.transform(policy, text, x, y), numpys(text, x=x, y=y))


@pytest.mark.parametrize("name", ["exp", "log", "sin", "tanh", "cbrt"])
def test_other_functions_of_every_value_are_at_most_one_unit_off(policy, name):
    function = getattr(np, name)
    with np.errstate(all="ignore"):
        np.testing.assert_array_max_ulp(
            pm.transform(policy, f"{name}(x)", NUMBERS), function(NUMBERS), 1
        )


def test_types_that_are_mixed_with_half_are_numpys(policy):
    x = np.array([0.1, -2.5, 2.0**-24, 7], np.float16)
    for name in ("bool", "int8", "int16", "uint32", "float32", "float64"):
        y = np.array([1, 0, 100, 3]).astype(name)
        assert_same(pm.transform(policy, "x + y", x, y), x + y)
        assert_same(pm.transform(policy, "where(y > 0, x, y)", x, y), np.where(y > 0, x, y))
    small = np.arange(5, dtype=np.int8)
    assert_same(pm.transform(policy, "sqrt(x)", small), np.sqrt(small))


def test_folds_are_rounded_once(policy):
    x = np.ones(10_000, np.float16)
    assert pm.reduce(policy, x) == np.float16(10_000)
    sums = pm.inclusive_scan(policy, x)
    np.testing.assert_array_equal(sums, np.arange(1, 10_001).astype(np.float16))
    assert_same(pm.exclusive_scan(policy, x, 1.0), sums)
    assert pm.transform_reduce(policy, "x / 3", x) == np.float16(10_000 * float(np.float16(1 / 3)))
    assert pm.reduce(policy, np.array([60_000, 60_000, -60_000], np.float16)) == 60_000


def test_every_value_is_sorted_and_found(policy):
    shuffled = np.random.default_rng(1).permutation(EVERY)
    np.testing.assert_array_equal(
        pm.sort(policy, shuffled.copy()), np.sort(shuffled, kind="stable")
    )
    keys, positions = pm.sort_by_key(policy, shuffled.copy(), np.arange(shuffled.size))
    assert_same(positions, np.argsort(shuffled, kind="stable"))
    assert_same(keys, shuffled[positions])
    numbers = np.random.default_rng(1).permutation(NUMBERS)
    wanted = int(np.argmin(numbers)), int(np.argmax(numbers))
    assert pm.minmax_element(policy, numbers) == wanted
    assert pm.minmax_element(policy, shuffled) == (int(np.argmin(shuffled)),) * 2


def test_halves_in_buffers_stay_there(policy):
    x = np.arange(1000, dtype=np.float16)
    buffer = policy.queue.buffer(x)
    doubled = pm.transform(policy, "2 * x", buffer)
    assert isinstance(doubled, pm.opencl.Buffer)
    np.testing.assert_array_equal(policy.queue.read(doubled), 2 * x)
    merged = pm.merge(policy, buffer, doubled)
    np.testing.assert_array_equal(
        policy.queue.read(merged), np.sort(np.append(x, 2 * x), kind="stable")
    )
    small = pm.merge(policy, buffer, np.empty(0, np.int8))
    np.testing.assert_array_equal(policy.queue.read(small), x)
    pm.sort(policy, doubled, descending=True)
    np.testing.assert_array_equal(policy.queue.read(doubled), (2 * x)[::-1])


def test_halves_between_edges_are_counted_as_wider_numbers(policy):
    x = np.resize(np.array([-np.inf, -1, -0.0, *[0] * 8], np.float16), 65_537)
    counts, _ = pm.histogram(policy, x, [-np.inf, 0, 1, np.inf])
    assert counts.tolist() == [11_916, 53_621, 0]
