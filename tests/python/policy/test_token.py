# SPDX-License-Identifier: Apache-2.0
"""Token: which submissions get a token, and which wait for one."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


def test_try_submit_returns_none_when_all_tokens_are_taken():
    policy = pm.Token(["a", "b"], tokens=2)
    running: list[Future[int]] = [Future() for _ in range(4)]
    for future in running:
        assert policy.try_submit(lambda resource, f=future: f) is not None
    assert policy.loads() == [2, 2]
    assert policy.try_submit(lambda resource: resource) is None
    running[2].set_result(1)
    assert policy.try_submit(lambda resource: resource) is not None
    for future in running:
        if not future.done():
            future.set_result(1)
    assert policy.loads() == [0, 0]


def test_submit_waits_for_a_token_while_other_threads_run():
    policy = pm.Token(["a"])
    running: Future[int] = Future()
    policy.submit(lambda resource: running)
    begun = threading.Event()
    results: list[Any] = []

    def wait_and_submit() -> None:
        begun.set()
        results.append(policy.submit(lambda resource: resource).result())

    waiter = threading.Thread(target=wait_and_submit)
    waiter.start()
    begun.wait()
    assert results == []
    running.set_result(1)
    waiter.join(timeout=60)
    assert results == ["a"]
    assert policy.loads() == [0]


class Job:
    """Work that is polled for completion."""

    def __init__(self) -> None:
        self.is_complete = False

    def done(self) -> bool:
        return self.is_complete

    def wait(self) -> None:
        self.is_complete = True


@pytest.mark.parametrize("make_work", [Future, Job, threading.Event])
def test_a_submit_that_waited_accepts_work_of_any_kind(make_work: Callable[[], Any]):
    policy = pm.Token(["a"])
    running: Future[int] = Future()
    policy.submit(lambda resource: running)
    started: list[Any] = []

    def wait_and_submit() -> None:
        started.append(policy.submit(lambda resource: make_work()))

    waiter = threading.Thread(target=wait_and_submit)
    waiter.start()
    running.set_result(1)
    waiter.join(timeout=60)
    assert isinstance(started[0].unwrap(), make_work)
    assert policy.loads() == [1]


def test_an_exception_returns_the_token_also_after_a_wait():
    policy = pm.Token(["a"])
    running: Future[int] = Future()
    policy.submit(lambda resource: running)
    threading.Timer(0.01, running.set_result, [1]).start()
    with pytest.raises(ZeroDivisionError):
        policy.submit(lambda resource: 1 // 0)
    assert policy.loads() == [0]


def test_a_wait_for_a_token_can_be_interrupted():
    policy = pm.Token(["a"])
    running: Future[int] = Future()
    policy.submit(lambda resource: running)
    called: list[str] = []
    # A process started in the background ignores SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.05, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        policy.submit(called.append)
    assert called == []
    running.set_result(1)
    assert policy.loads() == [0]


@pytest.mark.parametrize("tokens", [0, -1])
def test_no_tokens_are_refused_with_value_and_remedy(tokens: int):
    with pytest.raises(
        ValueError, match=f"^tokens is {tokens}: pass a number from 1 to 4294967295$"
    ) as caught:
        pm.Token(["a"], tokens=tokens)
    assert isinstance(caught.value, pm.InvalidOptionError)
