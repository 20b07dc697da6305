# SPDX-License-Identifier: Apache-2.0
"""What keeps values, finds extrema and counts gives what NumPy gives, under every host policy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import fairlead as fl

SIZES = [0, 1, 2, 31, 33, 1000, 65537]

few_examples = settings(
    deadline=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(params=["seq", "unseq", "par", "par_unseq", "auto"])
def host_policy(request):
    return getattr(fl, request.param)


def assert_same(ours, numpys):
    assert ours.dtype == numpys.dtype
    assert ours.shape == numpys.shape
    assert ours.tobytes() == numpys.tobytes()


def test_copy_if_keeps_the_values_for_which_the_predicate_holds(host_policy, values):
    for size in SIZES:
        x = values(size)
        assert_same(fl.copy_if(host_policy, "x > 1", x), x[x > 1])
        assert_same(fl.copy_if(host_policy, lambda v: v == 1, x), x[x == 1])


def test_what_is_kept_goes_to_the_beginning_of_out():
    x, out = np.arange(70_000), np.zeros(70_000, np.int64)
    kept = fl.copy_if(fl.par, "x % 2 == 1", x, out=out)
    assert np.shares_memory(kept, out)
    assert_same(out[:35_000], x[1::2])
    assert not out[35_000:].any()
    with pytest.raises(ValueError, match="pass one of one dimension and 35000 places"):
        fl.copy_if(fl.par, "x % 2 == 1", x, out=out[:9])


def test_unique_keeps_the_first_of_each_run(host_policy, values):
    for size in SIZES:
        x = values(size)
        assert_same(fl.unique(host_policy, x), x[np.append(True, x[1:] != x[:-1])[:size]])
        assert_same(fl.unique(host_policy, np.sort(x)), np.unique(x))


def test_a_run_across_the_parts_of_threads_is_one_run():
    assert fl.unique(fl.par, np.ones(1_000_000, np.int8)).tolist() == [1]


def test_extrema_are_numpys_first_ones(host_policy, values):
    for size in SIZES[1:]:
        x = values(size)
        least, greatest = int(np.argmin(x)), int(np.argmax(x))
        assert fl.min_element(host_policy, x) == least
        assert fl.max_element(host_policy, x) == greatest
        assert fl.minmax_element(host_policy, x) == (least, greatest)


def test_nan_is_the_extremum_of_both_kinds(host_policy):
    x = np.arange(70_000, dtype=np.float32)
    x[[40_000, 60_000]] = np.nan
    assert fl.minmax_element(host_policy, x) == (40_000, 40_000)


def test_no_values_have_no_extremum(host_policy):
    with pytest.raises(ValueError, match="has no values: pass one at least"):
        fl.min_element(host_policy, np.empty(0))


def test_a_histogram_is_numpys(host_policy, values):
    for size in SIZES:
        x = values(size)
        plain = x.view(np.uint8) if x.dtype == bool else x
        for bins, limits in ((10, None), (7, (-2.5, 4.0)), ([-1, 0, 2.5, 3], None)):
            counts, edges = fl.histogram(host_policy, x, bins, limits)
            numpys = np.histogram(plain, bins, limits)
            assert_same(counts, numpys[0])
            assert_same(edges, numpys[1])


@given(x=hnp.arrays(np.float64, 100, elements=st.floats(-1e6, 1e6)), bins=st.integers(1, 50))
@few_examples
def test_any_floats_are_counted_as_numpy_counts_them(host_policy, x, bins):
    for ours, numpys in zip(fl.histogram(host_policy, x, bins), np.histogram(x, bins), strict=True):
        assert_same(ours, numpys)


def test_a_rule_of_numpys_for_bins_is_named():
    with pytest.raises(TypeError, match="bins is 'auto': pass their number or edges"):
        fl.histogram(fl.par, np.zeros(3), "auto")


def test_a_device_policy_names_the_policies_that_run_them(opencl_queue):
    on_device, x = fl.device_policy(opencl_queue), np.zeros(3)
    for name, call in {
        "copy_if": lambda: fl.copy_if(on_device, "x > 1", x),
        "unique": lambda: fl.unique(on_device, x),
        "min_element": lambda: fl.min_element(on_device, x),
        "histogram": lambda: fl.histogram(on_device, x),
    }.items():
        with pytest.raises(TypeError, match=f"fl.{name} runs on the host: use fl.par or fl.auto"):
            call()
