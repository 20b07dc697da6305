# SPDX-License-Identifier: Apache-2.0
# OpenCL events as Python objects.
"""Events: their operations and their lifetime."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import pytest

import pointsman as pm

SOURCE = "kernel void scale(global float* x, float factor) { x[get_global_id(0)] *= factor; }"


@pytest.fixture
def scale(opencl_queue: Any) -> Any:
    """Starts a kernel on its queue."""
    kernel = opencl_queue.build(SOURCE).scale
    buffer = opencl_queue.empty(4, np.float32)
    return lambda queue: queue.enqueue(kernel, 4, buffer, 2.0)


def test_an_event_says_whether_it_is_complete(opencl_queue: Any, scale: Any) -> None:
    event = scale(opencl_queue)
    assert event.wait(timeout=60) is True
    assert event.wait(None) is True
    assert repr(event) == "<Event, complete>"


@pytest.mark.parametrize(
    ("args", "settings"),
    [((1, 2), {}), ((1,), {"timeout": 1}), ((), {"limit": 1}), (("soon",), {})],
)
def test_a_wait_takes_only_a_timeout(
    opencl_queue: Any, scale: Any, args: Any, settings: Any
) -> None:
    with pytest.raises(TypeError, match="timeout"):
        scale(opencl_queue).wait(*args, **settings)


def test_the_result_of_a_kernel_is_its_event(opencl_queue: Any, scale: Any) -> None:
    event = scale(opencl_queue)
    assert event.result() is event
    assert event.result(timeout=60) is event
    with pytest.raises(TypeError, match="timeout"):
        event.result(1, 2)


def test_the_result_of_a_read_is_a_new_array(opencl_queue: Any, is_gone: Any) -> None:
    array = np.arange(6, dtype=np.int16).reshape(2, 3)
    buffer = opencl_queue.buffer(array)
    event = opencl_queue.enqueue_read(buffer)
    found = event.result()
    assert (found.shape, found.dtype) == (array.shape, array.dtype)
    np.testing.assert_array_equal(found, array)
    assert event.result() is found
    assert opencl_queue.enqueue_read(buffer).result() is not found
    kept = weakref.ref(found)
    del found, event
    assert is_gone(kept)


def test_a_read_into_given_memory_keeps_only_its_event(opencl_queue: Any) -> None:
    out = np.empty(3, np.float32)
    event = opencl_queue.enqueue_read(opencl_queue.buffer(np.ones(3, np.float32)), out)
    assert event.result() is event
    assert (out == 1).all()


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_a_submission_of_a_read_has_the_array_as_its_result(opencl_queue: Any, size: int) -> None:
    def doubled(queue: Any, array: Any) -> Any:
        buffer = queue.buffer(array)
        queue.enqueue(queue.build(SOURCE).scale, size, buffer, 2.0)
        return queue.enqueue_read(buffer)

    policy = pm.AutoTune([opencl_queue])
    array = np.arange(size, dtype=np.float32)
    submissions = [policy.submit(doubled, array) for _ in range(5)]
    for each in submissions:
        np.testing.assert_array_equal(each.result(timeout=60), 2 * array)


@pytest.mark.usefixtures("opencl_queue")
def test_only_queues_create_events() -> None:
    with pytest.raises(TypeError, match="cannot create"):
        pm.opencl.Event()
    with pytest.raises(TypeError, match="not an acceptable base"):
        type("Mine", (pm.opencl.Event,), {})


def test_an_event_is_released_with_its_last_reference(opencl_queue: Any, scale: Any) -> None:
    event = scale(opencl_queue)
    kept = weakref.ref(event)
    assert kept() is event
    del event
    assert kept() is None


def test_a_submission_returns_the_very_event(opencl_queue: Any, scale: Any) -> None:
    made = []

    def work(queue: Any) -> Any:
        made.append(scale(queue))
        return made[0]

    submission = pm.RoundRobin([opencl_queue]).submit(work)
    assert submission.unwrap() is made[0]
    assert submission.result(timeout=60) is made[0]


def test_a_policy_keeps_the_event_until_it_completes_and_no_longer(
    opencl_queue: Any, scale: Any, is_gone: Any
) -> None:
    policy = pm.DynamicLoad([opencl_queue])
    kept = weakref.ref(policy.submit(scale).unwrap())
    assert policy.submission_group().wait(60)
    assert policy.loads() == [0]
    assert is_gone(kept)


@pytest.mark.parametrize("out_of_order", [False, True])
def test_many_events_known_only_to_their_policy_are_seen_to_complete(
    opencl_queue: Any, scale: Any, is_gone: Any, out_of_order: bool
) -> None:
    queue = pm.opencl.Queue(opencl_queue.device, out_of_order=out_of_order)
    policy = pm.DynamicLoad([queue])
    kept = [weakref.ref(policy.submit(scale).unwrap()) for _ in range(500)]
    assert policy.submission_group().wait(60)
    assert policy.loads() == [0]
    assert all(map(is_gone, kept))
