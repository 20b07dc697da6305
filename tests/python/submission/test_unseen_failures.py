# SPDX-License-Identifier: Apache-2.0
"""A failure that nobody looks at is logged when its submission is dropped."""

from __future__ import annotations

import asyncio
import functools
import gc
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

import pointsman as pm


class Failed(Exception):
    pass


def fail(*_: Any) -> Any:
    raise Failed("on purpose")


def running_future() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


def fail_in_arena(policy: pm.RoundRobin) -> pm.Submission:
    return policy.run(fail)


def fail_in_task(policy: pm.RoundRobin) -> pm.Submission:
    return policy.submit(lambda arena: arena.run(fail))


def fail_in_future(policy: pm.RoundRobin) -> pm.Submission:
    with ThreadPoolExecutor() as pool:
        return policy.submit(lambda arena: pool.submit(fail))


def fail_in_coroutine(policy: pm.RoundRobin) -> pm.Submission:
    async def fails() -> None:
        fail()

    return policy.submit(lambda arena: fails())


class Waited:
    def wait(self) -> None:
        fail()


class Polled(Waited):
    def done(self) -> bool:
        return True

    def exception(self) -> Failed:
        return Failed("on purpose")


def fail_in_wait(policy: pm.RoundRobin) -> pm.Submission:
    return policy.submit(lambda arena: Waited())


def fail_in_poll(policy: pm.RoundRobin) -> pm.Submission:
    return policy.submit(lambda arena: Polled())


def fail_inside_another(policy: pm.RoundRobin) -> pm.Submission:
    return policy.submit(lambda arena: pm.RoundRobin([arena]).run(fail))


def fail_by_selection(policy: pm.RoundRobin) -> pm.Submission:
    return policy.select().submit(lambda arena: arena.run(fail))


WAYS = [
    fail_in_arena,
    fail_in_task,
    fail_in_future,
    fail_in_coroutine,
    fail_in_wait,
    fail_in_poll,
    fail_inside_another,
    fail_by_selection,
]
each_way = pytest.mark.parametrize("submit", WAYS, ids=lambda way: way.__name__)
Submit = Callable[[pm.RoundRobin], pm.Submission]


@pytest.fixture
def policy() -> pm.RoundRobin:
    return pm.RoundRobin([pm.Arena(1)])


def of_pointsman(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.name == "pointsman"]


@each_way
def test_a_failure_is_logged_when_its_submission_is_dropped(
    policy: pm.RoundRobin, submit: Submit, caplog: pytest.LogCaptureFixture
) -> None:
    submission = submit(policy)
    assert submission.wait()  # without a timeout, so that no other thread waits with the submission
    assert of_pointsman(caplog) == []
    del submission
    (record,) = of_pointsman(caplog)
    assert record.levelno == logging.ERROR
    assert isinstance(record.exc_info[1], Failed)  # type: ignore[index]


@each_way
def test_a_failure_after_its_submission_was_dropped_is_logged(
    policy: pm.RoundRobin, submit: Submit, caplog: pytest.LogCaptureFixture
) -> None:
    submit(policy)
    assert policy.submission_group().wait(60)
    assert len(of_pointsman(caplog)) == 1


def test_the_record_names_the_function_the_policy_the_resource_and_the_remedy(
    policy: pm.RoundRobin, caplog: pytest.LogCaptureFixture
) -> None:
    policy.run(fail).wait(60)
    message = of_pointsman(caplog)[0].getMessage()
    assert message.startswith("fail, placed by RoundRobin on Arena(concurrency=1), failed")
    assert "result()" in message


class Callable_:
    def __call__(self, *_: Any) -> None:
        fail()

    def method(self, *_: Any) -> None:
        fail()


@pytest.mark.parametrize(
    ("callable_", "name"),
    [
        (functools.partial(fail, 1), "fail"),
        (pm.task(fail, name="named"), "fail"),
        (Callable_(), "Callable_"),
        (Callable_().method, "Callable_.method"),
        (divmod, "divmod"),
    ],
    ids=["partial", "task", "object", "method", "built-in"],
)
def test_a_callable_is_named_as_its_author_named_it(
    policy: pm.RoundRobin, callable_: Any, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    policy.run(callable_, 1, 0).wait(60)
    assert of_pointsman(caplog)[0].getMessage().startswith(f"{name}, placed by")


def look_by_result(submission: pm.Submission) -> None:
    with pytest.raises(Failed):
        submission.result(60)


def look_by_await(submission: pm.Submission) -> None:
    async def awaits() -> None:
        await submission

    with pytest.raises(Failed):
        asyncio.run(awaits())


def look_in_callback(submission: pm.Submission) -> None:
    looked: queue.SimpleQueue[None] = queue.SimpleQueue()

    def look(complete: pm.Submission) -> None:
        look_by_result(complete)
        looked.put(None)

    submission.add_done_callback(look)
    looked.get(timeout=60)


def take_the_future(submission: pm.Submission) -> None:
    assert submission.unwrap().exception(60) is not None


@pytest.mark.parametrize(
    "look",
    [look_by_result, look_by_await, look_in_callback, take_the_future],
    ids=lambda look: look.__name__,
)
def test_a_failure_that_was_looked_at_is_not_logged(
    look: Callable[[pm.Submission], None],
    policy: pm.RoundRobin,
    caplog: pytest.LogCaptureFixture,
) -> None:
    submission = fail_in_future(policy)
    look(submission)
    assert policy.submission_group().wait(60)
    del submission
    gc.collect()
    assert of_pointsman(caplog) == []


def test_neither_a_wait_nor_a_description_counts_as_a_look(
    policy: pm.RoundRobin, caplog: pytest.LogCaptureFixture
) -> None:
    submission = policy.run(fail)
    assert submission.wait(60)
    assert "failed" in repr(submission)
    assert "failed" in str(submission.explain())
    del submission
    assert len(of_pointsman(caplog)) == 1


def test_cancelled_work_has_not_failed(
    policy: pm.RoundRobin, caplog: pytest.LogCaptureFixture
) -> None:
    may_end = threading.Event()
    running = policy.run(may_end.wait)
    waiting, future = policy.run(fail), Future()  # type: ignore[var-annotated]
    policy.submit(lambda arena: future)
    assert waiting.cancel()
    assert future.cancel()
    future.set_running_or_notify_cancel()
    may_end.set()
    assert running.result(60)
    del waiting
    assert policy.submission_group().wait(60)
    assert of_pointsman(caplog) == []
