# SPDX-License-Identifier: Apache-2.0
"""Histograms have the counts and edges that NumPy computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from algorithm import references
from algorithm.references import SIZES, assert_identical, few_examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import pointsman as pm
from pointsman.algorithm import _host_histogram

# NumPy divides by the range of the values, and overflows if it is tiny.
thousandths = st.integers(-(10**6), 10**6).map(lambda n: n / 1000)
BINS = [1, 3, 16, 1000, 5000]


def outcome(histogram: Any, *arguments: Any) -> Any:
    """The types and bits of the counts and the edges, or the message of an error: where NumPy's
    arithmetic overflows, its indices do too."""
    try:
        return [(each.dtype, each.tobytes()) for each in histogram(*arguments)]
    except (ValueError, IndexError, OverflowError) as error:
        return str(error)


def assert_numpys(x: Any, bins: Any, limits: Any = None) -> None:
    """Asserts that host policies return, or raise, what NumPy does for many values."""
    assert x.size > _host_histogram.FEW
    wanted = outcome(np.histogram, x, bins, limits)
    for policy in (pm.seq, pm.par):
        assert outcome(pm.histogram, policy, x, bins, limits) == wanted, (bins, limits)


def with_edges(x: Any, edges: Any) -> Any:
    """The values, the edges, and the values next to edges."""
    edges = np.asarray(edges).astype(x.dtype)
    if x.dtype.kind == "f":
        nearby = [np.nextafter(edges, x.dtype.type(end)) for end in (-np.inf, np.inf)]
    else:
        nearby = [edges - x.dtype.type(1), edges + x.dtype.type(1)]
    return np.concatenate([x, edges, *nearby])


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


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_many_floats_are_counted_as_numpy_counts_them(in_small_chunks, random, dtype):
    least, most = float(np.finfo(dtype).smallest_subnormal), float(np.finfo(dtype).max)
    for low, high in (
        (0.0, 1.0),
        (-2.5, 1e3),
        (1e7 / 3, 1e7 / 3 + 1),
        (1e16, 1e16 + 64),
        (16_777_216.0, 16_777_316.0),
        (3 * least, 5000 * least),
        (-most / 3, most / 2),
        (-0.9 * most, 0.8 * most),
        (-most, most),
        (2.0, 2.0),
    ):
        x = np.array(low + (high - low) * random.uniform(-0.2, 1.2, 300), dtype)
        x = np.concatenate([x, np.array([np.nan, np.inf, -np.inf, *[0.0, -0.0] * 3], dtype)])
        for bins in BINS:
            edges = np.linspace(low, high, bins + 1, dtype=dtype)
            some = with_edges(x, edges)
            for limits in ((low, high), (np.float64(low), np.float32(high)), (0, high)):
                assert_numpys(some, bins, limits)
            assert_numpys(some, edges)
            assert_numpys(some[(some >= low) & (some <= high)], bins)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"])
def test_many_integers_are_counted_as_numpy_counts_them(in_small_chunks, random, dtype):
    least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    middle = min(2**53, most - 120)
    ranges = [(0, 100), (least, most), (least, least + 90), (most - 99, most)]
    for low, high in [*ranges, (middle - 9, middle + 99), (max(least, -middle - 9), 70)]:
        x = random.integers(low, high, 300, endpoint=True, dtype=dtype)
        for bins in BINS:
            assert_numpys(x, bins)
            assert_numpys(x, bins, (low, high))
            assert_numpys(x, bins, (low + 0.5, high / 2 + 30))
        edges = np.sort(x[:20])
        for given_edges in (edges, edges + 0.5, edges.astype(np.float32), edges[:1]):
            assert_numpys(with_edges(x, edges), given_edges)


def test_many_values_between_uneven_edges_are_counted_as_numpys(in_small_chunks, random):
    for dtype in ("float32", "float64"):
        for bins in BINS:
            edges = np.sort(random.normal(size=bins + 1))
            x = with_edges(random.normal(size=300).astype(dtype), edges)
            x[:3] = np.nan, np.inf, -np.inf
            assert_numpys(x, edges)
            assert_numpys(x, edges.astype(np.float32))
            assert_numpys(x, np.concatenate([[-np.inf], edges, edges[-1:], [np.inf]]))
            assert_numpys(x, np.repeat(edges, 2))
            assert_numpys(x, np.concatenate([edges, [np.nan]]))
            assert_numpys(x, np.concatenate([edges, edges[:1] - 1]))


def test_the_last_edge_has_the_sign_of_numpys_zero(in_small_chunks, random):
    for dtype in ("float32", "float64"):
        for _ in range(20):
            assert_numpys(random.choice(np.array([-2.0, -1.0, 0.0, -0.0], dtype), 70), 7)


def test_limits_that_numpy_rounds_unlike_edges_are_numpys(in_small_chunks):
    seven = np.float32(0.7)  # below 0.7
    for x, low, high in (
        (np.full(9, seven), 0.7, 1e300),
        (np.full(9, seven), np.float64(0.7), seven + 1),
        (np.linspace(-79_964, -79_940, 10**4), -79_963.21759083982, np.float32(-79_941.14)),
        (np.arange(-(2**31), 500 - 2**31, dtype=np.int32), np.float32(-(2**31)), 400 - 2**31),
        (2**54 + np.arange(-9, 90), 2**54, 2**54 + 64),
    ):
        for bins in (1, 4, 10):
            assert_numpys(x, bins, (low, high))


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8", "int16", "int64"])
def test_threads_count_in_blocks_what_numpy_counts(random, dtype):
    for size in (_host_histogram.FEW + 1, 40_000, 300_003):
        x = (100 * random.random(size)).astype(dtype)
        x[: size // 4] = 50
        for bins in (1, 16, 5000):
            assert_numpys(x, bins)
            assert_numpys(x, bins, (0, 77))
            assert_numpys(x, np.linspace(-1, 1, bins + 1) ** 3 * 100)
    assert_numpys(x, 65_537)


def test_numpy_counts_none_of_many_values(random, monkeypatch):
    sizes = []
    numpys = np.histogram

    def noted(x, *arguments, **options):
        sizes.append(np.size(x))
        return numpys(x, *arguments, **options)

    monkeypatch.setattr(np, "histogram", noted)
    for dtype in ("float32", "float64", "uint8", "int16", "int32", "int64", "uint64"):
        x = (100 * random.random(_host_histogram.FEW + 1)).astype(dtype)
        for bins, limits in ((10, None), (1000, (0, 100)), (10, (0, 50.5)), ([1, 5, 9.5], None)):
            pm.histogram(pm.seq, x, bins, limits)
    assert not sizes


@pytest.mark.parametrize("index", [0, 200_000, 299_999])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_the_range_of_many_values_must_be_finite(value, index):
    for dtype in ("float32", "float64"):
        x = np.arange(1, 300_001, dtype=dtype)
        x[index] = value
        for policy in (pm.seq, pm.par):
            with pytest.raises(ValueError, match=r"autodetected range of .* is not finite"):
                pm.histogram(policy, x)
