# SPDX-License-Identifier: Apache-2.0
"""What every policy counts for each of its resources."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


def work(outcome: Any) -> Any:
    """A callable that returns ``outcome``, or raises it if it is an exception."""

    def act(resource: str) -> Any:
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return act


def spin(resource: str, seconds: float) -> float:
    """Compute for some time and return how long that took."""
    begin = time.perf_counter()
    while (took := time.perf_counter() - begin) < seconds:
        pass
    return took


def counted(policy: Any) -> tuple[int, int, int]:
    """The loads, successes and failures of all resources together."""
    entries = policy.statistics()
    assert [entry.load for entry in entries] == policy.loads()
    return tuple(map(sum, zip(*((e.load, e.completed, e.failed) for e in entries), strict=True)))


def test_values_futures_and_calls_of_arenas_count_when_they_complete(policy_class: Any):
    policy = policy_class([pm.Arena(1)])
    future: Future[str] = Future()
    submission = policy.submit(work(future))
    assert counted(policy) == (1, 0, 0)
    future.set_result("done")
    assert submission.result(timeout=60) == "done"
    assert counted(policy) == (0, 1, 0)
    assert policy.submit_and_wait(work("value")) == "value"
    assert policy.run(pow, 2, 3).result(timeout=60) == 8
    assert counted(policy) == (0, 3, 0)


def test_failures_count_whether_the_callable_or_its_work_fails(policy_class: Any):
    policy = policy_class([pm.Arena(1)])
    with pytest.raises(ZeroDivisionError):
        policy.submit(work(ZeroDivisionError()))
    failed: Future[str] = Future()
    submission = policy.submit(work(failed))
    failed.set_exception(LookupError())
    with pytest.raises(LookupError):
        submission.result(timeout=60)
    with pytest.raises(ValueError, match="invalid literal"):
        policy.run(int, "x").result(timeout=60)
    assert counted(policy) == (0, 0, 3)


def test_a_selection_is_load_until_it_is_dropped_or_its_work_completes(policy_class: Any):
    policy = policy_class(["a"])
    dropped = policy.select(work("value"))
    assert counted(policy) == (1, 0, 0)
    del dropped
    assert counted(policy) == (0, 0, 0)
    used = policy.select(work("value"))
    used.submit(work("value"))
    assert counted(policy) == (0, 1, 0)


def test_reports_to_a_selection_count(policy_class: Any):
    policy = policy_class(["a"])
    selection = policy.select(work("value"))
    selection.report("task_submission")
    selection.report("task_time", 2.0)
    selection.report("task_completion")
    (entry,) = policy.statistics()
    assert (entry.load, entry.completed, entry.mean_elapsed) == (0, 1, 2.0)


def test_the_mean_is_that_of_what_the_callables_took(policy_class: Any):
    policy = policy_class(["a"])
    begin = time.perf_counter()
    inside = sum(policy.submit_and_wait(spin, 0.002) for _ in range(5))
    outside = time.perf_counter() - begin
    (entry,) = policy.statistics()
    assert entry.mean_elapsed is not None
    assert inside <= entry.mean_elapsed * 5 + 1e-6
    assert entry.mean_elapsed * 5 <= outside + 1e-6


def test_the_mean_includes_work_that_completes_later(policy_class: Any):
    policy = policy_class(["a"])
    future: Future[int] = Future()
    begin = time.perf_counter()
    submission = policy.submit(lambda resource: (spin(resource, 0.002), future)[1])
    future.set_result(1)
    assert submission.wait(timeout=60)
    outside = time.perf_counter() - begin
    (entry,) = policy.statistics()
    assert 0.002 <= entry.mean_elapsed <= outside + 1e-6
    assert entry.mean_elapsed == pytest.approx(submission.elapsed)


def test_a_resource_that_was_not_used_has_no_mean(policy_class: Any):
    entry = policy_class(["a", "b"]).statistics()[1]
    assert (entry.resource, entry.index, entry.completed, entry.mean_elapsed) == ("b", 1, 0, None)


def test_short_calls_of_several_threads_are_counted_exactly(policy_class: Any):
    threads, rounds = 7, 500
    policy = (
        pm.Token(["a", "b"], tokens=threads)
        if policy_class is pm.Token
        else policy_class(["a", "b"])
    )

    def submit() -> None:
        for _ in range(rounds):
            policy.submit(work("value"))

    started = [threading.Thread(target=submit) for _ in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    assert counted(policy) == (0, threads * rounds, 0)


def test_a_call_that_becomes_long_is_timed_again():
    policy = pm.RoundRobin(["a"])
    for _ in range(1000):
        policy.submit(work("value"))
    (before,) = policy.statistics()
    for _ in range(64):  # one in 64 short calls is timed, and the first long one reveals the others
        policy.submit(spin, 0.0005)
    (entry,) = policy.statistics()
    assert before.mean_elapsed < 1e-4
    assert entry.mean_elapsed * entry.completed > 0.0005


def test_counting_begins_anew_when_the_set_is_replaced(policy_class: Any):
    policy = policy_class(["a"])
    policy.submit(work("value"))
    policy.initialize(["a"])
    assert counted(policy) == (0, 0, 0)


def test_a_policy_with_options_counts_with_its_policy():
    policy = pm.Token(["a"])
    limited = policy.with_options(timeout=0)
    limited.submit(work("value"))
    assert limited.loads() == [0]
    assert [entry.completed for entry in limited.statistics()] == [1]
    assert [entry.completed for entry in policy.statistics()] == [1]


def test_the_outcomes_that_a_backend_reports_count(policy_class: Any):
    class Reporting(pm.Backend):
        def submit(self, placement: Any, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            placement.report("task_time", 3.0)
            return work(placement.resource, *args, **kwargs)

    policy = policy_class(backend=Reporting(["a"]))
    policy.submit(work("value"))
    (entry,) = policy.statistics()
    assert (entry.load, entry.completed, entry.failed, entry.mean_elapsed) == (0, 1, 0, 3.0)
    with pytest.raises(LookupError):
        policy.submit(work(LookupError()))
    assert sum(entry.completed for entry in policy.statistics()) == 2  # as the backend reported


def test_a_deferred_policy_has_no_statistics(policy_class: Any):
    with pytest.raises(pm.NotInitializedError):
        policy_class(pm.deferred_initialization).statistics()
