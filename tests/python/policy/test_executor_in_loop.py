# SPDX-License-Identifier: Apache-2.0
"""Executors of policies without a free resource, used in the thread of an event loop. A search that
stops the loop would fail: it warns, and pytest makes warnings errors."""

from __future__ import annotations

import subprocess
import sys
from concurrent import futures
from concurrent.futures import Future
from typing import Any

import pytest
from policy.pending_work import Busy, Pending
from sanitized import forks_with_threads

import pointsman as pm


@pytest.fixture
def held() -> tuple[Any, Pending]:
    """Returns a policy whose only token is in use, and the work that uses it."""
    policy, work = pm.Token([pm.Arena(1)], 1), Pending()
    policy.submit(work)
    return policy, work


def test_submit_does_not_stop_the_loop_and_calls_start_in_order(library: Any, held: Any):
    policy, work = held
    order: list[int] = []

    async def main() -> None:
        with policy.as_executor() as executor:
            calls = [executor.submit(order.append, number) for number in range(5)]
            await library.give_way()
            assert not any(call.done() for call in calls)
            work.futures[0].set_result(None)

    library.run(main)
    assert order == [0, 1, 2, 3, 4]


def test_a_result_may_be_taken_in_the_loop(library: Any):
    async def main() -> Any:
        with Busy([pm.Arena(1)], refusals=4).as_executor() as executor:
            return [executor.submit(abs, -1).result(), *executor.map(abs, [-2, -3])]

    assert library.run(main) == [1, 2, 3]


def test_a_call_outlives_its_loop(library: Any, held: Any):
    policy, work = held
    executor = policy.as_executor()
    calls: list[Future[int]] = []

    async def main() -> None:
        calls.append(executor.submit(abs, -4))

    library.run(main)
    assert not calls[0].done()
    work.futures[0].set_result(None)
    executor.shutdown()
    assert calls[0].result(timeout=0) == 4


def test_a_call_may_be_cancelled_before_it_starts(library: Any, held: Any):
    policy, work = held
    executor = policy.as_executor()
    made: list[int] = []

    async def main() -> list[Future[Any]]:
        calls = [executor.submit(made.append, number) for number in range(3)]
        assert calls[1].cancel()
        work.futures[0].set_result(None)
        return calls

    calls = library.run(main)
    assert not futures.wait(calls, timeout=60).not_done
    executor.shutdown()
    assert (made, calls[1].cancelled()) == ([0, 2], True)


def test_shutdown_can_cancel_the_calls_that_wait(library: Any, held: Any):
    policy, work = held
    executor = policy.as_executor()

    async def main() -> list[Future[Any]]:
        calls = [executor.submit(abs, number) for number in range(3)]
        executor.shutdown(wait=False, cancel_futures=True)
        work.futures[0].set_result(None)
        return calls

    calls = library.run(main)
    executor.shutdown()
    assert all(call.cancelled() for call in calls)


def test_a_cancelled_call_no_longer_waits_for_a_resource(library: Any, held: Any):
    executor = held[0].as_executor()

    async def main() -> Future[int]:
        return executor.submit(abs, -1)

    call = library.run(main)
    executor.shutdown(cancel_futures=True)  # although the token stays in use
    assert call.cancelled()


def test_the_timeout_of_with_options_is_an_error_of_the_future(library: Any, held: Any):
    executor = held[0].with_options(timeout=0.01).as_executor()

    async def main() -> list[Future[int]]:
        return [executor.submit(abs, -1) for _ in range(3)]

    for call in library.run(main):
        assert isinstance(call.exception(timeout=60), pm.SubmitTimeoutError)


def test_a_function_on_an_arena_may_take_the_result_of_a_call_that_waits(library: Any):
    executor = Busy([pm.Arena(1)], refusals=3).as_executor()

    async def main() -> int:
        return executor.submit(abs, -7).result()

    arena = executor._policy.get_resources()[0]
    assert arena.run(library.run, main).result(timeout=60) == 7


FORKS = """
import asyncio, os, signal
from concurrent.futures import Future
import pointsman as pm

policy, held = pm.Token([pm.Arena(1)], 1), Future()
policy.submit(lambda resource: held)
executor = policy.as_executor()

async def main():
    executor.submit(print, "a call of the parent", flush=True)

asyncio.run(main())
child = os.fork()
if child == 0:
    signal.alarm(60)
    starts = executor._late_starts
    was_busy = starts.is_busy()
    starts.add(lambda: print("a call of the child", flush=True))
    starts.join()
    os._exit(was_busy)
print("status", os.waitpid(child, 0)[1], flush=True)
held.set_result(None)
executor.shutdown()
"""


@forks_with_threads
def test_a_forked_child_makes_no_call_of_its_parent():
    finished = subprocess.run(
        # from 3.12 on Python warns about any fork with threads
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKS],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert finished.stdout.splitlines() == [
        "a call of the child",
        "status 0",
        "a call of the parent",
    ]


@pytest.mark.parametrize(
    ("error", "raised", "said"),
    [(LookupError, LookupError, "no rule"), (StopIteration, RuntimeError, "return None")],
)
def test_an_error_of_the_rule_is_raised_or_given_to_the_future(
    library: Any, error: type[Exception], raised: type[Exception], said: str
):
    class Broken(Busy):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            if super().try_select(work) is not None:
                raise error("no rule")

    async def main() -> Future[int]:
        with pytest.raises((LookupError, RuntimeError)) as caught:
            Broken([pm.Arena(1)], refusals=0).as_executor().submit(abs, -1)
        errors.append(caught.value)
        return Broken([pm.Arena(1)], refusals=1).as_executor().submit(abs, -1)

    errors: list[BaseException | None] = []
    errors.append(library.run(main).exception(timeout=60))
    assert all(isinstance(each, raised) and said in str(each) for each in errors)
