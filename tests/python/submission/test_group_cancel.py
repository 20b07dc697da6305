# SPDX-License-Identifier: Apache-2.0
"""A group cancels all work of its policy that has not ended."""

from __future__ import annotations

import gc
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any

import pytest
from sanitized import forks_with_threads

import pointsman as pm


class Futures:
    """Work that ends when the test says so."""

    def __init__(self) -> None:
        self.made: list[Future[Any]] = []

    def __call__(self, resource: Any) -> Future[Any]:
        self.made.append(Future())
        return self.made[-1]


class Busy:
    """A call that runs until it is asked to stop, or the test ends."""

    def __init__(self) -> None:
        self.runs = threading.Event()
        self.ends = threading.Event()

    def __call__(self) -> str:
        self.runs.set()
        while not pm.stop_requested() and not self.ends.is_set():
            pass
        return "stopped" if pm.stop_requested() else "ended"


@pytest.fixture
def busy() -> Iterator[Busy]:
    made = Busy()
    yield made
    made.ends.set()


def cancel(policy: Any) -> bool:
    dropped: bool = policy.submission_group().cancel()
    return dropped


def test_it_drops_all_work_that_has_not_begun(policy_class: Any) -> None:
    policy = policy_class(["a", "b"])
    work = Futures()
    submissions = [policy.submit(work) for _ in range(2)]
    assert cancel(policy)
    for submission in submissions:
        with pytest.raises(CancelledError):
            submission.result(timeout=60)
    assert policy.submission_group().wait(timeout=60)
    assert policy.loads() == [0, 0]


def test_it_asks_running_work_to_stop(policy_class: Any, busy: Busy) -> None:
    policy = policy_class([pm.Arena(1)])
    submission = policy.run(busy)
    assert busy.runs.wait(60)
    assert not cancel(policy)
    assert submission.result(timeout=60) == "stopped"


def test_it_drops_work_behind_running_work(busy: Busy) -> None:
    policy = pm.RoundRobin([pm.Arena(1)])
    running = policy.run(busy)
    assert busy.runs.wait(60)
    behind = policy.run(abs, -1)
    assert not cancel(policy)
    with pytest.raises(pm.WorkCancelledError):
        behind.result(timeout=60)
    assert running.result(timeout=60) == "stopped"


def test_it_reaches_work_whose_submission_was_dropped(policy_class: Any) -> None:
    policy = policy_class(["a", "b"])
    work = Futures()
    policy.submit(work)
    gc.collect()
    assert cancel(policy)
    assert work.made[0].cancelled()


def test_it_reaches_calls_of_a_pool_whose_submissions_were_dropped(busy: Busy) -> None:
    with ThreadPoolExecutor(1) as pool:
        policy = pm.RoundRobin([pool])
        pool.submit(busy)
        assert busy.runs.wait(60)
        calls: list[int] = []
        policy.run(calls.append, 1)
        assert cancel(policy)
        busy.ends.set()
        assert policy.submission_group().wait(timeout=60)
    assert not calls


def test_it_reaches_work_that_another_thread_waits_for(busy: Busy) -> None:
    policy = pm.RoundRobin([pm.Arena(1)])
    arena = policy.get_resources()[0]
    results: list[Any] = []
    thread = threading.Thread(
        target=lambda: results.append(policy.submit_and_wait(lambda _: arena.run(busy)))
    )
    thread.start()
    assert busy.runs.wait(60)
    cancel(policy)
    thread.join(60)
    assert results == ["stopped"]


def test_it_reaches_work_of_a_selection_and_of_an_earlier_set() -> None:
    policy = pm.RoundRobin(["a"])
    work = Futures()
    submission = policy.select().submit(work)
    policy.initialize(["b"])
    assert cancel(policy)
    with pytest.raises(CancelledError):
        submission.result(timeout=60)


def test_it_reaches_work_of_a_backend() -> None:
    class Own(pm.Backend):
        def submit(self, placement: Any, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return work(placement.resource, *args, **kwargs)

    policy = pm.RoundRobin(backend=Own(["a"]))
    work = Futures()
    policy.submit(work)
    assert cancel(policy)
    assert work.made[0].cancelled()


def test_it_leaves_other_policies_and_later_work_alone() -> None:
    policy, other = pm.RoundRobin(["a"]), pm.RoundRobin(["a"])
    theirs, mine = Futures(), Futures()
    submissions = [other.submit(theirs), policy.submit(mine)]
    group = policy.submission_group()
    assert group.cancel()
    assert not theirs.made[0].cancelled()
    submissions.append(policy.submit(mine))
    assert not mine.made[1].done()
    mine.made[1].set_result(1)
    theirs.made[0].set_result(1)
    assert submissions[2].result() == 1


def test_it_returns_false_if_nothing_is_outstanding(policy_class: Any) -> None:
    policy = policy_class([pm.Arena(1)])
    assert policy.run(abs, -7).result(timeout=60) == 7
    assert policy.submission_group().wait(timeout=60)
    assert not cancel(policy)


def test_it_returns_false_for_work_that_cannot_be_cancelled() -> None:
    class Ticket:
        def wait(self) -> None:
            pass

    policy = pm.RoundRobin(["a"])
    submission = policy.submit(lambda resource: Ticket())
    assert not cancel(policy)
    assert submission.wait(timeout=60)


def test_it_cancels_the_others_before_it_raises_what_a_cancel_raised() -> None:
    class Broken(Future[Any]):
        def cancel(self) -> bool:
            raise OSError("no")

    policy = pm.RoundRobin(["a"])
    work = Futures()
    made = [policy.submit(work), policy.submit(lambda resource: Broken()), policy.submit(work)]
    with pytest.raises(OSError, match="no"):
        cancel(policy)
    assert all(future.cancelled() for future in work.made)
    made[1].unwrap().set_result(1)


def test_cancelled_work_does_not_run_again(policy_class: Any) -> None:
    policy = policy_class(["a", "b"])
    view = policy.with_options(on_failure=pm.Retry(5))
    work = Futures()
    submission = view.submit(work)
    assert cancel(view)
    with pytest.raises(pm.WorkCancelledError):
        submission.result(timeout=60)
    assert policy.submission_group().wait(timeout=60)
    assert len(work.made) == 1


def test_running_work_that_then_fails_does_not_run_again() -> None:
    policy = pm.RoundRobin(["a", "b"])
    work = Futures()

    def running(resource: Any) -> Future[Any]:
        future = work(resource)
        future.set_running_or_notify_cancel()
        return future

    submission = policy.with_options(on_failure="fallback").submit(running)
    assert not cancel(policy)
    work.made[0].set_exception(OSError("stopped"))
    with pytest.raises(OSError, match="stopped"):
        submission.result(timeout=60)
    assert len(work.made) == 1


def test_work_that_searches_for_a_resource_on_which_to_run_again_is_dropped() -> None:
    class OpenOnce(pm.PolicyBase[str]):
        searches = 0
        searched_again = threading.Event()

        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            self.searches += 1
            if self.searches > 1:
                self.searched_again.set()
                return None
            return "a"

    policy = OpenOnce(["a"])
    work = Futures()
    submission = policy.with_options(on_failure=pm.Retry(5)).submit(work)
    work.made[0].set_exception(OSError("no"))
    assert policy.searched_again.wait(60)
    cancel(policy)
    with pytest.raises((pm.WorkCancelledError, OSError)):
        submission.result(timeout=60)
    assert policy.submission_group().wait(timeout=60)
    assert len(work.made) == 1


def test_work_that_has_ended_is_not_kept() -> None:
    policy = pm.RoundRobin(["a"])
    work = Futures()
    submission = policy.with_options(on_failure=pm.Retry(5)).submit(work)
    gone = weakref.ref(submission)
    work.made[0].set_result(1)
    del submission
    work.made.clear()
    gc.collect()
    assert gone() is None


def test_a_group_of_a_policy_that_is_gone_still_cancels() -> None:
    policy = pm.RoundRobin(["a"])
    work = Futures()
    policy.submit(work)
    group = policy.submission_group()
    del policy
    gc.collect()
    assert group.cancel()
    assert work.made[0].cancelled()


def test_cancels_race_with_submissions_and_ends(policy_class: Any) -> None:
    policy = policy_class([pm.Arena(2), pm.Arena(1)])
    stop = threading.Event()

    def submit(verb: Callable[..., Any]) -> None:
        for number in range(300):
            verb(abs, number)
        stop.set()

    threads = [
        threading.Thread(target=submit, args=(run,))
        for run in (policy.run, policy.with_options(on_failure=pm.Retry(1)).run)
    ]
    for thread in threads:
        thread.start()
    while not stop.is_set():
        cancel(policy)
    for thread in threads:
        thread.join(60)
    assert policy.submission_group().wait(timeout=60)
    assert sum(policy.loads()) == 0


@forks_with_threads
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_cancels_its_own_work_and_none_of_its_parent() -> None:
    policy = pm.RoundRobin(["a"])
    work = Futures()
    submission = policy.submit(work)
    child = os.fork()
    if child == 0:
        is_right = not cancel(policy)
        own = pm.RoundRobin(["a"])
        own.submit(work)
        os._exit(0 if is_right and cancel(own) and work.made[1].cancelled() else 1)
    assert os.waitpid(child, 0)[1] == 0
    work.made[0].set_result(1)
    assert submission.result(timeout=60) == 1
