# SPDX-License-Identifier: Apache-2.0
"""Futures whose last reference is dropped before they complete.

Only futures of concurrent.futures itself are released. The policy keeps a future of another
library, which may cancel work whose futures are gone, as Dask does; and it keeps work that is
polled or waited for, which needs the object.
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


def test_a_pending_future_without_references_releases_its_load():
    policy = pm.DynamicLoad(["a", "b"])
    submission = policy.submit(lambda resource: running_future())
    witness = weakref.ref(submission.unwrap())
    assert sum(policy.loads()) == 1
    del submission
    gc.collect()
    assert witness() is None
    assert policy.loads() == [0, 0]
    assert policy.submission_group().wait(60)


def test_a_referenced_future_keeps_its_load_until_completion():
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
