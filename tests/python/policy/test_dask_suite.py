# SPDX-License-Identifier: Apache-2.0
"""dask's own tests of its threaded scheduler, with a policy's executor instead of threads.

They come with dask. This file is also the plugin of the pytest process that runs them. `EXCLUDED`
names the exceptions, whose results vary and which are therefore not run.
"""

from __future__ import annotations

import concurrent.futures
import os
from collections.abc import Callable
from typing import Any

import pytest

import pointsman as pm
from pointsman._policy_executor import PolicyExecutor

pytest.importorskip("dask", reason="dask is not installed")

THREADS = "an arena of one thread runs one call at a time, but not all of them on the same thread"

SIGNAL = "CPython loses a signal that arrives just before its main thread blocks in a lock"

# By name, with or without the parameters that differ from one version of dask to the next.
EXCLUDED = {"test_pool_kwarg[ThreadPoolExecutor]": THREADS, "test_interrupt": SIGNAL}


class ThreadPoolExecutor(PolicyExecutor):
    """Replaces CPython's class."""

    def __init__(self, max_workers: int | None = None) -> None:
        count = max_workers or os.cpu_count() or 1
        super().__init__(pm.DynamicLoad([pm.Arena(1) for _ in range(count)]))


def pytest_configure() -> None:
    """Called when this file is a plugin, before dask imports the class."""
    concurrent.futures.ThreadPoolExecutor = ThreadPoolExecutor  # type: ignore[misc]


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Called when this file is a plugin: skips the tests in `EXCLUDED`."""
    found = {name for test in items for name in (test.name, test.originalname)}
    assert set(EXCLUDED) <= found, "an exception is no longer a test"
    for test in items:
        reason = EXCLUDED.get(test.name) or EXCLUDED.get(test.originalname)
        if reason is not None:
            test.add_marker(pytest.mark.skip(reason=reason))


def test_the_tests_of_dask_pass_on_a_policy(run_suite: Callable[..., str]):
    assert " passed" in run_suite(__file__, "dask.tests.test_threaded")
