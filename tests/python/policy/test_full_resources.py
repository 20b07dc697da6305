# SPDX-License-Identifier: Apache-2.0
"""Bounded numbers on each resource: `with_options(max_outstanding_per_resource=...)`."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import Future
from typing import Any

import pytest
from policy.pending_work import Pending

import pointsman as pm


def ended(work: Pending) -> None:
    for future in work.futures:
        if not future.done():
            future.set_result(1)


def test_a_full_resource_is_left_out(policy_class):
    if policy_class in (pm.FixedResource, pm.Token, pm.EarliestFinish):
        pytest.skip("chooses one resource only, or has a limit of its own")
    view = policy_class(["a", "b"]).with_options(max_outstanding_per_resource=2)
    work = Pending()
    submissions = [view.try_submit(work) for _ in range(4)]
    assert Counter(each.resource for each in submissions) == {"a": 2, "b": 2}
    ended(work)


def test_try_submit_refuses_if_all_are_full(policy_class):
    view = policy_class(["a", "b"]).with_options(max_outstanding_per_resource=1)
    work = Pending()
    while view.try_submit(work) is not None:
        assert len(work.futures) <= 2
    ended(work)
    assert view.try_submit(lambda resource: 7) is not None


def test_run_leaves_out_a_full_arena_and_those_that_cannot_run():
    arena, other, entered = pm.Arena(1), pm.Arena(1), threading.Event()
    view = pm.RoundRobin([arena, "a", other]).with_options(max_outstanding_per_resource=1)
    release = threading.Event()

    def hold() -> None:
        entered.set()
        release.wait(60)

    first = view.run(hold)
    second = view.run(hold)
    assert {first.resource, second.resource} == {arena, other}
    assert view._try_run(abs, -1) is None
    release.set()
    assert view.run(abs, -7).result(timeout=60) == 7


def test_run_without_a_resource_that_can_run_names_the_remedy():
    view = pm.RoundRobin(["a"]).with_options(max_outstanding_per_resource=1)
    with pytest.raises(pm.UnsuitableResourcesError, match="cannot run functions"):
        view.run(abs, -1)


def test_a_timeout_limits_the_wait():
    view = pm.RoundRobin(["a"]).with_options(max_outstanding_per_resource=1, timeout=0.01)
    work = Pending()
    view.submit(work)
    with pytest.raises(pm.SubmitTimeoutError):
        view.submit(lambda resource: 7)
    ended(work)


def test_a_coroutine_waits_for_room_and_its_loop_runs_on(library):
    view = pm.RoundRobin(["a"]).with_options(max_outstanding_per_resource=1)
    work = Pending()
    view.submit(work)

    async def main() -> Any:
        happened: list[Any] = []

        async def submit() -> None:
            happened.append(await (await view.submit_async(lambda resource: 7)))

        async def go_on() -> None:
            for _ in range(3):
                await library.give_way()
            happened.append("the loop has run on")
            ended(work)

        await library.both(submit, go_on)
        return happened

    assert library.run(main) == ["the loop has run on", 7]


def test_work_that_raises_at_once_frees_its_place():
    view = pm.RoundRobin(["a"]).with_options(max_outstanding_per_resource=1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            view.submit(lambda resource: 1 // 0)
    assert view.try_submit(lambda resource: 7).result() == 7


def test_work_that_has_failed_on_all_others_has_its_own_error():
    view = pm.RoundRobin(["a", "b"]).with_options(
        on_failure="fallback", max_outstanding_per_resource=1
    )

    def fail(resource: str) -> None:
        raise OSError(resource)

    with pytest.raises(OSError, match="b"):
        view.submit(fail)


def test_views_share_the_places_unless_they_set_a_bound():
    view = pm.RoundRobin(["a"]).with_options(max_outstanding_per_resource=1)
    work = Pending()
    view.submit(work)
    assert view.with_options(timeout=1).try_submit(work) is None
    other = view.with_options(max_outstanding_per_resource=1)
    assert other.try_submit(work) is not None
    ended(work)


def test_a_measured_task_is_the_same_with_and_without_a_bound():
    policy = pm.AutoTune([pm.Arena(1), pm.Arena(1)])
    view = policy.with_options(max_outstanding_per_resource=4)
    for number in range(12):
        view.run(abs, number).result(timeout=60)
    assert any(seconds is not None for seconds in policy.estimates(abs, 1))


@pytest.mark.parametrize("value", [0, -1, 1.5, "2"])
def test_other_bounds_are_refused(value):
    with pytest.raises(pm.InvalidOptionError, match="max_outstanding_per_resource is"):
        pm.RoundRobin(["a"]).with_options(max_outstanding_per_resource=value)


def test_producers_that_are_faster_never_exceed_the_bound(policy_class):
    view = policy_class(["a", "b"]).with_options(max_outstanding_per_resource=3)
    lock = threading.Lock()
    outstanding: Counter[str] = Counter()
    begun: list[tuple[str, Future[Any]]] = []
    is_over = threading.Event()
    most = 0

    def work(resource: str) -> Future[Any]:
        nonlocal most
        future: Future[Any] = Future()
        with lock:
            outstanding[resource] += 1
            most = max(most, outstanding[resource])
            begun.append((resource, future))
        return future

    def end_the_oldest() -> None:
        while not is_over.is_set() or begun:
            with lock:
                oldest = begun.pop(0) if begun else None
                if oldest is not None:
                    outstanding[oldest[0]] -= 1
            if oldest is not None:
                oldest[1].set_result(1)

    def produce() -> None:
        for _ in range(50):
            view.submit(work)

    consumer = threading.Thread(target=end_the_oldest)
    producers = [threading.Thread(target=produce) for _ in range(3)]
    for thread in [consumer, *producers]:
        thread.start()
    for thread in producers:
        thread.join(60)
    is_over.set()
    consumer.join(60)
    assert view.submission_group().wait(timeout=60)
    assert 1 <= most <= 3
