# SPDX-License-Identifier: Apache-2.0
"""The wait of a group raises what failed, if it is asked to."""

from __future__ import annotations

import gc
import logging
import sys
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


class Failed(Exception):
    pass


def fail(number: int = 0) -> None:
    raise Failed(number)


@pytest.fixture
def policy() -> pm.RoundRobin:
    return pm.RoundRobin([pm.Arena(1)])


def wait(policy: Any) -> bool:
    complete: bool = policy.submission_group().wait(60, raise_errors=True)
    return complete


def numbers_raised_by(policy: Any) -> list[int]:
    with pytest.raises(pm.SeveralFailuresError) as caught:
        wait(policy)
    return [error.args[0] for error in caught.value.exceptions]


def test_without_being_asked_a_wait_raises_nothing(policy: pm.RoundRobin) -> None:
    submission = policy.run(fail)
    assert policy.submission_group().wait(60)
    assert submission.done()


def test_a_wait_without_failures_returns_true(policy: pm.RoundRobin) -> None:
    policy.run(abs, -1)
    assert wait(policy)


def test_one_failure_is_raised_as_it_is(policy_class: Any) -> None:
    policy = policy_class([pm.Arena(1)])
    submission = policy.run(fail, 7)
    with pytest.raises(Failed) as caught:
        wait(policy)
    assert caught.value.args == (7,)
    with pytest.raises(Failed):
        submission.result()


def test_several_failures_are_raised_together_in_order(policy: pm.RoundRobin) -> None:
    kept = [policy.run(fail, number) for number in range(3)]
    assert numbers_raised_by(policy) == [0, 1, 2]
    assert all(submission.done() for submission in kept)


def test_failures_of_dropped_submissions_are_raised_whenever_they_ended(
    policy: pm.RoundRobin,
) -> None:
    policy.run(fail, 0)
    policy.run(fail, 1)
    assert policy.submission_group().wait(60)
    may_fail = threading.Event()
    policy.run(lambda: (may_fail.wait(), fail(2)))
    may_fail.set()
    assert numbers_raised_by(policy) == [0, 1, 2]


def test_a_failure_is_raised_by_one_wait(policy: pm.RoundRobin) -> None:
    submission = policy.run(fail)
    with pytest.raises(Failed):
        wait(policy)
    assert wait(policy)
    assert submission.done()


def test_a_failure_that_was_looked_at_is_not_raised(policy: pm.RoundRobin) -> None:
    submission = policy.run(fail)
    with pytest.raises(Failed):
        submission.result(60)
    assert wait(policy)


def test_a_failure_that_is_raised_is_not_logged(
    policy: pm.RoundRobin, caplog: pytest.LogCaptureFixture
) -> None:
    submission = policy.run(fail)
    with pytest.raises(Failed):
        wait(policy)
    del submission

    class Waited:
        def wait(self) -> None:  # called by the wait of the group
            fail()

    policy.submit(lambda arena: Waited())
    with pytest.raises(Failed):
        wait(policy)
    assert [record for record in caplog.records if record.levelno == logging.ERROR] == []


def test_a_wait_that_ends_early_raises_nothing_and_forgets_nothing(
    policy: pm.RoundRobin,
) -> None:
    future: Future[Any] = Future()
    pending = policy.submit(lambda arena: future)
    policy.run(fail)
    assert not policy.submission_group().wait(0, raise_errors=True)
    future.set_result(None)
    assert pending.done()
    with pytest.raises(Failed):
        wait(policy)


def test_a_policy_remembers_a_bounded_number_of_logged_failures(policy: pm.RoundRobin) -> None:
    for number in range(100):
        policy.run(fail, number)
    assert policy.submission_group().wait(60)
    assert numbers_raised_by(policy) == list(range(84, 100))


def test_an_exit_that_a_function_asked_for_is_raised_alone(policy: pm.RoundRobin) -> None:
    kept = [policy.run(fail), policy.run(sys.exit, 3)]
    with pytest.raises(SystemExit):
        wait(policy)
    assert all(submission.done() for submission in kept)


@pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "dropped"])
def test_failures_beside_an_exit_are_left_for_the_next_wait(
    policy: pm.RoundRobin, is_kept: bool, caplog: pytest.LogCaptureFixture
) -> None:
    kept = [policy.run(each, 2) for each in (fail, sys.exit, fail, sys.exit)]
    assert policy.submission_group().wait(60)
    if not is_kept:
        kept.clear()
    for _ in range(2):
        with pytest.raises(SystemExit):
            wait(policy)
    assert numbers_raised_by(policy) == [2, 2]
    assert wait(policy)
    kept.clear()
    assert len(caplog.records) == (0 if is_kept else 4)


def test_a_failure_beside_an_exit_is_logged_if_nobody_looks_at_it(
    policy: pm.RoundRobin, caplog: pytest.LogCaptureFixture
) -> None:
    may_fail = threading.Event()
    dropped_later = policy.run(fail, 1)
    policy.run(lambda: (may_fail.wait(60), fail(2)))  # its failure is held by the wait
    leaves = policy.run(sys.exit, 3)
    opening = threading.Thread(target=may_fail.set)
    opening.start()
    with pytest.raises(SystemExit):
        wait(policy)
    opening.join()
    del dropped_later, leaves
    assert sorted(record.exc_info[1].args for record in caplog.records) == [(1,), (2,)]


def test_cancelled_work_has_not_failed(policy: pm.RoundRobin) -> None:
    may_end = threading.Event()
    running, waiting = policy.run(may_end.wait), policy.run(fail)
    assert waiting.cancel()
    may_end.set()
    assert wait(policy)
    assert running.done()


def test_a_group_outlives_its_policy() -> None:
    policy = pm.RoundRobin([pm.Arena(1)])
    submission, group = policy.run(fail), policy.submission_group()
    submission.wait(60)
    del policy
    with pytest.raises(Failed):
        group.wait(60, raise_errors=True)


def test_a_remembered_failure_keeps_no_variable_of_its_function_alive(
    policy: pm.RoundRobin,
    is_gone: Callable[[weakref.ref[Any]], bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # pytest keeps what is logged.
    monkeypatch.setattr(logging.getLogger("pointsman"), "disabled", True)

    class Local:
        pass

    seen: list[weakref.ref[Any]] = []

    def fails() -> None:
        local = Local()
        seen.append(weakref.ref(local))
        fail(int(local is None))

    policy.run(fails)
    assert policy.submission_group().wait(60)
    assert is_gone(seen[0])


def test_a_failed_command_is_raised(pyopencl_context: Any) -> None:
    cl = pytest.importorskip("pyopencl")
    policy = pm.RoundRobin([cl.CommandQueue(pyopencl_context)])
    event = cl.UserEvent(pyopencl_context)
    policy.submit(lambda queue: event)
    event.set_status(cl.status_code.OUT_OF_RESOURCES)
    with pytest.raises(pm.OpenCLError):
        wait(policy)
    gc.collect()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is new in Python 3.11")
def test_several_failures_can_be_selected_by_type(policy: pm.RoundRobin) -> None:
    kept = [policy.run(fail, 1), policy.run(int, "one"), policy.run(fail, 2)]
    with pytest.raises(pm.SeveralFailuresError) as caught:
        wait(policy)
    matching, rest = caught.value.split(ValueError)  # type: ignore[attr-defined]
    assert isinstance(matching, pm.SeveralFailuresError)
    assert [type(error) for error in rest.exceptions] == [Failed, Failed]
    assert all(submission.done() for submission in kept)
