# SPDX-License-Identifier: Apache-2.0
"""``queue.buffer(array, blocking=False)`` copies while the caller goes on."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import pointsman as pm

SOURCE = """
kernel void scale(global float* x, float factor) { x[get_global_id(0)] *= factor; }
kernel void spin(global float* x, int steps) {
    float v = x[0];
    for (int i = 0; i < steps; ++i) v = 3.7f * v * (1.0f - v);
    x[0] = v;
}
"""


@pytest.fixture
def program(opencl_queue: Any) -> Any:
    return opencl_queue.build(SOURCE)


@pytest.mark.parametrize("size", [1, 1000, 1 << 20])
def test_a_kernel_may_use_the_buffer_at_once(opencl_queue: Any, program: Any, size: int) -> None:
    array = np.arange(size, dtype=np.float32)
    buffer = opencl_queue.buffer(array, blocking=False)
    opencl_queue.enqueue(program.scale, size, buffer, 2.0)
    np.testing.assert_array_equal(opencl_queue.read(buffer), 2 * array)
    assert buffer.uploaded.done()


def test_the_array_is_kept_alive_until_it_is_copied_and_no_longer(
    opencl_queue: Any, program: Any, is_gone: Any
) -> None:
    busy = opencl_queue.buffer(np.full(1, 0.3, np.float32))
    opencl_queue.enqueue(program.spin, 1, busy, 1_000_000)
    array = np.arange(4, dtype=np.float32)
    kept = weakref.ref(array)
    buffer = opencl_queue.buffer(array, blocking=False)
    del array
    gc.collect()
    assert opencl_queue.read(buffer).tolist() == [0, 1, 2, 3]
    assert is_gone(kept)


@pytest.mark.parametrize(
    "given", [[1.5, 2.5], b"\1\2", memoryview(b"\1\2"), np.arange(6).reshape(2, 3).T, np.float32(3)]
)
def test_takes_whatever_buffer_takes(opencl_queue: Any, given: Any) -> None:
    now, later = opencl_queue.buffer(given), opencl_queue.buffer(given, blocking=False)
    assert (later.shape, later.dtype) == (now.shape, now.dtype)
    np.testing.assert_array_equal(opencl_queue.read(later), opencl_queue.read(now))


def test_refuses_what_buffer_refuses(opencl_queue: Any) -> None:
    with pytest.raises(pm.InvalidOptionError, match="is empty"):
        opencl_queue.buffer(np.empty(0), blocking=False)
    with pytest.raises(TypeError, match="holds Python objects"):
        opencl_queue.buffer(np.array([object()]), blocking=False)
    with pytest.raises(TypeError, match=r"buffer\(\): blocking is 'no': pass True or False"):
        opencl_queue.buffer([1.0], blocking="no")
    with pytest.raises(TypeError, match="takes at most 1 arguments by position"):
        opencl_queue.buffer([1.0], False)


def test_other_queues_and_out_of_order_queues_wait_for_the_upload(
    opencl_queue: Any, program: Any
) -> None:
    array = np.arange(1 << 16, dtype=np.float32)
    buffer = opencl_queue.buffer(array, blocking=False)
    for out_of_order in (False, True):
        try:
            other = pm.opencl.Queue(opencl_queue.device, out_of_order=out_of_order)
        except pm.OpenCLError:
            continue  # the device runs commands only in order
        np.testing.assert_array_equal(other.read(buffer, wait_for=buffer.uploaded), array)
        own = other.buffer(array, blocking=False)
        done = other.enqueue(program.scale, array.size, own, 2.0, wait_for=own.uploaded)
        np.testing.assert_array_equal(other.read(own, wait_for=done), 2 * array)


def test_a_buffer_that_was_copied_first_has_no_event(opencl_queue: Any) -> None:
    assert opencl_queue.buffer([1.0]).uploaded is None
    assert opencl_queue.buffer([1.0], blocking=True).uploaded is None
    assert opencl_queue.empty(1, np.float32).uploaded is None
    started = opencl_queue.buffer([1.0], blocking=False)
    assert isinstance(started.uploaded, pm.opencl.Event)
    assert started.view("int64").uploaded is started.uploaded
    opencl_queue.read(opencl_queue.buffer([1.0]), wait_for=opencl_queue.buffer([1.0]).uploaded)


def test_a_submission_that_uploads_has_the_array_as_its_result(opencl_queue: Any) -> None:
    def doubled(queue: Any, array: Any) -> Any:
        buffer = queue.buffer(array, blocking=False)
        queue.enqueue(queue.build(SOURCE).scale, array.size, buffer, 2.0)
        return queue.enqueue_read(buffer)

    policy = pm.AutoTune([opencl_queue])
    array = np.arange(1 << 18, dtype=np.float32)
    submissions = [policy.submit(doubled, array) for _ in range(5)]
    for each in submissions:
        np.testing.assert_array_equal(each.result(timeout=60), 2 * array)
