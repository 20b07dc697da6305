# SPDX-License-Identifier: Apache-2.0
"""A device's results equal NumPy's for any values, including NaN and infinities."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from algorithm import references
from algorithm.references import SIZES, few_examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm

MILLION = 1_000_000


@pytest.fixture(params=["device", "auto"])
def policy(request: pytest.FixtureRequest, opencl_queue: pm.opencl.Queue) -> Any:
    """A device's policy, and one that chooses between it and the host."""
    on_device = pm.device_policy(opencl_queue)
    return on_device if request.param == "device" else pm.AutoPolicy([pm.par, on_device])


# NumPy 2.4's default sort of float16 leaves zeros of both signs among other values.
rising = partial(np.sort, kind="stable")


def drawn(data: st.DataObject, dtype: np.dtype[Any], sizes: list[int] = SIZES) -> Any:
    """Draws up to 12 values of the type, and repeats them to one of the sizes."""
    some = data.draw(hnp.arrays(dtype, st.integers(1, 12)))
    return np.resize(some, data.draw(st.sampled_from(sizes)))


def many(dtype: Any) -> Any:
    """Returns a million values; for floats including NaN and infinities."""
    random = np.random.default_rng(1)
    x = random.integers(0, 1000, MILLION).astype(dtype)
    if x.dtype.kind == "f":
        special = random.random(MILLION) < 0.01
        x[special] = random.choice(np.array([np.nan, np.inf, -np.inf], dtype), int(special.sum()))
    return x


def assert_same(ours: Any, numpys: Any) -> None:
    """Asserts equal types, values and signs of zeros."""
    assert ours.dtype == numpys.dtype
    np.testing.assert_array_equal(ours, numpys)
    if ours.dtype.kind == "f":
        is_number = ours == ours
        np.testing.assert_array_equal(np.signbit(ours[is_number]), np.signbit(numpys[is_number]))


def check_copy_if(policy: Any, x: Any) -> None:
    assert_same(pm.copy_if(policy, "(x > 1) | (x != x)", x), x[(x > 1) | (x != x)])


def check_unique(policy: Any, x: Any) -> None:
    assert_same(pm.unique(policy, x), x[np.append(True, x[1:] != x[:-1])[: x.size]])


def check_extrema(policy: Any, x: Any) -> None:
    least, greatest = int(np.argmin(x)), int(np.argmax(x))
    assert pm.min_element(policy, x) == least
    assert pm.max_element(policy, x) == greatest
    assert pm.minmax_element(policy, x) == (least, greatest)


def check_merge(policy: Any, x: Any) -> None:
    a, b = rising(x[: x.size // 3]), rising(x[x.size // 3 :])
    assert_same(pm.merge(policy, a, b), rising(np.concatenate([a, b])))
    numbers = (a[a == a][::-1], b[b == b][::-1])
    falling = pm.merge(policy, *numbers, descending=True)
    np.testing.assert_array_equal(falling, rising(np.concatenate(numbers))[::-1])


def check_histogram(policy: Any, x: Any) -> None:
    for bins, limits in ((7, (-2.5, 4.0)), ([-np.inf, 0, 1, 2.5, np.inf], None)):
        counts, edges = pm.histogram(policy, x, bins, limits)
        numpys = references.histogram(x, bins, limits)
        assert_same(counts, numpys[0])
        assert_same(edges, numpys[1])


def check_searchsorted(policy: Any, x: Any) -> None:
    a = rising(x[: x.size // 2])
    assert_same(pm.searchsorted(policy, a, x), np.searchsorted(a, x))
    assert_same(pm.searchsorted(policy, a, x, side="right"), np.searchsorted(a, x, "right"))


def check_sort(policy: Any, x: Any) -> None:
    np.testing.assert_array_equal(pm.sort(policy, x.copy()), rising(x))
    assert_same(pm.stable_sort(policy, x.copy()), rising(x))
    numbers = x[x == x]
    np.testing.assert_array_equal(
        pm.sort(policy, numbers.copy(), descending=True), rising(numbers)[::-1]
    )


def check_sort_by_key(policy: Any, x: Any) -> None:
    keys, positions = pm.sort_by_key(policy, x.copy(), np.arange(x.size))
    order = np.argsort(x, kind="stable")
    assert_same(keys, x[order])
    assert_same(positions, order)
    assert_same(pm.argsort(policy, x), order)


@given(data=st.data())
@few_examples
def test_copy_if_keeps_what_numpy_keeps(policy, dtype, data):
    check_copy_if(policy, drawn(data, dtype))


@given(data=st.data())
@few_examples
def test_unique_keeps_the_first_of_each_run(policy, dtype, data):
    check_unique(policy, drawn(data, dtype))


@given(data=st.data())
@few_examples
def test_extrema_are_where_numpy_has_them(policy, dtype, data):
    check_extrema(policy, drawn(data, dtype, SIZES[1:]))


@given(data=st.data())
@few_examples
def test_merged_values_are_sorted_and_stable(policy, dtype, data):
    check_merge(policy, drawn(data, dtype))


@given(data=st.data())
@few_examples
def test_a_histogram_counts_as_numpys(policy, dtype, data):
    check_histogram(policy, drawn(data, dtype))


@given(data=st.data())
@few_examples
def test_values_are_found_where_numpy_finds_them(policy, dtype, data):
    check_searchsorted(policy, drawn(data, dtype))


@given(data=st.data())
@few_examples
def test_sorted_values_are_numpys(policy, dtype, data):
    check_sort(policy, drawn(data, dtype))


@given(data=st.data())
@few_examples
def test_keys_and_their_values_are_in_numpys_order(policy, dtype, data):
    check_sort_by_key(policy, drawn(data, dtype))


@pytest.mark.parametrize(
    "check",
    [
        check_copy_if,
        check_unique,
        check_extrema,
        check_merge,
        check_histogram,
        check_searchsorted,
        check_sort,
        check_sort_by_key,
    ],
)
@pytest.mark.parametrize("number", ["int32", "float32"])
def test_a_million_values_give_numpys_results_too(opencl_queue, check, number):
    check(pm.device_policy(opencl_queue), many(number))
