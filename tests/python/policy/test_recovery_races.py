# SPDX-License-Identifier: Apache-2.0
"""Ends, limits, retries and waits that meet: `with_options(on_failure=..., time_limit=...)`."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import threading
from concurrent.futures import Future
from typing import Any

import pytest
from policy.pending_work import Pending
from sanitized import forks_with_threads

import pointsman as pm


def failed(error: Exception) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future


class Fails:
    """Raises at each of its first calls."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.calls = 0

    def __call__(self, *resource: Any) -> int:
        self.calls += 1
        if self.calls <= self.failures:
            raise OSError("boom")
        return 7


def busy_token(**options: Any) -> tuple[Any, Future[Any]]:
    """A view of a policy with one free and one busy resource, and the work of the latter."""
    policy = pm.Token(["a", "b"])
    work = Pending()
    policy.submit(work)
    return policy.with_options(on_failure="fallback", **options), work.futures[0]


@pytest.mark.parametrize("timeout", [None, 0.001])
def test_work_that_raised_at_once_waits_for_another_resource_and_is_not_submitted_again(timeout):
    view, held = busy_token(timeout=timeout)
    work = Fails(1)
    submission = view.try_submit(work)
    assert submission is not None
    assert not submission.done()
    held.set_result(None)
    assert submission.result(timeout=60) == 7
    assert work.calls == 2


def test_a_coroutine_submits_such_work_once():
    view, held = busy_token()
    work = Fails(1)

    async def main() -> Any:
        submission = await view.submit_async(work)
        held.set_result(None)
        return await submission

    assert asyncio.run(main()) == 7
    assert work.calls == 2


def test_a_callback_finds_the_place_of_its_submission_free():
    view = pm.RoundRobin(["a"]).with_options(max_outstanding=1)
    work = Pending()
    submission = view.submit(work)
    next_ones: list[Any] = []
    submission.add_done_callback(lambda _: next_ones.append(view.try_submit(lambda resource: 7)))
    work.futures[0].set_result(1)
    assert next_ones[0].result() == 7


def test_a_long_limit_stops_no_timer():
    pm.RoundRobin(["a"]).with_options(time_limit=1e10).submit(Pending())
    tries = [failed(OSError()), Pending()("a")]
    tries[1].set_result(7)
    submission = (
        pm.RoundRobin(["a"])
        .with_options(on_failure=pm.Retry(1))
        .submit(lambda resource: tries.pop(0))
    )
    assert submission.result(timeout=60) == 7


def test_a_second_run_that_blocks_delays_no_limit():
    begun, go_on = threading.Event(), threading.Event()
    calls: list[int] = []

    def blocks(resource: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            return failed(OSError())
        begun.set()
        go_on.wait(60)
        return 7

    blocked = pm.RoundRobin(["a"]).with_options(on_failure=pm.Retry(1)).submit(blocks)
    assert begun.wait(60)
    other = pm.RoundRobin(["b"]).with_options(time_limit=0.001).submit(Pending())
    with pytest.raises(pm.TimeLimitError):
        other.result(timeout=60)
    go_on.set()
    assert blocked.result(timeout=60) == 7


def test_a_second_run_may_wait_for_work_that_runs_again():
    view = pm.RoundRobin(["a"]).with_options(on_failure=pm.Retry(3))
    calls: list[str] = []

    def inner(resource: Any) -> Any:
        calls.append("inner")
        return 7 if calls.count("inner") == 2 else failed(OSError())

    def outer(resource: Any) -> Any:
        calls.append("outer")
        if calls.count("outer") == 1:
            return failed(OSError())
        return view.submit(inner).result(timeout=60)

    assert view.submit(outer).result(timeout=60) == 7
    assert calls == ["outer", "outer", "inner", "inner"]


def test_the_first_result_counts_if_it_comes_while_the_second_run_begins():
    futures: list[Future[Any]] = []

    def work(resource: Any) -> Any:
        future = Pending()(resource)
        futures.append(future)
        if len(futures) == 2:
            futures[0].set_result("first")
        return future

    view = pm.RoundRobin(["a"]).with_options(time_limit=0.001, on_failure=pm.Retry(1))
    assert view.submit(work).result(timeout=60) == "first"


def test_a_second_run_that_begins_during_a_cancellation_is_cancelled():
    futures: list[Future[Any]] = []
    cancelled: list[bool] = []
    ended = threading.Event()

    def work(resource: Any) -> Any:
        futures.append(Future())
        if len(futures) == 2:
            futures[1].add_done_callback(lambda _: ended.set())
            cancelled.append(submission.cancel())
        return futures[-1]

    submission = pm.RoundRobin(["a"]).with_options(on_failure=pm.Retry(3)).submit(work)
    futures[0].set_exception(OSError())
    with pytest.raises(pm.WorkCancelledError):
        submission.result(timeout=60)
    assert ended.wait(60)
    assert (cancelled, futures[1].cancelled(), len(futures)) == ([True], True, 2)


def test_work_that_fails_while_its_limit_is_counted_runs_again_once():
    work = Pending()

    class FailsNow(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if "quarantine" in record.getMessage() and not work.futures[0].done():
                work.futures[0].set_exception(OSError())

    handler = FailsNow()
    logging.getLogger("pointsman").addHandler(handler)
    try:
        health = pm.HealthSettings(failures=1)
        policy = pm.RoundRobin(["a", "b", "c", "d"], health=health)
        view = policy.with_options(time_limit=0.001, on_failure=pm.Retry(1))
        with pytest.raises(pm.TimeLimitError):
            view.submit(work).result(timeout=60)
        assert len(work.futures) == 2
    finally:
        logging.getLogger("pointsman").removeHandler(handler)


def test_work_that_had_not_begun_is_no_fault_of_its_resource():
    arena = pm.Arena(1)
    go_on = threading.Event()
    policy = pm.RoundRobin([arena])
    first = policy.run(go_on.wait)
    behind = policy.with_options(time_limit=0.001).run(pow, 2, 10)
    with pytest.raises(pm.TimeLimitError, match="had not begun on Arena"):
        behind.result(timeout=60)
    assert policy.health()[0].state == "healthy"
    go_on.set()
    assert first.result(timeout=60)


@pytest.mark.parametrize("how", ["submission", "executor", "map"])
def test_a_function_on_an_arena_waits_for_work_that_runs_again_there(how):
    view = pm.RoundRobin([pm.Arena(1)]).with_options(on_failure=pm.Retry(5))
    work = Fails(2)

    def nested() -> Any:
        if how == "submission":
            return view.run(work).result()
        if how == "map":
            return next(iter(view.map(lambda _: work(), [1])))
        return view.as_executor().submit(work).result()

    assert view.run(nested).result(timeout=60) == 7


def test_an_error_of_the_rule_at_a_second_run_ends_the_submission():
    class Breaks(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            self.asked = getattr(self, "asked", 0) + 1
            if self.asked > 1:
                raise SystemExit("broken rule")
            return "a"

    view = Breaks(["a"]).with_options(on_failure=pm.Retry(1))
    with pytest.raises(SystemExit, match="broken rule"):
        view.submit(lambda resource: failed(OSError())).result(timeout=60)


def test_work_that_has_only_raised_has_no_placement_yet():
    view, held = busy_token()
    submission = view.try_submit(Fails(1))
    assert submission is not None
    for ask in (submission.explain, submission.unwrap):
        with pytest.raises(OSError, match="boom"):
            ask()
    assert len(submission.attempts) == 1
    held.set_result(None)
    assert submission.result(timeout=60) == 7


@pytest.mark.parametrize("timeout", [-1, float("nan")])
def test_a_wait_checks_its_timeout(timeout):
    submission = pm.RoundRobin(["a"]).with_options(time_limit=60).submit(Pending())
    with pytest.raises(pm.InvalidOptionError, match="timeout"):
        submission.wait(timeout)


def test_views_of_a_view_share_its_places():
    view = pm.RoundRobin(["a"]).with_options(max_outstanding=1)
    view.submit(Pending())
    assert view.with_options(timeout=1.0).try_submit(Pending()) is None
    assert view.with_options(max_outstanding=1).try_submit(Pending()) is not None


FORKS = """
import os, threading, warnings
warnings.simplefilter("ignore")
import pointsman as pm

go_on = threading.Event()
view = pm.RoundRobin([pm.Arena(1)]).with_options(time_limit=60, max_outstanding=1)
submission = view.run(go_on.wait)
child = os.fork()
if child == 0:
    try:
        submission.wait()
    except pm.ForkedProcessError:
        os._exit(view.submit(lambda resource: 7).result())
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
go_on.set()
assert submission.result(timeout=60)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@forks_with_threads
def test_a_forked_child_does_not_wait_for_work_of_its_parent():
    run = subprocess.run(
        [sys.executable, "-c", FORKS], capture_output=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
