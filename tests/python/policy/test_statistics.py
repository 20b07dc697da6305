# SPDX-License-Identifier: Apache-2.0
"""What every policy counts for each of its resources."""

from __future__ import annotations

import gc
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
    assert before.median_elapsed < 1e-4
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


def test_times_of_calls_are_a_distribution_and_keep_the_resource_busy():
    policy = pm.RoundRobin(["a"])
    took = sorted(policy.submit_and_wait(spin, 0.001 * n) for n in [1, 1, 1, 1, 20])
    entry = policy.statistics()[0]
    # Each call takes a little longer than what it measured of itself.
    assert took[2] * 0.98 < entry.median_elapsed < took[3] + 0.01
    assert took[4] * 0.98 < entry.p95_elapsed
    assert sum(took) <= entry.busy
    assert 0 < entry.utilisation <= 1
    assert entry.waited == 0
    assert entry.submissions == 5


def test_a_resource_without_submissions_has_no_times(policy_class: Any):
    entry = policy_class(["a"]).statistics()[0]
    assert (entry.mean_elapsed, entry.median_elapsed, entry.p95_elapsed) == (None, None, None)
    assert (entry.busy, entry.utilisation, entry.waited, entry.submissions) == (0, 0, 0, 0)


def test_pending_work_keeps_its_resource_busy_while_it_is_outstanding(policy_class: Any):
    policy = policy_class(["a"])
    future: Future[str] = Future()
    begin = time.perf_counter()
    submission = policy.submit(work(future))
    spin("a", 0.01)
    meanwhile = policy.statistics()[0]
    assert 0.01 <= meanwhile.busy <= time.perf_counter() - begin
    assert meanwhile.median_elapsed is None
    future.set_result("done")
    assert submission.result(timeout=60) == "done"
    elapsed = time.perf_counter() - begin
    spin("a", 0.01)
    after = policy.statistics()[0]
    assert meanwhile.busy <= after.busy <= elapsed
    assert after.busy == policy.statistics()[0].busy
    assert after.utilisation > policy.statistics()[0].utilisation
    assert 0.01 * 0.98 <= after.median_elapsed <= elapsed * 1.02


def test_work_that_fails_keeps_its_resource_busy_but_has_no_time(policy_class: Any):
    policy = policy_class(["a"])
    failed: Future[str] = Future()
    policy.submit(work(failed))
    spin("a", 0.001)
    failed.set_exception(LookupError())

    def fail_late(resource: str) -> None:
        spin(resource, 0.001)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        policy.submit(fail_late)
    entry = policy.statistics()[0]
    assert entry.failed == 2
    assert entry.busy >= 0.002
    assert entry.median_elapsed is None


def test_pending_work_waits_for_the_work_before_it_by_the_slots_of_the_resource():
    class Pair:
        domain = pm.Domain(capacity=2, slots=2)

    for resource, waits in [("one at a time", 2), (Pair(), 1)]:
        policy = pm.RoundRobin([resource])
        futures: list[Future[int]] = [Future() for _ in range(3)]
        submissions = [policy.submit(work(future)) for future in futures]
        begin = time.perf_counter()
        spin("a", 0.01)
        futures[0].set_result(0)
        until_first = time.perf_counter() - begin
        for future in futures[1:]:
            future.set_result(0)
        for submission in submissions:
            submission.result(timeout=60)
        entry = policy.statistics()[0]
        assert entry.waited >= 0.01 * waits
        assert entry.waited <= until_first * waits + 3 * (entry.busy - 0.01)


def test_abandoned_work_stops_keeping_its_resource_busy(policy_class: Any):
    policy = policy_class(["a"])
    policy.submit(lambda resource: Future())  # dropped, nobody can end it
    gc.collect()
    assert policy.loads() == [0]
    busy = policy.statistics()[0].busy
    spin("a", 0.001)
    assert policy.statistics()[0].busy == busy


def test_statistics_print_as_tables():
    policy = pm.AutoTune(["a", "b"])
    for _ in range(4):
        policy.submit(spin, 0.001)
    statistics = policy.statistics()
    kind = statistics.kinds[0]
    assert kind.name == "spin"
    assert kind.best in (0, 1)
    assert kind.estimates[kind.best] == min(t for t in kind.estimates if t is not None)
    by_resource, of_kinds = str(statistics).split("\n\n")
    heading, *rows = by_resource.splitlines()
    assert heading.split("  ")[0] == "resource"
    assert [row.split()[0] for row in rows] == ["'a'", "'b'"]
    assert of_kinds.splitlines()[1].startswith("spin  ")
    assert of_kinds.count("*") == 1


def test_policies_that_do_not_measure_print_one_table():
    statistics = pm.RoundRobin(["a", "b"]).statistics()
    assert statistics.kinds == []
    assert len(str(statistics).splitlines()) == 3
