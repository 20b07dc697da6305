# SPDX-License-Identifier: Apache-2.0
"""Buffers as inputs and outputs of algorithms, and which results stay on the device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm


@pytest.fixture
def policy(opencl_queue: pm.opencl.Queue) -> Any:
    """The policy of the device that holds the buffers."""
    return pm.device_policy(opencl_queue)


def test_values_kept_from_a_buffer_are_a_buffer(policy, opencl_queue):
    x = opencl_queue.buffer(np.arange(1000, dtype=np.float32))
    for kept in (pm.copy_if(policy, "x > 900", x), pm.unique(policy, x)):
        assert isinstance(kept, pm.opencl.Buffer)
        assert opencl_queue.read(kept)[-1] == 999
    assert pm.copy_if(policy, "x > 900", x).shape == (99,)


def test_kept_values_go_to_the_beginning_of_a_buffer(policy, opencl_queue):
    x, out = opencl_queue.buffer(np.arange(10)), opencl_queue.buffer(np.zeros(10, np.int64))
    kept = pm.copy_if(policy, "x > 7", x, out=out)
    assert opencl_queue.read(kept).tolist() == [8, 9]
    assert opencl_queue.read(out).tolist() == [8, 9, *[0] * 8]
    pm.fill(policy, kept, 5)
    assert opencl_queue.read(out).tolist() == [5, 5, *[0] * 8]
    fewer = pm.unique(policy, kept, out=kept)
    assert opencl_queue.read(fewer).tolist() == [5]


def test_a_buffer_can_be_compacted_in_place(policy, opencl_queue):
    x = opencl_queue.buffer(np.arange(70_000))
    kept = pm.copy_if(policy, "x % 2 == 1", x, out=x)
    np.testing.assert_array_equal(opencl_queue.read(kept), np.arange(1, 70_000, 2))


def test_keeping_no_value_of_a_buffer_gives_an_empty_array(policy, opencl_queue):
    x = opencl_queue.buffer(np.arange(10, dtype=np.int32))
    for out in (None, x, np.empty(10, np.int32)):
        kept = pm.copy_if(policy, "x > 10", x, out=out)
        assert kept.shape == (0,)
        assert kept.dtype == np.int32


def test_a_buffer_too_small_for_the_kept_values_is_refused(policy, opencl_queue):
    x = opencl_queue.buffer(np.arange(10))
    with pytest.raises(ValueError, match=r"shape \(3,\): pass one of one dimension and 5 elements"):
        pm.copy_if(policy, "x > 4", x, out=opencl_queue.empty(3, np.int64))
    with pytest.raises(TypeError, match="`out` has the type int32"):
        pm.copy_if(policy, "x > 4", x, out=opencl_queue.empty(10, np.int32))


def test_buffers_are_merged_into_a_buffer(policy, opencl_queue):
    a, b = np.arange(0, 2000, 2), np.arange(1, 1001, 2)
    wanted = np.sort(np.concatenate([a, b]))
    on_device = opencl_queue.buffer(a)
    merged = pm.merge(policy, on_device, b)
    assert isinstance(merged, pm.opencl.Buffer)
    np.testing.assert_array_equal(opencl_queue.read(merged), wanted)
    out = opencl_queue.empty(1500, np.int64)
    assert pm.merge(policy, a, b, out=out) is out
    np.testing.assert_array_equal(opencl_queue.read(out), wanted)
    on_host = np.empty(1500)
    assert pm.merge(policy, on_device, b, out=on_host) is on_host
    np.testing.assert_array_equal(on_host, wanted)


def test_a_merge_with_nothing_is_a_copy(policy, opencl_queue):
    x = opencl_queue.buffer(np.arange(10, dtype=np.int16))
    merged = pm.merge(policy, np.empty(0, np.int32), x)
    assert merged.dtype == np.int32
    np.testing.assert_array_equal(opencl_queue.read(merged), np.arange(10))


def test_extrema_and_histograms_of_buffers_are_on_the_host(policy, opencl_queue):
    values = np.random.default_rng(1).normal(size=(100, 10)).astype(np.float32)
    x = opencl_queue.buffer(values)
    assert pm.minmax_element(policy, x) == (values.argmin(), values.argmax())
    counts, edges = pm.histogram(policy, x, 20)
    np.testing.assert_array_equal(counts, np.histogram(values, 20)[0])
    np.testing.assert_array_equal(edges, np.histogram(values, 20)[1])
    flat = opencl_queue.buffer(np.full(4, True))
    assert pm.histogram(policy, flat, [0, 1, 1])[0].tolist() == [0, 4]


def test_auto_takes_buffers_to_their_device_and_host_policies_refuse_them(policy, opencl_queue):
    x = opencl_queue.buffer(np.arange(10))
    auto = pm.AutoPolicy([pm.par, policy])
    calls = {
        "copy_if": lambda p: pm.copy_if(p, "x > 4", x).shape == (5,),
        "unique": lambda p: pm.unique(p, x).shape == (10,),
        "minmax_element": lambda p: pm.minmax_element(p, x) == (0, 9),
        "merge": lambda p: pm.merge(p, x, x).shape == (20,),
        "histogram": lambda p: pm.histogram(p, x, 2)[0].tolist() == [5, 5],
        "searchsorted": lambda p: pm.searchsorted(p, x, x).shape == (10,),
        "reduce_by_segment": lambda p: pm.reduce_by_segment(p, x, x)[0].shape == (10,),
        "scan by segment": lambda p: pm.exclusive_scan_by_segment(p, x, x).shape == (10,),
        "bincount": lambda p: pm.bincount(p, x).tolist() == [1] * 10,
    }
    for name, call in calls.items():
        assert call(auto), name
        with pytest.raises(TypeError, match="in an OpenCL buffer: use a device policy"):
            call(pm.par)


def test_a_buffer_of_another_device_is_refused(policy):
    others = pm.opencl.share_context([policy.queue.device])
    x = pm.opencl.Queue(others[0]).buffer(np.arange(10))
    for call in (
        lambda: pm.copy_if(policy, "x > 4", x),
        lambda: pm.minmax_element(policy, x),
        lambda: pm.merge(policy, x, x),
        lambda: pm.histogram(policy, x, 2),
        lambda: pm.searchsorted(policy, x, x),
        lambda: pm.reduce_by_segment(policy, x, x),
        lambda: pm.inclusive_scan_by_segment(policy, x, x),
        lambda: pm.bincount(policy, x),
    ):
        with pytest.raises(pm.InvalidOptionError, match="another device or context"):
            call()
