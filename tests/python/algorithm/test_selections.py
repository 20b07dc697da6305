# SPDX-License-Identifier: Apache-2.0
"""What keeps values, finds extrema and counts gives what NumPy gives, under every policy."""

from __future__ import annotations

import array

import numpy as np
import pytest
from algorithm import references
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm

SIZES = [0, 1, 2, 31, 33, 1000, 65537]

few_examples = settings(
    deadline=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def assert_same(ours, numpys):
    assert ours.dtype == numpys.dtype
    assert ours.shape == numpys.shape
    assert ours.tobytes() == numpys.tobytes()


def test_copy_if_keeps_the_values_for_which_the_predicate_holds(policy, values):
    for size in SIZES:
        x = values(size)
        assert_same(pm.copy_if(policy, "x > 1", x), x[x > 1])
        assert_same(pm.copy_if(policy, lambda v: v == 1, x), x[x == 1])


def test_what_is_kept_goes_to_the_beginning_of_out(policy):
    x, out = np.arange(70_000), np.zeros(70_000, np.int64)
    kept = pm.copy_if(policy, "x % 2 == 1", x, out=out)
    assert np.shares_memory(kept, out)
    assert_same(out[:35_000], x[1::2])
    assert not out[35_000:].any()
    with pytest.raises(ValueError, match="pass one of one dimension and 35000 places"):
        pm.copy_if(policy, "x % 2 == 1", x, out=out[:9])


def test_what_is_kept_may_go_to_anything_that_can_be_written_to(policy):
    out = array.array("q", [0] * 4)
    kept = pm.copy_if(policy, "x > 1", np.arange(4), out=out)
    assert kept.tolist() == [2, 3]
    assert out.tolist() == [2, 3, 0, 0]
    with pytest.raises(TypeError, match="`out` is a list that cannot be written to"):
        pm.unique(policy, np.arange(4), out=[0] * 4)


def test_unique_keeps_the_first_of_each_run(policy, values):
    for size in SIZES:
        x = values(size)
        assert_same(pm.unique(policy, x), x[np.append(True, x[1:] != x[:-1])[:size]])
        assert_same(pm.unique(policy, np.sort(x)), np.unique(x))


def test_a_run_across_the_parts_of_threads_is_one_run(policy):
    assert pm.unique(policy, np.ones(1_000_000, np.int8)).tolist() == [1]


def test_extrema_are_numpys_first_ones(policy, values):
    for size in SIZES[1:]:
        x = values(size)
        least, greatest = int(np.argmin(x)), int(np.argmax(x))
        assert pm.min_element(policy, x) == least
        assert pm.max_element(policy, x) == greatest
        assert pm.minmax_element(policy, x) == (least, greatest)


def test_nan_is_the_extremum_of_both_kinds(policy):
    x = np.arange(70_000, dtype=np.float32)
    x[[40_000, 60_000]] = np.nan
    assert pm.minmax_element(policy, x) == (40_000, 40_000)


def test_bins_without_a_width_are_counted_as_numpys(policy):
    x = np.array([1.0, np.nextafter(1.0, 2.0), 1.0])
    try:
        wanted_counts, wanted_edges = np.histogram(x, 5)
    except ValueError:  # as NumPy has it from 2.0 on
        with pytest.raises(ValueError, match="bins"):
            pm.histogram(policy, x, 5)
        return
    counts, edges = pm.histogram(policy, x, 5)
    assert_same(counts, wanted_counts)
    assert_same(edges, wanted_edges)


def test_infinities_are_in_bins_that_reach_that_far(policy):
    x = np.array([-np.inf, 0, np.nan, 1, np.inf, np.inf], np.float32)
    counts, edges = pm.histogram(policy, x, [0, 1, np.inf])
    assert counts.tolist() == [1, 3]
    assert edges.tolist() == [0, 1, np.inf]
    with pytest.raises(ValueError, match="not finite"):
        pm.histogram(policy, x)


def test_values_are_compared_with_edges_as_numpy_compares_them(policy):
    large = 2**63
    for x, edges in (
        (np.array([0, large, large + 2048], np.uint64), [-1, 1, large + 1024]),
        (np.array([-1, 5, 2**53 + 1]), [0, 2**53, 2**53 + 1]),
        (np.array([0.1, 0.5, 0.9], np.float32), [0.1, 0.5, 0.9]),
        (np.array([-3, 7], np.int8), np.array([-3, 0, 7], np.float16)),
    ):
        assert_same(pm.histogram(policy, x, edges)[0], np.histogram(x, edges)[0])


def test_no_values_have_no_extremum(policy):
    with pytest.raises(ValueError, match="has no values: pass one at least"):
        pm.min_element(policy, np.empty(0))


def test_a_histogram_is_numpys(policy, values):
    for size in SIZES:
        x = values(size)
        for bins, limits in ((10, None), (7, (-2.5, 4.0)), ([-1, 0, 2.5, 3], None)):
            counts, edges = pm.histogram(policy, x, bins, limits)
            numpys = references.histogram(x, bins, limits)
            assert_same(counts, numpys[0])
            assert_same(edges, numpys[1])


# NumPy divides by the range, which overflows where that is next to nothing.
thousandths = st.integers(-(10**6), 10**6).map(lambda n: n / 1000)


@given(x=hnp.arrays(np.float64, 50, elements=thousandths), bins=st.integers(1, 50))
@few_examples
def test_any_floats_are_counted_as_numpy_counts_them(policy, x, bins):
    for ours, numpys in zip(pm.histogram(policy, x, bins), np.histogram(x, bins), strict=True):
        assert_same(ours, numpys)


def test_a_rule_of_numpys_for_bins_is_named():
    with pytest.raises(TypeError, match="bins is 'auto': pass their number or edges"):
        pm.histogram(pm.par, np.zeros(3), "auto")
