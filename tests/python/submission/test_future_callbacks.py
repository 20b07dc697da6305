# SPDX-License-Identifier: Apache-2.0
"""Futures that call back twice, never, early, or after they have raised."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Any

import pytest

import pointsman as pm


class Interrupted(Future):  # type: ignore[type-arg]
    """A future that gets a Ctrl-C just after it has accepted a callback."""

    def add_done_callback(self, callback: Callable[[Any], object]) -> None:
        super().add_done_callback(callback)
        raise KeyboardInterrupt


class Loose(Future):  # type: ignore[type-arg]
    """A future whose callbacks are called by the test."""

    def __init__(self) -> None:
        super().__init__()
        self.callbacks: list[Callable[[Any], object]] = []

    def add_done_callback(self, callback: Callable[[Any], object]) -> None:
        self.callbacks.append(callback)


def submit(policy: Any, work: Any) -> pm.Submission:
    submission: pm.Submission = policy.submit(lambda resource: work)
    return submission


def test_an_interrupted_submission_leaves_its_future_harmless():
    policy = pm.DynamicLoad(["a"])
    futures = [Interrupted() for _ in range(50)]
    for future in futures:
        with pytest.raises(KeyboardInterrupt):
            submit(policy, future)
    assert policy.loads() == [0]
    others = [submit(policy, Future()) for _ in range(50)]
    for future in futures:
        future.set_result(1)
    assert not any(other.done() for other in others)
    assert policy.loads() == [50]


def test_a_future_that_raises_when_already_complete_completes_once():
    policy = pm.DynamicLoad(["a"])
    for _ in range(50):
        future = Interrupted()
        future.set_result(1)
        with pytest.raises(KeyboardInterrupt):
            submit(policy, future)
    assert policy.loads() == [0]
    assert policy.submission_group().wait(60)


def test_a_future_may_call_back_twice():
    policy = pm.DynamicLoad(["a"])
    told: list[pm.Submission] = []
    futures = [Loose() for _ in range(50)]
    submissions = [submit(policy, future) for future in futures]
    for submission in submissions:
        submission.add_done_callback(told.append)
    for future in futures:
        future.set_result(1)
        future.callbacks[0](future)
        future.callbacks[0](future)
    assert told == submissions
    del submissions, told, submission
    others = [submit(policy, Future()) for _ in range(50)]
    for future in futures:
        future.callbacks[0](future)
    assert not any(other.done() for other in others)
    assert policy.loads() == [50]


def test_a_future_may_call_back_from_many_threads_at_once():
    policy = pm.DynamicLoad(["a"])
    for _ in range(20):
        future = Loose()
        submission = submit(policy, future)
        future.set_result(1)
        together = threading.Barrier(4)

        def call(future: Loose = future, together: threading.Barrier = together) -> None:
            together.wait()
            future.callbacks[0](future)

        threads = [threading.Thread(target=call) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert submission.wait(60)
        assert policy.loads() == [0]


def test_a_future_may_call_back_before_it_has_stored_the_callback():
    class Hasty(Loose):
        def add_done_callback(self, callback: Callable[[Any], object]) -> None:
            self.set_result(3)
            thread = threading.Thread(target=callback, args=(self,))
            thread.start()
            thread.join()
            callback(self)

    policy = pm.DynamicLoad(["a"])
    submission = submit(policy, Hasty())
    assert submission.done()
    assert submission.result() == 3
    assert policy.loads() == [0]


def test_work_whose_future_drops_the_callback_counts_as_complete():
    policy = pm.DynamicLoad(["a"])
    future = Loose()
    submission = submit(policy, future)
    assert policy.loads() == [1]
    future.callbacks.clear()
    assert submission.wait(60)
    assert submission._state() == "failed"
    assert policy.loads() == [0]
    assert policy.submission_group().wait(60)


def test_work_that_is_done_when_its_future_drops_the_callback_succeeded():
    policy = pm.DynamicLoad(["a"])
    future = Loose()
    submission = submit(policy, future)
    future.set_result(5)
    future.callbacks.clear()
    assert submission.wait(60)
    assert submission._state() == "done"
    assert submission.result() == 5


def test_a_callback_kept_after_completion_keeps_nothing_alive():
    class Resource:
        pass

    resource = Resource()
    observer = weakref.ref(resource)
    future = Loose()
    submission = pm.DynamicLoad([resource]).submit(lambda resource: future)
    future.set_result(1)
    future.callbacks[0](future)
    assert submission.wait(60)
    del resource, submission
    gc.collect()
    assert observer() is None
    future.callbacks[0](future)


def test_a_cancelled_future_raises_the_error_of_other_cancelled_work():
    submission = submit(pm.RoundRobin(["a"]), Future())
    assert submission.cancel()
    with pytest.raises(pm.WorkCancelledError) as caught:
        submission.result(60)
    assert isinstance(caught.value, CancelledError)
    assert type(caught.value.__cause__) is CancelledError
