# SPDX-License-Identifier: Apache-2.0
"""Submissions: results, errors, and who sees the work complete."""

from __future__ import annotations

import gc
import threading
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

import pointsman as pm


def idle(policy: Any) -> bool:
    return not any(policy.loads())


@pytest.fixture
def policy(policy_class: Any) -> Any:
    enough = {"tokens": 1000} if policy_class is pm.Token else {}
    return policy_class(["a", "b"], **enough)


def test_a_plain_value_is_complete_at_return(policy: Any):
    submission = policy.submit(lambda resource, x, y=0: (resource, x + y), 3, y=4)
    assert submission.done()
    assert submission.resource in ("a", "b")
    assert submission.result() == (submission.resource, 7)
    assert submission.unwrap() == (submission.resource, 7)
    assert idle(policy)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 30], ids=lambda n: f"{n}_arguments")
def test_arguments_of_any_number_arrive(policy: Any, count: int):
    names = {f"x{i}": i for i in range(count)}

    def work(resource: str, *args: int, **kwargs: int) -> Any:
        return args, kwargs

    for verb in (policy.submit, policy.try_submit):
        assert verb(work, *range(count), **names).result() == (tuple(range(count)), names)
    assert policy.submit_and_wait(work, *range(count)) == (tuple(range(count)), {})


def test_a_submission_of_nothing_is_refused_with_what_to_pass(policy: Any):
    with pytest.raises(TypeError, match="pass a callable, which will receive the chosen resource"):
        policy.submit()
    with pytest.raises(TypeError, match="not callable"):
        policy.submit(3)
    assert idle(policy)


def test_none_is_a_result(policy: Any):
    assert policy.submit(lambda resource: None).result() is None
    assert policy.submit_and_wait(lambda resource: None) is None


def test_an_exception_of_the_callable_is_raised_as_the_same_object(policy: Any):
    error = ZeroDivisionError("mine")

    def work(resource: str) -> None:
        raise error

    for verb in (policy.submit, policy.try_submit, policy.submit_and_wait):
        for _ in range(10):
            with pytest.raises(ZeroDivisionError) as caught:
                verb(work)
            assert caught.value is error
    assert idle(policy)
    assert policy.submit(lambda resource: resource).result() in ("a", "b")


def test_a_traceback_leads_into_the_callable(policy: Any):
    def work(resource: str) -> None:
        raise ValueError("here")

    with pytest.raises(ValueError, match="here") as caught:
        policy.submit(work)
    assert caught.traceback[-1].name == "work"


def test_the_result_of_a_future_is_the_result(policy: Any):
    with ThreadPoolExecutor(1) as pool:
        submission = policy.submit(lambda resource: pool.submit(pow, 2, 5))
        assert submission.result() == 32
        assert isinstance(submission.unwrap(), Future)
    assert idle(policy)


def test_result_raises_the_exception_of_a_future(policy: Any):
    error = KeyError("late")
    future: Future[None] = Future()
    submission = policy.submit(lambda resource: future)
    assert not submission.done()
    future.set_exception(error)
    submission.wait()
    with pytest.raises(KeyError) as caught:
        submission.result()
    assert caught.value is error
    assert idle(policy)


def test_a_cancelled_future_releases_its_load(policy: Any):
    future: Future[None] = Future()
    submission = policy.submit(lambda resource: future)
    future.cancel()
    assert submission.done()
    assert idle(policy)


class Ticket:
    """Work that has only a wait()."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.waits = 0

    def wait(self) -> None:
        self.waits += 1
        if self.error is not None:
            raise self.error


def test_an_object_with_only_wait_is_complete_after_a_wait(policy: Any):
    ticket = Ticket()
    submission = policy.submit(lambda resource: ticket)
    assert not submission.done()
    assert submission.result() is ticket
    assert submission.done()
    assert ticket.waits == 1
    assert idle(policy)


def test_result_raises_the_error_of_a_wait_each_time(policy: Any):
    ticket = Ticket(OSError("broken"))
    submission = policy.submit(lambda resource: ticket)
    submission.wait()
    for _ in range(2):
        with pytest.raises(OSError, match="broken") as caught:
            submission.result()
        assert caught.value is ticket.error
    assert idle(policy)


def test_a_dropped_submission_of_only_wait_releases_its_load_and_the_group_waits(policy: Any):
    ticket = Ticket()
    policy.submit(lambda resource: ticket)
    assert idle(policy)
    policy.submission_group().wait()
    assert ticket.waits == 1


class Polled:
    """Work that says whether it is done, and whose wait blocks."""

    def __init__(self) -> None:
        self.event = threading.Event()

    def done(self) -> bool:
        return self.event.is_set()

    def wait(self) -> None:
        self.event.wait()


def test_an_object_with_done_is_seen_to_complete_without_a_wait(policy: Any):
    work = Polled()
    submission = policy.submit(lambda resource: work)
    assert not submission.done()
    work.event.set()
    policy.submission_group().wait()
    assert submission.done()
    assert idle(policy)


def test_a_group_waits_for_work_that_others_finish(policy: Any):
    gate = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        for _ in range(10):
            policy.submit(lambda resource: pool.submit(gate.wait))
        threading.Timer(0.0, gate.set).start()
        policy.submission_group().wait()
    assert idle(policy)


def test_a_group_does_not_raise_the_errors_of_its_submissions(policy: Any):
    with ThreadPoolExecutor(1) as pool:
        submission = policy.submit(lambda resource: pool.submit(int, "x"))
        policy.submission_group().wait()
    with pytest.raises(ValueError, match="invalid literal"):
        submission.result()


def test_nothing_is_kept_of_finished_submissions(policy: Any):
    class Value:
        pass

    def work(resource: str, value: Value) -> Value:
        return value

    seen = []
    for _ in range(100):
        value = Value()
        seen.append(weakref.ref(value))
        policy.submit(work, value)
        del value
    gc.collect()
    assert [ref() for ref in seen if ref() is not None] == []


@pytest.mark.parametrize("threads", [1, 2, 7, 16], ids=lambda n: f"{n}_threads")
def test_many_threads_may_submit_at_once(policy: Any, threads: int):
    failures = []

    def submitter() -> None:
        for i in range(100):
            try:
                if policy.submit_and_wait(lambda resource, x: x, i) != i:
                    failures.append(i)
                with pytest.raises(ZeroDivisionError):
                    policy.submit(lambda resource: 1 // 0)
            except BaseException as error:
                failures.append(error)

    workers = [threading.Thread(target=submitter) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    assert idle(policy)


def test_a_set_may_be_replaced_while_others_submit(policy: Any):
    stop = threading.Event()
    wrong = []

    def submitter() -> None:
        while not stop.is_set():
            resource = policy.submit(lambda resource: resource).result()
            if resource not in ("a", "b", "c"):
                wrong.append(resource)

    workers = [threading.Thread(target=submitter) for _ in range(3)]
    for worker in workers:
        worker.start()
    for i in range(50):
        policy.initialize(["c"] if i % 2 else ["a", "b"])
    stop.set()
    for worker in workers:
        worker.join()
    assert wrong == []


def test_resources_of_a_replaced_set_are_freed(policy: Any):
    class Device:
        pass

    device = Device()
    observer = weakref.ref(device)
    policy.initialize([device])
    del device
    policy.submit(lambda resource: 1)
    policy.initialize(["a"])
    gc.collect()
    assert observer() is None


def test_a_submission_may_outlive_its_policy():
    future: Future[int] = Future()
    policy = pm.DynamicLoad(["a"])
    submission = policy.submit(lambda resource: future)
    del policy
    gc.collect()
    future.set_result(3)
    assert submission.result() == 3
    assert submission.resource == "a"


def test_the_repr_shows_state_and_resource():
    future: Future[int] = Future()
    submission = pm.RoundRobin(["left"]).submit(lambda resource: future)
    assert repr(submission) == "<Submission pending on 'left'>"
    future.set_result(1)
    assert repr(submission) == "<Submission done on 'left'>"


def test_the_free_functions_equal_the_methods(policy: Any):
    assert pm.submit(policy, lambda resource, x: x, 3).result() == 3
    attempt = pm.try_submit(policy, lambda resource, x: x, 4)
    assert attempt is not None
    assert pm.unwrap(attempt) == 4
    assert pm.submit_and_wait(policy, lambda resource, x: x, 5) == 5
    assert pm.get_resources(policy) == ["a", "b"]
    assert pm.wait(pm.get_submission_group(policy))
    assert pm.wait(3)
    assert pm.unwrap(3) == 3


def test_the_group_has_a_free_function_with_our_name_and_the_documents_name():
    assert pm.submission_group is pm.get_submission_group
    policy = pm.RoundRobin(["a"])
    future: Future[int] = Future()
    submission = policy.submit(lambda resource: future)
    for waitable in (submission, pm.submission_group(policy)):
        assert not pm.wait(waitable, timeout=0.01)
    future.set_result(1)
    for waitable in (submission, pm.submission_group(policy)):
        assert pm.wait(waitable, 60)


def test_any_object_may_be_submitted_and_returned(policy: Any):
    from unittest.mock import Mock

    assert policy.submit(Mock(return_value=1)).result() == 1
    policy.submit(lambda resource: Mock()).wait()
    policy.submission_group().wait()
    assert idle(policy)


def test_a_future_that_cannot_report_its_outcome_releases_its_load(policy: Any):
    class Odd(Future):  # type: ignore[type-arg]
        def exception(self, timeout: float | None = None) -> BaseException | None:
            raise RuntimeError("no idea")

    future = Odd()
    policy.submit(lambda resource: future)
    future.set_result(1)
    policy.submission_group().wait()
    assert idle(policy)


def test_an_interrupted_wait_is_not_the_end_of_the_work(policy: Any):
    class Interrupted(Ticket):
        def wait(self) -> None:
            super().wait()
            if self.waits == 1:
                raise KeyboardInterrupt

    ticket = Interrupted()
    submission = policy.submit(lambda resource: ticket)
    with pytest.raises(KeyboardInterrupt):
        submission.wait()
    assert not submission.done()
    assert submission.result() is ticket
    assert submission.done()


def test_work_whose_wait_raises_does_not_look_fast():
    import time

    class Work(Ticket):
        def wait(self) -> None:
            if self.error is not None:
                raise self.error
            deadline = time.monotonic() + 0.001
            while time.monotonic() < deadline:
                pass

    policy = pm.AutoTune(["good", "bad"])
    chosen = []
    for _ in range(60):
        submission = policy.submit(
            lambda resource: Work(OSError("down") if resource == "bad" else None)
        )
        submission.wait()
        chosen.append(submission.resource)
    assert chosen.count("bad") < 15


def test_two_threads_may_initialize_while_resources_run_code_when_freed(policy: Any):
    class Slow:
        def __del__(self) -> None:
            threading.Event().wait(0.001)

    def initializer() -> None:
        for _ in range(10):
            policy.initialize([Slow(), Slow()])

    workers = [threading.Thread(target=initializer) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert not any(worker.is_alive() for worker in workers)
