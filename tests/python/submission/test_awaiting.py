# SPDX-License-Identifier: Apache-2.0
"""Submissions awaited under every installed event loop: asyncio, uvloop, Trio, and AnyIO over
asyncio and Trio."""

from __future__ import annotations

import gc
import math
import sys
import threading
import weakref
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


def test_a_submission_is_awaited(library: Any):
    policy = pm.RoundRobin([pm.Arena(1)])

    async def main() -> list[Any]:
        return [await policy.run(pow, 2, i) for i in range(20)]

    assert library.run(main) == [2**i for i in range(20)]


def test_the_await_raises_errors(library: Any):
    async def main() -> None:
        await pm.RoundRobin([pm.Arena(1)]).run(int, "x")

    with pytest.raises(ValueError, match="invalid literal"):
        library.run(main)


def test_the_loop_runs_on_meanwhile(library: Any):
    gate = threading.Event()
    submission = pm.RoundRobin([pm.Arena(1)]).run(gate.wait)
    results: list[Any] = []

    async def waiter() -> None:
        results.append(await submission)

    async def opener() -> None:
        gate.set()

    library.run(library.both, waiter, opener)
    assert results == [True]


def test_work_that_has_only_a_wait_is_awaited(library: Any):
    class Ticket:
        event = threading.Event()

        def wait(self) -> None:
            self.event.wait()

    ticket = Ticket()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: ticket)
    results: list[Any] = []

    async def waiter() -> None:
        results.append(await submission)

    async def opener() -> None:
        await library.give_way()
        ticket.event.set()

    library.run(library.both, waiter, opener)
    assert results == [ticket]


def test_a_cancelled_await_cancels_its_submission(library: Any):
    future: Future[int] = Future()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: future)

    async def waiter() -> None:
        await submission

    library.run(library.leave_early, waiter)
    assert future.cancelled()


def test_cancelled_awaits_leave_no_callbacks_behind(library: Any):
    future: Future[int] = Future()
    future.set_running_or_notify_cancel()  # so that it continues when it is cancelled
    submission = pm.RoundRobin(["a"]).submit(lambda resource: future)

    class Witness:
        pass

    seen: list[weakref.ref[Any]] = []

    async def waiter() -> None:
        witness = Witness()
        seen.append(weakref.ref(witness))
        await submission

    async def main() -> None:
        for _ in range(20):
            await library.leave_early(waiter)

    library.run(main)
    gc.collect()
    references = sys.getrefcount(submission)
    library.run(main)
    gc.collect()
    assert sys.getrefcount(submission) == references
    assert [made() for made in seen] == [None] * 40
    future.set_result(3)
    assert submission.result() == 3


def test_completion_after_the_loop_has_ended_is_ignored(library: Any):
    future: Future[int] = Future()
    future.set_running_or_notify_cancel()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: future)

    async def main() -> None:
        iterator = submission.__await__()
        next(iterator)
        kept.append(iterator)

    kept: list[Any] = []
    library.run(main)
    future.set_result(3)
    assert submission.result() == 3


def test_one_submission_is_awaited_by_many_tasks_and_loops(library: Any):
    future: Future[float] = Future()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: future)
    results: list[Any] = []
    begun = threading.Barrier(4)

    async def waiter() -> None:
        results.append(await submission)

    async def main() -> None:
        async def begin() -> None:
            await library.give_way()
            begun.wait()

        async def waiters() -> None:
            await library.both(waiter, waiter)

        await library.both(waiters, begin)

    threads = [threading.Thread(target=library.run, args=(main,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    begun.wait()
    future.set_result(math.pi)
    for thread in threads:
        thread.join(60)
    assert results == [math.pi] * 6
