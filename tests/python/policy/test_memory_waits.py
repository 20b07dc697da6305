# SPDX-License-Identifier: Apache-2.0
"""Work that found no memory on its device waits for other work there to end."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


def no_memory() -> pm.OpenCLError:
    error = pm.OpenCLError("a buffer of 2 GB")
    error.is_out_of_memory = True
    return error


class Hungry:
    """Finds no memory in its first `failures` calls: at once, or in the future that it returns."""

    def __init__(self, failures: int, how: str) -> None:
        self.failures = failures
        self.how = how
        self.calls: list[Any] = []

    def __call__(self, resource: Any) -> Future[str]:
        self.calls.append(resource)
        future: Future[str] = Future()
        if len(self.calls) > self.failures:
            future.set_result("done")
        elif self.how == "at once":
            raise no_memory()
        else:
            future.set_exception(no_memory())
        return future


def occupy(policy: Any) -> Future[None]:
    future: Future[None] = Future()
    policy.submit(lambda resource: future)
    return future


HOW = pytest.mark.parametrize("how", ["at once", "later"])


@HOW
def test_it_runs_again_when_other_work_there_has_ended(how: str):
    policy = pm.DynamicLoad(["gpu"])
    before = [occupy(policy), occupy(policy)]
    work = Hungry(1, how)
    submission = policy.with_options(on_failure=pm.Retry(1)).submit(work)
    assert not submission.wait(0.2)
    assert work.calls == ["gpu"]
    occupy(policy).set_result(None)  # one that came later has ended as well
    assert submission.result(timeout=60) == "done"
    assert not any(each.done() for each in before)
    assert [str(each.error) for each in submission.attempts] == ["a buffer of 2 GB", "None"]


@HOW
def test_it_does_not_wait_where_nothing_else_runs(how: str):
    view = pm.DynamicLoad(["gpu"]).with_options(on_failure=pm.Retry(3))
    assert view.submit(Hungry(3, how)).result(timeout=60) == "done"
    with pytest.raises(pm.OpenCLError, match="a buffer of 2 GB"):
        view.submit(Hungry(4, how)).result(timeout=60)


@HOW
def test_fallback_goes_elsewhere_at_once(how: str):
    policy = pm.DynamicLoad(["gpu", "cpu"])
    _busy = [occupy(policy), occupy(policy)]
    work = Hungry(1, how)
    submission = policy.with_options(on_failure="fallback").submit(work)
    assert submission.result(timeout=60) == "done"
    assert set(work.calls) == {"gpu", "cpu"}


@HOW
def test_work_that_waits_can_be_cancelled(how: str):
    policy = pm.DynamicLoad(["gpu"])
    _busy = occupy(policy)
    work = Hungry(1, how)
    submission = policy.with_options(on_failure=pm.Retry(1)).submit(work)
    assert not submission.wait(0.05)
    assert submission.cancel()
    with pytest.raises(pm.WorkCancelledError):
        submission.result(timeout=60)
    assert work.calls == ["gpu"]


@HOW
def test_work_that_ends_right_after_the_failure_counts(how: str):
    policy = pm.DynamicLoad(["gpu"])
    first, _second = occupy(policy), occupy(policy)
    submission = policy.with_options(on_failure=pm.Retry(1)).submit(Hungry(1, how))
    first.set_result(None)  # before anything looks again
    assert submission.result(timeout=60) == "done"


def test_it_ends_where_its_resources_were_replaced():
    policy = pm.DynamicLoad(["gpu"])
    _busy = occupy(policy)
    submission = policy.with_options(on_failure=pm.Retry(1)).submit(Hungry(1, "later"))
    policy.initialize(["new gpu"])
    assert submission.result(timeout=60) == "done"
    assert submission.resource == "new gpu"
