# SPDX-License-Identifier: Apache-2.0
# OpenCL sub-devices, and devices that share a context.
"""Tests of ``Device.split`` and ``share_context``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm

SCALE = "kernel void scale(global float* x, float factor) { x[get_global_id(0)] *= factor; }"


@pytest.fixture
def whole() -> pm.opencl.Device:
    """A device that can be split into two."""
    for device in pm.opencl.devices():
        try:
            device.split([1, 1])
        except pm.Error:
            continue
        return device
    pytest.skip("no OpenCL device that can be split")


def test_sub_devices_are_resources_that_share_buffers(whole: Any) -> None:
    parts = whole.split([1, 1])
    assert [part.compute_units for part in parts] == [1, 1]
    queues = [pm.opencl.Queue(part) for part in parts]
    assert [q.device for q in queues] == parts
    values = queues[0].buffer(np.ones(4, np.float32))
    policy = pm.RoundRobin(queues)
    for _ in range(4):
        policy.submit_and_wait(lambda q: q.enqueue(q.build(SCALE).scale, 4, values, 2.0))
    np.testing.assert_array_equal(queues[1].read(values), [16] * 4)


def test_sub_devices_are_numbered_in_their_labels(whole: Any) -> None:
    parts = whole.split([1, 1])
    labels = [f"{whole.label} (part {number} of 2)" for number in (1, 2)]
    assert [part.label for part in parts] == labels
    assert [repr(pm.opencl.Queue(part)) for part in parts] == [
        f"<Queue on '{label}'>" for label in labels
    ]
    assert "1 compute unit, " in repr(parts[0])


def test_a_device_is_split_into_as_many_equal_sub_devices_as_fit(whole: Any) -> None:
    assert len(whole.split_equally(1)) == whole.compute_units


@pytest.mark.parametrize("counts", [[], [0], [1, -1], [2**40], [1, 2**31, 2**31]], ids=str)
def test_a_device_is_not_split_into_more_units_than_it_has(whole: Any, counts: list[int]) -> None:
    with pytest.raises(
        pm.InvalidOptionError, match=rf"{whole.compute_units} compute units.*from 1"
    ):
        whole.split(counts)


def test_sub_devices_are_created_and_released_a_hundred_times(whole: Any) -> None:
    zeros = np.zeros(16, np.float32)
    for _ in range(100):
        queues = [pm.opencl.Queue(part) for part in whole.split([1, 1])]
        values = queues[0].empty(16, np.float32)
        events = [queue.enqueue_write(values, zeros) for queue in queues]
        for queue in queues:
            queue.finish()
        assert all(event.done() for event in events)


def test_devices_that_share_a_context_share_buffers(opencl_queue: Any) -> None:
    (device,) = pm.opencl.share_context([opencl_queue.device])
    first, second = pm.opencl.Queue(device), pm.opencl.Queue(device)
    np.testing.assert_array_equal(second.read(first.buffer(np.arange(3))), [0, 1, 2])
    with pytest.raises(pm.InvalidOptionError, match="share_context"):
        opencl_queue.read(first.buffer(np.arange(3)))
    with pytest.raises(pm.InvalidOptionError, match="size 0"):
        pm.opencl.share_context([])
