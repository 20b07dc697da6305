# SPDX-License-Identifier: Apache-2.0
"""Futures that everybody has dropped before they complete.

Only futures of concurrent.futures itself are given up. For another library's future the policy may
be the owner that keeps the work running, as Dask cancels work whose futures are gone; and work that
is only polled or waited for must stay alive for that.
"""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import Future
from typing import Any

import pointsman as pm


def running_future() -> Future[int]:
    made: Future[int] = Future()
    made.set_running_or_notify_cancel()
    return made


def test_an_unresolved_future_that_nobody_has_releases_its_load():
    policy = pm.DynamicLoad(["a", "b"])
    submission = policy.submit(lambda resource: running_future())
    witness = weakref.ref(submission.unwrap())
    assert sum(policy.loads()) == 1
    del submission
    gc.collect()
    assert witness() is None
    assert policy.loads() == [0, 0]
    assert policy.submission_group().wait(60)


def test_a_future_that_somebody_has_keeps_its_load_until_completion():
    policy = pm.DynamicLoad(["a"])
    future = running_future()
    policy.submit(lambda resource: future)
    gc.collect()
    assert policy.loads() == [1]
    future.set_result(3)
    assert policy.loads() == [0]


def test_futures_of_other_libraries_are_kept_until_completion():
    class Owner(Future):  # type: ignore[type-arg]
        """Completes its work when it is collected."""

    policy = pm.DynamicLoad(["a"])
    kept: list[weakref.ref[Any]] = []

    def work(_resource: Any) -> Owner:
        future = Owner()
        kept.append(weakref.ref(future))
        return future

    policy.submit(work)
    gc.collect()
    future = kept[0]()
    assert future is not None
    future.set_result(3)
    assert policy.loads() == [0]
