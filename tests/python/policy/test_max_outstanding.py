# SPDX-License-Identifier: Apache-2.0
"""Bounded numbers of submissions: `with_options(max_outstanding=...)`."""

from __future__ import annotations

import threading
import tracemalloc
from concurrent.futures import Future
from typing import Any

import pytest
from policy.pending_work import Pending, Waiting

import pointsman as pm


def test_try_submit_refuses_beyond_the_limit(policy_class):
    view = policy_class(["a", "b"]).with_options(max_outstanding=2)
    work = Pending()
    submissions = [view.try_submit(work) for _ in range(3)]
    if policy_class not in (pm.Token, pm.EarliestFinish):  # which have limits of their own
        assert None not in submissions[:2]
    assert submissions[2] is None
    for future in work.futures:
        future.set_result(1)
    assert view.try_submit(lambda resource: 7) is not None


def test_submit_waits_for_a_place():
    view = pm.RoundRobin(["a"]).with_options(max_outstanding=1)
    work = Pending()
    view.submit(work)
    second: list[Any] = []
    ends: list[str] = []

    def submit() -> None:
        second.append(view.submit(lambda resource: 7))
        ends.append("submit")

    thread = threading.Thread(target=submit)
    thread.start()
    while not view._policy.places._free._cond._waiters:
        pass  # until the thread waits for a place
    ends.append("first work")
    work.futures[0].set_result(1)
    thread.join(60)
    assert (second[0].result(), ends) == (7, ["first work", "submit"])


def test_a_timeout_limits_the_wait_for_a_place():
    view = pm.RoundRobin(["a"]).with_options(max_outstanding=1, timeout=0.01)
    first = view.submit(Pending())
    with pytest.raises(pm.SubmitTimeoutError):
        view.submit(lambda resource: 7)
    del first


def test_one_timeout_limits_the_waits_for_a_place_and_for_a_resource(
    monkeypatch: pytest.MonkeyPatch,
):
    view = pm.RoundRobin(["a"]).with_options(max_outstanding=1, timeout=5)
    waiting = Waiting(view, monkeypatch)

    def take(timeout: float | None) -> bool:
        waiting.now += 3.0 if timeout != 0 else 0.0
        return timeout != 0

    monkeypatch.setattr(view._policy.places, "take", take)
    assert view.submit(lambda resource: 7).result() == 7
    assert waiting.timeouts == [2.0]


def test_a_coroutine_waits_for_a_place_and_its_loop_runs_on(library):
    view = pm.RoundRobin(["a"]).with_options(max_outstanding=1)
    work = Pending()
    view.submit(work)

    async def main() -> Any:
        ended: list[Any] = []

        async def submit() -> None:
            ended.append(await (await view.submit_async(lambda resource: 7)))

        async def go_on() -> None:
            for _ in range(3):
                await library.give_way()
            ended.append("the loop has run on")
            work.futures[0].set_result(1)

        await library.both(submit, go_on)
        return ended

    assert library.run(main) == ["the loop has run on", 7]


def test_work_that_raises_at_once_frees_its_place():
    view = pm.RoundRobin(["a"]).with_options(max_outstanding=1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            view.submit(lambda resource: 1 // 0)
    assert view.try_submit(lambda resource: 7) is not None


def test_a_fast_producer_runs_in_flat_memory():
    view = pm.RoundRobin([pm.Arena(1)]).with_options(max_outstanding=50)
    sizes = []
    tracemalloc.start()
    try:
        for number in range(4000):
            view.run(bytes, 1000)
            if number % 1000 == 999:
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert view.submission_group().wait(timeout=60)
    assert max(sizes) < 2_000_000


@pytest.mark.parametrize("value", [0, -1, 1.5, "2"])
def test_other_limits_are_refused(value):
    with pytest.raises(pm.InvalidOptionError, match="max_outstanding is"):
        pm.RoundRobin(["a"]).with_options(max_outstanding=value)


def test_threads_never_exceed_the_limit(policy_class):
    view = policy_class(["a", "b"]).with_options(max_outstanding=3)
    lock = threading.Lock()
    outstanding = most = 0

    def work(resource: Any) -> Future[Any]:
        nonlocal outstanding, most
        future: Future[Any] = Future()
        with lock:
            outstanding += 1
            most = max(most, outstanding)

        def end() -> None:
            nonlocal outstanding
            with lock:
                outstanding -= 1
            future.set_result(1)

        threading.Timer(0.001, end).start()
        return future

    def submit() -> None:
        for _ in range(10):
            view.submit(work)

    threads = [threading.Thread(target=submit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert view.submission_group().wait(timeout=60)
    assert 1 <= most <= 3
