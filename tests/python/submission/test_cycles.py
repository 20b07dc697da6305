# SPDX-License-Identifier: Apache-2.0
"""Submissions in a reference cycle are freed by the garbage collector."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


class Failed(Exception):
    pass


def fail(*_: Any) -> Any:
    raise Failed


def failed_future(_: Any) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(Failed())
    return future


class FailsToWait:
    def wait(self) -> None:
        raise Failed


def submit_future() -> Any:
    return pm.RoundRobin(["a"]).submit(failed_future)


def submit_wait() -> Any:
    return pm.RoundRobin(["a"]).submit(lambda resource: FailsToWait())


def submit_task() -> Any:
    return pm.RoundRobin([pm.Arena(1)]).submit(lambda arena: arena.run(fail))


def run_function() -> Any:
    return pm.RoundRobin([pm.Arena(1)]).run(fail)


@pytest.mark.parametrize(
    "submit", [submit_future, submit_wait, submit_task, run_function], ids=lambda f: f.__name__
)
def test_an_error_that_was_caught_keeps_nothing_alive(
    submit: Callable[[], Any], is_gone: Callable[[weakref.ref[Any]], bool]
) -> None:
    class Local:
        pass

    def catch() -> weakref.ref[Local]:
        local = Local()
        submission = submit()
        try:
            submission.result()  # the error refers to this frame, the submission to the error
        except Failed:
            return weakref.ref(local)
        raise AssertionError

    assert is_gone(catch())


def test_a_callback_that_refers_to_its_submission_keeps_nothing_alive(
    is_gone: Callable[[weakref.ref[Any]], bool],
) -> None:
    class Waited:
        def wait(self) -> None:
            pass

    def drop() -> weakref.ref[Any]:
        work = Waited()
        submission = pm.RoundRobin(["a"]).submit(lambda resource: work)
        submission.add_done_callback(lambda _: submission)
        return weakref.ref(work)

    assert is_gone(drop())


def test_a_callback_of_work_that_can_only_be_waited_for_is_called() -> None:
    class Waited:
        def wait(self) -> None:
            pass

    ended: Future[Any] = Future()
    pm.RoundRobin(["a"]).submit(lambda resource: Waited()).add_done_callback(ended.set_result)
    assert ended.result(60).done()
