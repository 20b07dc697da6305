# SPDX-License-Identifier: Apache-2.0
"""map: many items over the resources, in order or as they complete."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from policy.pending_work import Busy, Pending

import pointsman as pm


@pytest.fixture
def policy() -> Any:
    return pm.DynamicLoad([pm.Arena(1), pm.Arena(1)])


def test_results_come_in_the_order_of_the_items(policy: Any):
    assert list(policy.map(lambda x: x * x, range(10_000))) == [x * x for x in range(10_000)]
    assert list(policy.map(pow, [2, 3, 4], itertools.count(1))) == [2, 9, 64]
    assert list(policy.map(pow, [], [])) == []


@pytest.mark.parametrize("chunksize", [None, 1, 3, 1000])
@pytest.mark.parametrize("ordered", [True, False])
def test_every_item_is_returned_once(policy: Any, chunksize: int | None, ordered: bool):
    results = list(policy.map(str, range(500), chunksize=chunksize, ordered=ordered))
    assert sorted(results, key=int) == [str(i) for i in range(500)]
    assert policy.loads() == [0, 0]


def test_unordered_results_come_as_they_become_ready():
    gate = threading.Event()

    def work(x: int) -> int:
        if x == 0:
            gate.wait()
        return x

    with ThreadPoolExecutor(2) as pool:
        results = pm.RoundRobin([pool]).map(work, range(4), chunksize=1, ordered=False)
        assert sorted(next(results) for _ in range(3)) == [1, 2, 3]
        gate.set()
        assert list(results) == [0]


@pytest.mark.parametrize("ordered", [True, False])
def test_a_task_may_map_over_the_arena_that_it_fills(ordered: bool):
    policy = pm.RoundRobin([pm.Arena(1)])

    def work() -> list[int]:
        return sorted(policy.map(abs, range(-20, 0), chunksize=3, ordered=ordered))

    assert policy.run(work).result() == list(range(1, 21))


def test_items_are_read_as_they_are_needed(policy: Any):
    results = policy.map(str, itertools.count(), in_flight=4, chunksize=2)
    assert [next(results) for _ in range(20)] == [str(i) for i in range(20)]
    read = itertools.count()
    policy.map(str, read, in_flight=4, chunksize=2)
    assert next(read) == 8


def test_threads_that_resources_state_in_a_small_numpy_type_are_added_without_overflow():
    class Inline:
        concurrency = np.uint8(200)

        def run(self, func: Any, /, *args: Any) -> Any:
            return func(*args)

    policy = pm.RoundRobin([Inline(), Inline()])
    read = itertools.count()
    policy.map(abs, read, chunksize=1)
    assert next(read) == 4 * 400
    assert policy.as_executor()._max_workers == 400


def test_an_exception_is_raised_at_the_position_of_its_result(policy: Any):
    results = policy.map(lambda x: 6 // x, [3, 2, 1, 0, 1], chunksize=5)
    assert [next(results) for _ in range(3)] == [2, 3, 6]
    with pytest.raises(ZeroDivisionError):
        next(results)
    assert list(results) == []
    assert policy.submission_group().wait(60)
    assert policy.loads() == [0, 0]


@pytest.mark.parametrize("iterables", [1, 2])
@pytest.mark.parametrize("chunksize", [None, 1, 2, 10])
@pytest.mark.parametrize("options", [{}, {"on_failure": pm.Retry(1)}])
def test_a_function_that_raises_stop_iteration_does_not_end_the_results(
    policy: Any, iterables: int, chunksize: int | None, options: Any
):
    def work(x: int, *_others: int) -> int:
        if x == 3:
            raise StopIteration
        return x

    results = policy.with_options(**options).map(
        work, *[range(10)] * iterables, chunksize=chunksize
    )
    with pytest.raises(RuntimeError, match="raised StopIteration") as raised:
        list(results)
    assert isinstance(raised.value.__cause__, StopIteration)


class Gated:
    """A function that notes its arguments, and does not return before the gate is open."""

    def __init__(self) -> None:
        self.gate, self.begun = threading.Event(), threading.Event()
        self.ran: list[int] = []

    def __call__(self, x: int) -> None:
        self.begun.set()
        self.gate.wait(60)
        self.ran.append(x)

    def ran_at_the_end_of(self, policy: Any) -> list[int]:
        self.gate.set()
        assert policy.submission_group().wait(60)
        return self.ran


def test_a_dropped_iterator_cancels_calls_that_have_not_begun():
    policy = pm.DynamicLoad([pm.Arena(1)])
    work = Gated()
    results = policy.map(work, range(10), chunksize=1, in_flight=10, timeout=0)
    assert work.begun.wait(60)
    with pytest.raises(pm.WaitTimeoutError):
        next(results)
    assert work.ran_at_the_end_of(policy) == [0]


def drop(results: Any) -> None:
    del results


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("end", [drop, lambda results: results.close()], ids=["drop", "close"])
def test_an_iterator_that_is_dropped_unused_cancels_calls_that_have_not_begun(
    ordered: bool, end: Any
):
    policy = pm.DynamicLoad([pm.Arena(1)])
    work = Gated()
    kept = [policy.map(work, range(5), chunksize=1, in_flight=5, ordered=ordered)]
    assert work.begun.wait(60)
    end(kept.pop())
    assert work.ran_at_the_end_of(policy) == [0]


def test_an_iterable_that_raises_cancels_the_calls_before_it():
    policy = pm.DynamicLoad([pm.Arena(1)])
    work = Gated()

    def items() -> Iterator[int]:
        yield from range(4)
        assert work.begun.wait(60)
        raise LookupError("on purpose")

    with pytest.raises(LookupError, match="on purpose"):
        policy.map(work, items(), chunksize=1, in_flight=5)
    assert work.ran_at_the_end_of(policy) == [0]


def test_a_rule_that_raises_stop_iteration_is_a_runtime_error():
    class Ended(pm.PolicyBase):  # type: ignore[type-arg]
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            raise StopIteration

    with pytest.raises(RuntimeError, match="raised StopIteration"):
        Ended([pm.Arena(1)]).map(abs, [1])


@pytest.mark.parametrize("ordered", [True, False])
def test_a_result_that_comes_too_late_is_a_timeout(policy: Any, ordered: bool):
    gate = threading.Event()
    results = policy.map(lambda x: gate.wait(), [1], timeout=0.01, ordered=ordered)
    with pytest.raises(TimeoutError, match=r"within its timeout of 0\.01 s: raise the timeout"):
        next(results)
    gate.set()
    assert policy.submission_group().wait(60)


@pytest.mark.parametrize("options", [None, {}, {"timeout": 60}, {"max_outstanding": 9}], ids=str)
def test_a_resource_that_is_free_too_late_is_a_timeout(options: dict[str, Any] | None):
    busy = Busy([pm.Arena(1)], refusals=2000)  # for 10 s
    policy: Any = busy if options is None else busy.with_options(**options)
    with pytest.raises(pm.WaitTimeoutError, match=r"within its timeout of 0\.01 s"):
        policy.map(abs, [1, 2], timeout=0.01)
    busy.refusals = 0
    assert list(policy.map(abs, [1, 2], timeout=60)) == [1, 2]


def test_a_place_that_is_free_too_late_is_a_timeout():
    view = pm.RoundRobin(["a", pm.Arena(1)]).with_options(max_outstanding=1, timeout=10)
    work = Pending()
    view.submit(work)
    with pytest.raises(pm.WaitTimeoutError, match=r"within its timeout of 0\.01 s"):
        view.map(abs, [1, 2], timeout=0.01)
    work.futures[0].set_result(1)


def test_a_shorter_timeout_of_the_policy_is_its_own_error():
    policy = Busy([pm.Arena(1)], refusals=2000).with_options(timeout=0)
    with pytest.raises(pm.SubmitTimeoutError):
        policy.map(abs, [1, 2], timeout=60)


@pytest.mark.parametrize("ordered", [True, False])
def test_progress_is_shown_by_tqdm(policy: Any, ordered: bool, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("tqdm")
    assert sorted(policy.map(abs, [-1, 2, -3], progress=True, ordered=ordered)) == [1, 2, 3]
    assert "3/3" in capsys.readouterr().err


def test_progress_without_tqdm_says_how_to_get_it(policy: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    called: list[int] = []
    with pytest.raises(ImportError, match="pip install tqdm, or leave progress out"):
        policy.map(called.append, [1], progress=True)
    assert policy.submission_group().wait(60)
    assert called == []


def test_invalid_options_are_refused(policy: Any):
    with pytest.raises(ValueError, match="chunksize is 0: pass a number from 1"):
        policy.map(abs, [1], chunksize=0)
    with pytest.raises(ValueError, match="in_flight is -1"):
        policy.map(abs, [1], in_flight=-1)
    with pytest.raises(TypeError, match="at least one iterable"):
        policy.map(abs)


def test_the_free_function_equals_the_method(policy: Any):
    assert list(pm.map(policy, abs, [-1])) == [1]
    assert pm.run(policy, abs, -1).result() == 1


def test_the_iterator_may_be_continued_by_other_threads(policy: Any):
    results = policy.map(abs, range(-100, 0), chunksize=1)
    taken: list[int] = []
    for _ in range(4):
        thread = threading.Thread(target=lambda: taken.append(next(results)))
        thread.start()
        thread.join()
    assert taken == [100, 99, 98, 97]


def test_processes_run_chunks_too():
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pm.RoundRobin([pool]).map(abs, range(-5, 0))) == [5, 4, 3, 2, 1]


def test_a_score_sees_the_items_that_a_resource_is_given():
    seen: list[Any] = []

    def score(_statistics: Any, items: list[Any]) -> float:
        seen.append(items)
        return 0.0

    policy = pm.ScoredPolicy(score, [pm.Arena(1)])
    assert list(policy.map(abs, [-1, -2], chunksize=2)) == [1, 2]
    assert list(policy.map(pow, [2], [3])) == [8]
    assert seen == [[-1, -2], [(2, 3)]]
