# SPDX-License-Identifier: Apache-2.0
"""Work that hangs: `with_options(time_limit=...)`."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


class Hanging:
    """Work that hangs on the resource "hung" until the test ends it; elsewhere it is done."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def __call__(self, resource: Any, value: Any = "elsewhere") -> Any:
        if resource != "hung":
            return value
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # cannot be cancelled: it hangs
        self.futures.append(future)
        return future


def test_work_that_hangs_fails_and_makes_its_resource_suspect(policy_class):
    policy = policy_class(["hung"])
    submission = policy.with_options(time_limit=0.01).submit(Hanging())
    with pytest.raises(pm.TimeLimitError, match=r"on 'hung' for more than 0.01 s: raise"):
        submission.result(timeout=60)
    assert isinstance(submission.attempts[0].error, pm.TimeLimitError)
    assert policy.health()[0].state == "suspect"
    assert "TimeLimitError" in policy.health()[0].last_error


def test_work_in_time_is_not_affected():
    work = Hanging()
    policy = pm.RoundRobin(["hung"])
    submission = policy.with_options(time_limit=60).submit(work)
    assert not submission.done()
    work.futures[0].set_result(7)
    assert submission.result(timeout=60) == 7
    assert policy.health()[0].state == "healthy"


def test_fallback_runs_work_that_hangs_elsewhere():
    policy = pm.RoundRobin(["hung", "sound"])
    submission = policy.with_options(time_limit=0.01, on_failure="fallback").submit(Hanging())
    assert submission.result(timeout=60) == "elsewhere"
    assert [attempt.resource for attempt in submission.attempts] == ["hung", "sound"]


def test_the_first_of_two_results_counts():
    work = Hanging()
    policy = pm.RoundRobin(["hung", "hung"])
    submission = policy.with_options(time_limit=0.01, on_failure=pm.Retry(1)).submit(work)
    while len(work.futures) < 2:
        submission.wait(0.001)
    work.futures[0].set_result("first")
    assert submission.result(timeout=60) == "first"
    work.futures[1].set_result("second")
    assert submission.result() == "first"
    assert policy.submission_group().wait(timeout=60)
    assert policy.loads() == [0, 0]


def test_a_result_after_the_limit_is_too_late_if_nothing_runs_again():
    work = Hanging()
    policy = pm.RoundRobin(["hung"])
    submission = policy.with_options(time_limit=0.01).submit(work)
    submission.wait()
    work.futures[0].set_result("late")
    with pytest.raises(pm.TimeLimitError):
        submission.result()


def test_work_that_ended_is_not_kept_until_its_limit(is_gone):
    policy = pm.RoundRobin([pm.Arena(1)]).with_options(time_limit=1000)

    class Large:
        def __call__(self) -> int:
            return 7

    large = Large()
    reference = weakref.ref(large)
    assert policy.run(large).result(timeout=60) == 7
    del large
    gc.collect()
    assert is_gone(reference)


def test_times_expected_limits_work_by_what_was_measured():
    policy = pm.AutoTune(["hung"])
    for _ in range(5):
        policy.submit_and_wait(lambda resource, x: x, 1)
    work = Hanging()
    view = policy.with_options(time_limit=pm.TimesExpected(1.5))
    unknown = view.submit(work)  # it was never measured
    work.futures[0].set_result(1)
    assert unknown.result(timeout=60) == 1
    for _ in range(3):
        known = policy.submit(work)
        work.futures[-1].set_result(1)
        known.result()
    late = view.submit(work)
    with pytest.raises(pm.TimeLimitError):
        late.result(timeout=60)


def test_times_expected_needs_a_policy_that_measures():
    with pytest.raises(pm.InvalidOptionError, match="does not measure"):
        pm.RoundRobin(["a"]).with_options(time_limit=pm.TimesExpected(2))


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf"), "1 s"])
def test_other_limits_are_refused(value):
    with pytest.raises(pm.InvalidOptionError, match="time_limit is"):
        pm.RoundRobin(["a"]).with_options(time_limit=value)


@pytest.mark.parametrize("factor", [1, 0.5, float("nan"), "2"])
def test_a_factor_is_greater_than_one(factor):
    with pytest.raises(pm.InvalidOptionError, match="factor is"):
        pm.TimesExpected(factor)
