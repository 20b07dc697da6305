# SPDX-License-Identifier: Apache-2.0
"""Waits when no thread can be started: a temporary error, never an endless wait."""

from __future__ import annotations

import _thread
import asyncio
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from typing import Any

import pytest
from sanitized import IS_SANITIZED

import pointsman as pm
from pointsman import _waitable


class Ticket:
    """Work that has only a wait()."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.event = threading.Event()

    def wait(self) -> None:
        self.event.wait()
        if self.error is not None:
            raise self.error


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Makes every start of a thread fail, until it is undone."""

    def start(*arguments: Any) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.setattr(_thread, "start_new_thread", start)
    return monkeypatch


def test_a_wait_with_a_timeout_works_again_once_a_thread_can_be_started(no_threads: Any):
    work = Ticket()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: work)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        submission.wait(60)
    no_threads.undo()
    threading.Timer(0.0, work.event.set).start()
    assert submission.wait(60)


def test_a_thread_that_depends_on_another_ones_start_is_notified_of_failure(
    monkeypatch: pytest.MonkeyPatch,
):
    work = Ticket()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: work)
    begun, fail = threading.Event(), threading.Event()
    real = _thread.start_new_thread
    failures = [True]

    def start(function: Callable[..., Any], arguments: tuple[Any, ...]) -> int:
        if failures:
            failures.clear()
            begun.set()
            assert fail.wait(60)
            raise RuntimeError("can't start new thread")
        return real(function, arguments)

    monkeypatch.setattr(_thread, "start_new_thread", start)
    outcomes: list[Any] = []

    def first() -> None:
        with pytest.raises(RuntimeError, match="can't start new thread"):
            submission.wait(60)
        outcomes.append("refused")

    def second() -> None:
        outcomes.append(submission.wait(60))

    threads = [threading.Thread(target=first)]
    threads[0].start()
    assert begun.wait(60)
    threads.append(threading.Thread(target=second))
    threads[1].start()
    fail.set()
    threads[0].join(60)
    work.event.set()
    threads[1].join(60)
    assert sorted(outcomes, key=str) == [True, "refused"]


def test_a_group_and_an_awaited_submission_say_that_there_is_no_thread(no_threads: Any):
    work = Ticket()
    policy = pm.RoundRobin(["a"])
    submission = policy.submit(lambda resource: work)
    with pytest.raises(RuntimeError, match="can't start new thread"):
        policy.submission_group().wait(60)

    async def wait() -> Any:
        return await submission

    with pytest.raises(RuntimeError, match="can't start new thread"):
        asyncio.run(wait())
    no_threads.undo()
    threading.Timer(0.0, work.event.set).start()
    assert asyncio.run(wait()) is work


def test_awaitables_are_run_once_their_thread_can_be_started(no_threads: Any):
    class Work:
        def __await__(self) -> Generator[Any, None, int]:
            return asyncio.sleep(0, 3).__await__()

    no_threads.setattr(_waitable._Background, "_loop", None)
    policy = pm.RoundRobin(["a"])
    with pytest.raises(RuntimeError, match="can't start new thread"):
        policy.submit(lambda resource: Work())
    no_threads.undo()
    assert policy.submit(lambda resource: Work()).result(60) == 3


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_an_error_of_a_background_wait_completes_the_work(error: type[BaseException]):
    work = Ticket(error("stopped"))
    submission = pm.RoundRobin(["a"]).submit(lambda resource: work)
    work.event.set()
    assert submission.wait(60)
    with pytest.raises(error, match="stopped"):
        submission.result(60)


WITHOUT_MEMORY_FOR_STACKS = """
import resource, sys, threading
from concurrent.futures import Future
import pointsman as pm

class Polled:
    completed = threading.Event()
    def done(self):
        return self.completed.is_set()
    def wait(self):
        self.completed.wait()

policy = pm.DynamicLoad(["a"])
before = resource.getrlimit(resource.RLIMIT_AS)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (2 << 20), before[1]))
try:
    policy.submit(lambda resource: Polled())
except (RuntimeError, MemoryError) as error:
    print(type(error).__name__, policy.loads())
resource.setrlimit(resource.RLIMIT_AS, before)
submission = policy.submit(lambda resource: Polled())
Polled.completed.set()
print(submission.wait(60), policy.loads())
"""


def test_work_that_cannot_be_watched_for_lack_of_a_thread_is_a_temporary_error():
    stack = resource.getrlimit(resource.RLIMIT_STACK)[0]
    if stack != resource.RLIM_INFINITY and stack < 4 << 20:
        pytest.skip("thread stacks are too small here to be refused")
    if IS_SANITIZED:
        pytest.skip("the address sanitizer ends a process that has no memory for a stack")
    finished = subprocess.run(
        [sys.executable, "-c", WITHOUT_MEMORY_FOR_STACKS],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines() == ["RuntimeError [0]", "True [0]"]
