# SPDX-License-Identifier: Apache-2.0
"""`with_options(max_outstanding_per_resource=...)` where a backend calls the work itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from policy.pending_work import Pending

import pointsman as pm


class Pooled(pm.Backend):
    """Hands the work to threads; ``before`` is called for each work first."""

    def __init__(self, threads: int, before: Callable[[], object] = lambda: None) -> None:
        super().__init__(["a"])
        self.pool = ThreadPoolExecutor(threads)
        self.before = before

    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.before()
        return self.pool.submit(work, selection.resource, *args, **kwargs)


class Named(Pooled):
    """Knows the function by its name, and does not call the work; it cannot drop it either."""

    def __init__(self, before: Callable[[], object]) -> None:
        super().__init__(1, before)
        self.begun: list[Future[Any]] = []

    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.before()
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        self.begun.append(future)
        return future


def bounded(backend: pm.Backend) -> Any:
    return pm.RoundRobin(backend=backend).with_options(max_outstanding_per_resource=1)


def room_of(view: Any) -> int:
    """Returns how many submissions the view takes before it refuses one."""
    work = Pending()
    submissions = [view.try_submit(work) for _ in range(4)]
    for future in work.futures:
        future.set_result(1)
    return sum(each is not None for each in submissions)


class TwoAtOnce:
    """Submits the work from two threads, whose first submissions both find room."""

    def __init__(self, backend: Any, view: Any, work: Callable[[str], Any]) -> None:
        both = threading.Barrier(2)
        self.submissions: list[Any] = []
        self._waiters = view._policy.resource_places._freed._waiters
        self._threads = [
            threading.Thread(target=lambda: self.submissions.append(view.submit(work)))
            for _ in range(2)
        ]

        def once() -> None:
            both.wait(60)
            backend.before = lambda: None

        backend.before = once
        for thread in self._threads:
            thread.start()

    def wait_until_one_waits(self) -> None:
        while all(thread.is_alive() for thread in self._threads):
            pass
        while any(thread.is_alive() for thread in self._threads) and not self._waiters:
            pass

    def all(self) -> list[Any]:
        for thread in self._threads:
            thread.join(60)
        return self.submissions


def test_work_that_waits_for_a_thread_of_its_backend_has_its_place(gate: threading.Event):
    backend = Pooled(1)
    backend.pool.submit(gate.wait, 60)
    view = bounded(backend)
    first = view.submit(lambda resource: 7)
    assert view.try_submit(lambda resource: 8) is None
    gate.set()
    assert first.result(timeout=60) == 7
    assert view.submit(lambda resource: 8).result(timeout=60) == 8


@pytest.mark.parametrize("threads", [1, 2])
def test_of_two_at_once_the_loser_runs_when_the_winner_has_ended(
    threads: int, gate: threading.Event
):
    calls: list[str] = []
    has_begun = threading.Event()

    def work(resource: str) -> bool:
        calls.append(resource)
        has_begun.set()
        return gate.wait(60)

    backend = Pooled(threads)
    view = bounded(backend)
    two = TwoAtOnce(backend, view, work)
    assert has_begun.wait(60)
    two.wait_until_one_waits()
    assert calls == ["a"]
    gate.set()
    assert [each.result(timeout=60) for each in two.all()] == [True, True]
    assert calls == ["a", "a"]
    assert [entry.state for entry in view.health()] == ["healthy"]
    assert view.submission_group().wait(60, raise_errors=True)


def test_of_two_at_once_none_begins_twice_if_it_cannot_be_dropped():
    backend = Named(before=lambda: None)
    view = bounded(backend)
    submissions = TwoAtOnce(backend, view, lambda resource: None).all()
    assert len(backend.begun) == 2
    assert view.try_submit(lambda resource: None) is None
    for number, future in enumerate(backend.begun):
        future.set_result(number)
    assert sorted(each.result(timeout=60) for each in submissions) == [0, 1]
    assert view.try_submit(lambda resource: None) is not None
    backend.begun[-1].set_result(None)


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_a_backend_that_raises_has_freed_each_place_once(calls: int):
    class Broken(pm.Backend):
        is_broken = True

        def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            for _ in range(calls if self.is_broken else 0):
                work(selection.resource)
            if self.is_broken:
                raise OSError("on purpose")
            return work(selection.resource, *args, **kwargs)

    backend = Broken(["a"])
    view = bounded(backend)
    for _ in range(3):
        with pytest.raises(OSError, match="on purpose"):
            view.try_submit(lambda resource: None)
    backend.is_broken = False
    assert room_of(view) == 1


def test_work_whose_end_the_backend_does_not_wait_for_still_runs(gate: threading.Event):
    class Forgetting(Pooled):
        def submit(self, *task: Any, **kwargs: Any) -> None:
            super().submit(*task, **kwargs)

    backend = Forgetting(1)
    backend.pool.submit(gate.wait, 60)
    view = bounded(backend)
    ran: list[str] = []
    for _ in range(2):
        view.submit(ran.append)
    gate.set()
    backend.pool.shutdown()
    assert ran == ["a", "a"]
