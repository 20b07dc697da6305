# SPDX-License-Identifier: Apache-2.0
"""What a policy drops when an OpenCL context may be lost, and what it says of that."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

import pointsman as pm
from pointsman.algorithm import _device

NOT_AVAILABLE, INVALID_VALUE = -2, -30
SOURCE = "kernel void twice(global int* x) { x[get_global_id(0)] *= 2; } // of lost contexts"
OPTIONS = "-Dkey_t=int -DIS_FLOATING=0 -DIS_RIGHT=0"
NEVER_USED_AGAIN = "kernel void unused(global int* x) { x[0] = 0; } // of lost contexts"


def twice(queue: Any, fails_with: int | None = None) -> Any:
    buffer = queue.buffer(np.arange(4, dtype=np.int32))
    queue.enqueue(queue.build(SOURCE).kernel("twice"), (4,), buffer)
    result = queue.read(buffer)
    if fails_with is not None:
        error = pm.OpenCLError("the device is gone")
        error.code = fails_with
        raise error
    return result.tolist()


@pytest.fixture
def policy(opencl_queue: Any) -> Any:
    settings = pm.HealthSettings(failures=1, back_off=1e-6)
    return pm.FixedResource([opencl_queue], health=settings)


def fail(policy: Any, code: int) -> None:
    with pytest.raises(pm.OpenCLError):
        policy.submit(twice, code).result()


def wait_until_a_probe_is_due(policy: Any) -> None:
    while policy.health()[0].until_probe > 0:
        pass


def test_programs_of_a_lost_context_are_built_again(policy: Any, caplog: Any):
    policy.health()[0].resource.build(NEVER_USED_AGAIN)
    with caplog.at_level(logging.WARNING, "pointsman"):
        fail(policy, NOT_AVAILABLE)
    (entry,) = policy.health()
    assert "programs are built again" in entry.lost
    assert entry.lost in caplog.text
    wait_until_a_probe_is_due(policy)
    assert policy.submit(twice).result() == [0, 2, 4, 6]
    assert policy.health()[0].state == "healthy"
    # Only what was built since is dropped now.
    error = pm.OpenCLError("the device is gone")
    error.code = NOT_AVAILABLE
    assert "1 program is built again" in policy.health()[0].resource.after_failure(error)
    assert "0 programs are built again" in policy.health()[0].resource.after_failure(error)


def test_kernels_of_algorithms_in_a_lost_context_are_made_again(opencl_queue: Any):
    queue = pm.opencl.Queue(opencl_queue.device)
    kernel = _device.kernel_of(queue, "searchsorted", "searchsorted", options=OPTIONS)
    assert _device.kernel_of(queue, "searchsorted", "searchsorted", options=OPTIONS) is kernel
    error = pm.OpenCLError("the device is gone")
    error.code = NOT_AVAILABLE
    assert "built again" in queue.after_failure(error)
    again = _device.kernel_of(queue, "searchsorted", "searchsorted", options=OPTIONS)
    assert again is not kernel
    x = queue.buffer(np.arange(9, dtype=np.int32))
    assert queue.read(pm.searchsorted(pm.device_policy(queue), x, x)).tolist() == list(range(9))


def test_the_kernels_that_are_kept_for_a_queue_are_bounded(opencl_queue: Any, monkeypatch: Any):
    monkeypatch.setattr(_device, "MOST_KERNELS", 2)
    queue = pm.opencl.Queue(opencl_queue.device)
    for side in range(5):
        options = f"-Dkey_t=int -DIS_FLOATING=0 -DIS_RIGHT={side}"
        _device.kernel_of(queue, "searchsorted", "searchsorted", options=options)
        assert 1 <= len(_device._kept_for(queue).kernels) <= 2


def test_what_is_no_queue_is_refused_before_a_kernel_starts(opencl_queue: Any):
    from pointsman import _opencl

    kernel = opencl_queue.build(SOURCE).kernel("twice")
    for wrong in (b"queue", 1, pm.Arena(1), kernel):
        with pytest.raises(TypeError, match="takes a Queue, a Kernel and two numbers"):
            _opencl.start(wrong, kernel, 4, 1)
    with pytest.raises(TypeError, match="takes a Queue, a Kernel and two numbers"):
        _opencl.start(opencl_queue, kernel, 4)


def test_other_failures_drop_nothing(opencl_queue: Any):
    settings = pm.HealthSettings(failures=1, back_off=60, is_resource_failure=lambda error: True)
    policy = pm.FixedResource([opencl_queue], health=settings)
    fail(policy, INVALID_VALUE)
    assert [(entry.state, entry.lost) for entry in policy.health()] == [("quarantined", "")]


def test_no_healthy_resource_says_what_is_lost(opencl_queue: Any):
    settings = pm.HealthSettings(failures=1, back_off=60)
    policy = pm.FixedResource([opencl_queue], health=settings)
    fail(policy, NOT_AVAILABLE)
    with pytest.raises(pm.NoHealthyResourceError, match="must be made again; tried again in"):
        policy.submit(twice)


class Printer:
    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer
        self.seen: list[BaseException] = []

    def after_failure(self, error: BaseException) -> str:
        self.seen.append(error)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class PrinterLostError(Exception):
    is_resource_failure = True


@pytest.mark.parametrize("answer", ["three sheets", LookupError("no drawer")])
def test_a_resource_of_ones_own_says_what_is_lost(answer: Any, caplog: Any):
    printer = Printer(answer)
    policy = pm.FixedResource([printer], health=pm.HealthSettings(failures=1, back_off=60))
    failure = PrinterLostError()

    def fails(_: Any) -> None:
        raise failure

    with caplog.at_level(logging.WARNING, "pointsman"), pytest.raises(PrinterLostError):
        policy.submit(fails).result()
    assert printer.seen == [failure]
    assert policy.health()[0].lost == ("" if isinstance(answer, Exception) else answer)
    assert str(answer) in caplog.text


def test_a_resource_that_cannot_be_asked_is_logged_as_in_quarantine(caplog: Any):
    class Jammed:
        def __getattr__(self, name: str) -> Any:
            raise LookupError(name) if name == "after_failure" else AttributeError(name)

    def fails(_: Any) -> None:
        raise PrinterLostError

    policy = pm.FixedResource([Jammed()], health=pm.HealthSettings(failures=1, back_off=60))
    with caplog.at_level(logging.WARNING, "pointsman"), pytest.raises(PrinterLostError):
        policy.submit(fails).result()
    assert "is in quarantine" in caplog.text
