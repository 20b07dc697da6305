# SPDX-License-Identifier: Apache-2.0
# The owner releases a queue by the C API, or drops it, while a policy holds it. References are
# counted by OpenCL itself: objects of newer versions of PyOpenCL cannot be weakly referenced.
"""Command queues that their owner releases while a policy holds them."""

from __future__ import annotations

import ctypes
import ctypes.util
import gc
from typing import Any

import numpy as np
import pytest

import pointsman as pm

cl = pytest.importorskip("pyopencl")


@pytest.fixture
def context(pyopencl_context: Any) -> Any:
    return pyopencl_context


def references(queue: Any) -> int:
    return int(queue.get_info(cl.command_queue_info.REFERENCE_COUNT))


class Handle:
    """A reference of one's own to a command queue, by the C API."""

    def __init__(self, queue: Any) -> None:
        self._loader = ctypes.CDLL(ctypes.util.find_library("OpenCL"))
        self._queue = ctypes.c_void_p(queue.int_ptr)
        self._call("clRetainCommandQueue", self._queue)

    def _call(self, function: str, *arguments: Any) -> None:
        assert getattr(self._loader, function)(*arguments) == 0

    def release(self) -> None:
        self._call("clReleaseCommandQueue", self._queue)

    def references(self) -> int:
        """Count all references to the queue, this one included."""
        count = ctypes.c_uint32()
        size = ctypes.c_size_t(ctypes.sizeof(count))
        what = ctypes.c_uint32(int(cl.command_queue_info.REFERENCE_COUNT))
        result = ctypes.byref(count)
        self._call("clGetCommandQueueInfo", self._queue, what, size, result, None)
        return count.value


def mark(queue: Any) -> Any:
    return cl.enqueue_marker(queue)


def assert_runs_healthily(policy: Any) -> None:
    for _ in range(6):
        policy.submit(mark).wait()
    assert [entry.state for entry in policy.health()] == ["healthy", "healthy"]
    assert [entry.last_error for entry in policy.health()] == ["", ""]


def test_a_queue_released_by_the_c_api_stays_healthy_in_a_policy(context):
    queue = cl.CommandQueue(context)
    owner = Handle(queue)
    policy = pm.RoundRobin([queue, cl.CommandQueue(context)])
    first = policy.submit(mark)
    before = references(queue)
    owner.release()
    assert references(queue) == before - 1
    first.wait()
    assert_runs_healthily(policy)


def test_work_in_flight_completes_after_the_queue_was_dropped(context):
    queue = cl.CommandQueue(context)
    owner = Handle(queue)
    policy = pm.RoundRobin([queue])
    del queue
    gc.collect()
    assert owner.references() > 1, "the policy holds the queue"
    gate = cl.UserEvent(context)
    numbers = np.zeros(4, np.int32)
    source = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=np.full(4, 7, np.int32))
    submission = policy.submit(
        lambda q: cl.enqueue_copy(q, numbers, source, wait_for=[gate], is_blocking=False)
    )
    owner.release()
    assert not submission.done()
    gate.set_status(cl.command_execution_status.COMPLETE)
    submission.wait()
    assert numbers.tolist() == [7, 7, 7, 7]


def test_a_policy_keeps_a_queue_whose_owner_drops_it(context):
    queues = [cl.CommandQueue(context), cl.CommandQueue(context)]
    owners = [Handle(queue) for queue in queues]
    policy = pm.RoundRobin(queues)
    del queues
    gc.collect()
    assert all(owner.references() > 1 for owner in owners)
    assert_runs_healthily(policy)
    for owner in owners:
        owner.release()


def test_a_policy_that_is_dropped_releases_its_queues(context):
    queue = cl.CommandQueue(context)
    owner = Handle(queue)
    policy = pm.RoundRobin([queue])
    del queue, policy
    gc.collect()
    assert owner.references() == 1
    owner.release()
