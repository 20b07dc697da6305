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
