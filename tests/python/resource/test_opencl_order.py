# SPDX-License-Identifier: Apache-2.0
# The events that commands wait for, and the messages of refused commands.
"""Queue.enqueue and transfers with wait_for, and the messages of OpenCL errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm

SOURCE = """
kernel void next(global uint* x, uint factor) {
    uint value = x[0];
    for (uint i = 0; i < 100000; ++i) value = value * factor + 1;
    x[0] = value;
}
"""


def value_after(factors: list[int]) -> int:
    value = 1
    for factor in factors:
        # 100,000 steps of value * factor + 1 at once, by squaring the step.
        scale, offset, step_scale, step_offset, n = 1, 0, factor, 1, 100_000
        while n:
            if n & 1:
                scale, offset = scale * step_scale, offset * step_scale + step_offset
            step_offset = step_offset * step_scale + step_offset
            step_scale = step_scale * step_scale % 2**32
            step_offset %= 2**32
            scale, offset, n = scale % 2**32, offset % 2**32, n >> 1
        value = (value * scale + offset) % 2**32
    return value


@pytest.fixture
def unordered(opencl_queue: Any) -> Any:
    try:
        return pm.opencl.Queue(opencl_queue.device, out_of_order=True)
    except pm.OpenCLError:
        pytest.skip("the device runs commands only in order")


def test_commands_of_an_out_of_order_queue_follow_wait_for(unordered: Any) -> None:
    kernel = unordered.build(SOURCE).next
    buffer = unordered.empty(1, np.uint32)
    factors = [3, 5, 7, 9, 11, 13, 15, 17]
    event = unordered.enqueue_write(buffer, np.ones(1, np.uint32))
    for factor in factors:
        event = unordered.enqueue(kernel, 1, buffer, factor, wait_for=event)
    out = np.zeros(1, np.uint32)
    unordered.enqueue_read(buffer, out, wait_for=[event]).wait()
    assert out[0] == value_after(factors)
    assert unordered.read(buffer, wait_for=(event,))[0] == value_after(factors)


def test_a_queue_waits_for_events_of_another(opencl_queue: Any) -> None:
    other = pm.opencl.Queue(opencl_queue.device)
    kernel = opencl_queue.build(SOURCE).next
    buffer = opencl_queue.buffer(np.ones(1, np.uint32))
    event = opencl_queue.enqueue(kernel, 1, buffer, 3)
    event = other.enqueue(kernel, 1, buffer, 5, wait_for=event)
    opencl_queue.write(opencl_queue.empty(1, np.uint32), np.ones(1, np.uint32), wait_for=event)
    assert opencl_queue.read(buffer)[0] == value_after([3, 5])


def test_only_events_can_be_waited_for(opencl_queue: Any) -> None:
    kernel = opencl_queue.build(SOURCE).next
    buffer = opencl_queue.buffer(np.ones(1, np.uint32))
    for wrong in (1, ["x"], [None]):
        with pytest.raises(TypeError, match="wait_for has a (int|str|NoneType): pass an Event"):
            opencl_queue.enqueue(kernel, 1, buffer, 3, wait_for=wrong)
        with pytest.raises(TypeError, match="wait_for has a"):
            opencl_queue.read(buffer, wait_for=wrong)


def test_a_refused_launch_names_the_kernel_and_its_sizes(opencl_queue: Any) -> None:
    kernel = opencl_queue.build(SOURCE).next
    buffer = opencl_queue.empty(1, np.uint32)
    most = opencl_queue.device.max_work_group_size
    with pytest.raises(pm.OpenCLError) as refused:
        opencl_queue.enqueue(kernel, (1, 2 * most), buffer, 3, local_size=(1, 2 * most))
    text = str(refused.value)
    assert f"kernel 'next' with 1 x {2 * most} work items in groups of 1 x {2 * most}" in text
    assert f"at most {most}" in text
    assert "CL_INVALID_WORK_GROUP_SIZE" in text or "CL_INVALID_WORK_ITEM_SIZE" in text


def test_refused_build_options_are_named(opencl_queue: Any) -> None:
    with pytest.raises(pm.OpenCLError, match="-no-such-option"):
        opencl_queue.build(SOURCE, "-no-such-option")


def test_a_buffer_that_does_not_fit_names_its_size(opencl_queue: Any) -> None:
    with pytest.raises(pm.InvalidOptionError, match="1152921504606846976 bytes does not fit"):
        opencl_queue.empty(2**60, np.uint8)
