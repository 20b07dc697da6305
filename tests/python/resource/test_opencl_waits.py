# SPDX-License-Identifier: Apache-2.0
"""Waits for events and queues that end at a timeout or by Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pointsman as pm

SOURCE = """
kernel void spin(global uint* x, uint rounds) {
    uint value = x[0];
    for (uint i = 0; i < rounds; ++i) value = value * 3 + i;
    x[0] = value;
}
"""
ATTEMPTS = 20  # a loaded machine may start or end its wait only after the work has completed


@pytest.fixture(scope="module")
def start(opencl_queue: Any) -> Callable[[], pm.opencl.Event]:
    """Starts work on the queue that takes a second or more."""
    kernel = opencl_queue.build(SOURCE).spin
    buffer = opencl_queue.buffer(np.ones(1, np.uint32))
    rounds, seconds = 1 << 20, 0.0
    while seconds < 1.0 and rounds < 1 << 31:
        rounds *= 2
        begin = time.perf_counter()
        opencl_queue.enqueue(kernel, 1, buffer, rounds).wait()
        seconds = time.perf_counter() - begin
    return lambda: opencl_queue.enqueue(kernel, 1, buffer, rounds)


@pytest.fixture(params=["event", "queue"])
def wait(request: pytest.FixtureRequest, opencl_queue: Any) -> Callable[..., bool]:
    """Waits for an event, or for its queue."""
    if request.param == "event":
        return lambda event, *timeout: event.wait(*timeout)
    return lambda event, *timeout: opencl_queue.finish(*timeout)


def test_a_wait_with_a_timeout_ends_at_it(start: Any, wait: Any) -> None:
    def is_seen_going_on() -> bool:
        event = start()
        ended = wait(event, 0.001)
        assert wait(event, 120)
        assert event.done()
        return not ended

    assert any(is_seen_going_on() for _ in range(ATTEMPTS))


def test_a_result_with_a_timeout_is_an_error_at_it(start: Any) -> None:
    def is_seen_going_on() -> bool:
        event = start()
        try:
            event.result(timeout=0.001)
        except pm.WaitTimeoutError as error:
            assert "0.001 s" in str(error)  # noqa: PT017
            return True
        finally:
            assert event.result(timeout=120) is event
        return False

    assert any(is_seen_going_on() for _ in range(ATTEMPTS))


def test_a_submitted_read_does_not_block_the_submitter(start: Any, opencl_queue: Any) -> None:
    policy = pm.RoundRobin([opencl_queue])
    buffer = opencl_queue.buffer(np.arange(5))

    def is_seen_going_on() -> bool:
        start()  # the read follows it in the queue
        submission = policy.submit(lambda queue: queue.enqueue_read(buffer))
        was_done = submission.done()
        np.testing.assert_array_equal(submission.result(timeout=120), np.arange(5))
        return not was_done

    assert any(is_seen_going_on() for _ in range(ATTEMPTS))


def test_an_upload_without_blocking_does_not_wait_for_the_queue(
    start: Any, opencl_queue: Any
) -> None:
    def is_seen_going_on() -> bool:
        start()  # the copy follows it in the queue
        buffer = opencl_queue.buffer(np.arange(5), blocking=False)
        was_done = buffer.uploaded.done()
        np.testing.assert_array_equal(opencl_queue.read(buffer), np.arange(5))
        return not was_done

    assert any(is_seen_going_on() for _ in range(ATTEMPTS))


def test_a_wait_without_a_timeout_ends_with_the_work(start: Any, wait: Any) -> None:
    event = start()
    assert wait(event) is True
    assert event.done()
    assert wait(event, 120) is True


def test_ctrl_c_wakes_a_wait_and_does_not_affect_the_work(start: Any, wait: Any) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main = threading.main_thread().ident
    assert main is not None

    def is_woken() -> bool:
        event = start()
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(0.02, signal.pthread_kill, [main, signal.SIGINT]).start()
            wait(event)
            threading.Event().wait()
        was_going_on = not event.done()
        assert wait(event, 120)
        return was_going_on

    assert any(is_woken() for _ in range(ATTEMPTS))


def test_an_invalid_timeout_is_refused(start: Any, wait: Any) -> None:
    event = start()
    with pytest.raises(
        ValueError, match="timeout is nan: pass a number of seconds from 0, or None"
    ):
        wait(event, float("nan"))
    assert wait(event, None)
