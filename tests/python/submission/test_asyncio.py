# SPDX-License-Identifier: Apache-2.0
"""Submissions in asyncio: awaited from any loop, without polling."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


def test_a_submission_may_be_awaited():
    policy = pm.RoundRobin([pm.Arena(1)])

    async def main() -> list[Any]:
        return [await policy.run(pow, 2, i) for i in range(5)]

    assert asyncio.run(main()) == [1, 2, 4, 8, 16]


def test_complete_work_does_not_suspend():
    async def work() -> Any:
        return await pm.RoundRobin(["a"]).submit(lambda resource: 3)

    with pytest.raises(StopIteration) as ended:
        work().send(None)
    assert ended.value.value == 3


def test_the_loop_runs_on_while_a_submission_is_awaited():
    gate = threading.Event()
    policy = pm.RoundRobin([pm.Arena(1)])

    async def main() -> Any:
        async def opener() -> None:
            gate.set()

        result, _ = await asyncio.gather(policy.run(gate.wait), opener())
        return result

    assert asyncio.run(main()) is True


def test_await_raises_errors():
    async def main() -> None:
        await pm.RoundRobin([pm.Arena(1)]).run(int, "x")

    with pytest.raises(ValueError, match="invalid literal"):
        asyncio.run(main())


def test_one_submission_may_be_awaited_from_several_loops():
    future: Future[int] = Future()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: future)
    results: list[int] = []
    begun = threading.Barrier(4)

    async def main() -> None:
        asyncio.get_running_loop().call_soon(begun.wait)
        results.append(await submission)

    threads = [threading.Thread(target=lambda: asyncio.run(main())) for _ in range(3)]
    for thread in threads:
        thread.start()
    begun.wait()
    future.set_result(5)
    for thread in threads:
        thread.join(60)
    assert results == [5, 5, 5]


def test_work_that_has_only_a_wait_may_be_awaited():
    class Ticket:
        event = threading.Event()

        def wait(self) -> None:
            self.event.wait()

    ticket = Ticket()

    async def main() -> Any:
        asyncio.get_running_loop().call_soon(ticket.event.set)
        return await pm.RoundRobin(["a"]).submit(lambda resource: ticket)

    assert asyncio.run(main()) is ticket


def test_a_cancelled_task_cancels_its_submission():
    future: Future[int] = Future()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: future)

    async def main() -> None:
        async def waiter() -> None:
            await submission

        task = asyncio.ensure_future(waiter())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert future.cancelled()


def test_completion_after_the_loop_was_closed_is_ignored():
    future: Future[int] = Future()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: future)

    async def main() -> None:
        iterator = submission.__await__()
        next(iterator)

    asyncio.run(main())
    future.set_running_or_notify_cancel() and future.set_result(3)
    assert submission.done()
