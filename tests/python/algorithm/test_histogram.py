# SPDX-License-Identifier: Apache-2.0
"""Histograms have the counts and edges that NumPy computes."""

from __future__ import annotations

import numpy as np
import pytest
from algorithm import references
from algorithm.references import SIZES, assert_identical, few_examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm

# NumPy divides by the range of the values, and overflows if it is tiny.
thousandths = st.integers(-(10**6), 10**6).map(lambda n: n / 1000)


def test_a_histogram_is_numpys(policy, values):
    for size in SIZES:
        x = values(size)
        for bins, limits in ((10, None), (7, (-2.5, 4.0)), ([-1, 0, 2.5, 3], None)):
            counts, edges = pm.histogram(policy, x, bins, limits)
            numpys = references.histogram(x, bins, limits)
            assert_identical(counts, numpys[0])
            assert_identical(edges, numpys[1])


@given(x=hnp.arrays(np.float64, 50, elements=thousandths), bins=st.integers(1, 50))
@few_examples
def test_any_floats_are_counted_as_numpy_counts_them(policy, x, bins):
    for ours, numpys in zip(pm.histogram(policy, x, bins), np.histogram(x, bins), strict=True):
        assert_identical(ours, numpys)


def test_values_are_compared_with_edges_as_numpy_compares_them(policy):
    large = 2**63
    for x, edges in (
        (np.array([0, large, large + 2048], np.uint64), [-1, 1, large + 1024]),
        (np.array([-1, 5, 2**53 + 1]), [0, 2**53, 2**53 + 1]),
        (np.array([0.1, 0.5, 0.9], np.float32), [0.1, 0.5, 0.9]),
        (np.array([-3, 7], np.int8), np.array([-3, 0, 7], np.float16)),
    ):
        assert_identical(pm.histogram(policy, x, edges)[0], np.histogram(x, edges)[0])


def test_infinities_are_in_bins_that_reach_that_far(policy):
    x = np.array([-np.inf, 0, np.nan, 1, np.inf, np.inf], np.float32)
    counts, edges = pm.histogram(policy, x, [0, 1, np.inf])
    assert counts.tolist() == [1, 3]
    assert edges.tolist() == [0, 1, np.inf]
    with pytest.raises(ValueError, match="not finite"):
        pm.histogram(policy, x)


def test_bins_without_a_width_are_counted_as_numpys(policy):
    x = np.array([1.0, np.nextafter(1.0, 2.0), 1.0])
    try:
        wanted_counts, wanted_edges = np.histogram(x, 5)
    except ValueError:  # NumPy from 2.0 on
        with pytest.raises(ValueError, match="bins"):
            pm.histogram(policy, x, 5)
        return
    counts, edges = pm.histogram(policy, x, 5)
    assert_identical(counts, wanted_counts)
    assert_identical(edges, wanted_edges)


def test_a_rule_of_numpys_for_bins_is_named():
    with pytest.raises(TypeError, match="bins is 'auto': pass their number or edges"):
        pm.histogram(pm.par, np.zeros(3), "auto")


def test_densities_are_numpys(policy, values):
    for size in (1, 33, 70_000):
        x = values(size)
        for bins in (7, [-5, -1, 0, 4, 5]):
            ours = pm.histogram(policy, x, bins, (-5, 5), density=True)
            wanted = references.histogram(x, bins, (-5, 5), density=True)
            for mine, numpys in zip(ours, wanted, strict=True):
                assert_identical(mine, numpys)


def test_weights_are_added_as_numpy_adds_them(policy, values):
    for size in SIZES:
        x = values(size)
        weights = np.random.default_rng(size).normal(size=size)
        for bins, limits in ((7, (-2.5, 4.0)), ([-5, -1, 0, 4, 5], None)):
            for density in (False, True):
                with np.errstate(invalid="ignore"):  # densities of no values
                    ours = pm.histogram(policy, x, bins, limits, density=density, weights=weights)
                    wanted = references.histogram(x, bins, limits, density, weights)
                for mine, numpys in zip(ours, wanted, strict=True):
                    assert_identical(mine, numpys)


def test_sums_of_weights_have_their_type(policy):
    for dtype in (np.int16, np.int64, np.float16, np.float32):
        weights = np.array([1, 0, 1, 1], dtype)
        sums, _ = pm.histogram(policy, [1, 2, 3, 3], [1, 2, 4], weights=weights)
        assert_identical(sums, np.histogram([1, 2, 3, 3], [1, 2, 4], weights=weights)[0])


def test_special_values_are_weights_and_have_some(policy):
    x = np.array([-np.inf, np.nan, 1.0, 1.5, np.inf, -0.0, 0.0])
    weights = np.array([1, 2, np.nan, 4, 5, np.inf, 7])
    sums, _ = pm.histogram(policy, x, [0, 1, 2, 3], weights=weights)
    assert_identical(sums, np.histogram(x, [0, 1, 2, 3], weights=weights)[0])


def test_values_and_weights_may_be_in_buffers(opencl_queue):
    x, weights = np.arange(1000), np.random.default_rng(1).normal(size=1000)
    policy = pm.device_policy(opencl_queue)
    wanted = np.histogram(x, 7, weights=weights)[0]
    buffers = opencl_queue.buffer(x), opencl_queue.buffer(weights)
    for counted, added in (buffers, (buffers[0], weights), (x, buffers[1])):
        assert_identical(pm.histogram(policy, counted, 7, weights=added)[0], wanted)


def test_weights_of_another_shape_are_refused(policy):
    message = r"`a` has the shape \(3,\) and `weights` \(2,\): pass one weight for each value"
    with pytest.raises(ValueError, match=message):
        pm.histogram(policy, np.zeros(3), weights=[1, 2])
