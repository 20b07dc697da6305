# SPDX-License-Identifier: Apache-2.0
"""CPython's own tests of executors, on as_executor.

They come with CPython (on Debian in libpython3.11-testsuite). Its suite makes the executor in
`setUp` from `executor_type(max_workers=5)`. Not run, for want of such a thing in a policy:
threads of the executor's own, their number, names and `initializer`; pools of processes; and
below, by name, programs that import the class from `concurrent.futures` (test_executor.py has
their like), and that a call begins before the executor is shut down, which arenas do not promise.
"""

from __future__ import annotations

import unittest
from typing import Any

import pytest

import fairlead as fl

suite = pytest.importorskip(
    "test.test_concurrent_futures", reason="CPython's test suite is not installed"
)


def of_suite(name: str, module: str) -> Any:
    """A class of the suite, which is one file up to CPython 3.11 and a folder from 3.12 on."""
    if hasattr(suite, name):
        return getattr(suite, name)
    return getattr(pytest.importorskip(f"test.test_concurrent_futures.{module}"), name)


class OnPolicy:
    """Takes the place of the suite's `ThreadPoolMixin`."""

    executor: Any
    worker_count = 5

    @staticmethod
    def executor_type(max_workers: int) -> Any:
        if max_workers < 1:
            raise ValueError("max_workers must be greater than 0")
        return fl.DynamicLoad([fl.Arena(1) for _ in range(max_workers)]).as_executor()

    def setUp(self) -> None:
        self.executor = self.executor_type(self.worker_count)

    def tearDown(self) -> None:
        self.executor.shutdown(wait=True)


class TestExecutor(OnPolicy, of_suite("ExecutorTest", "executor"), unittest.TestCase):
    pass


class TestWait(OnPolicy, of_suite("WaitTests", "test_wait"), unittest.TestCase):
    pass


class TestAsCompleted(
    OnPolicy, of_suite("AsCompletedTests", "test_as_completed"), unittest.TestCase
):
    pass


class TestShutdown(OnPolicy, of_suite("ExecutorShutdownTest", "test_shutdown"), unittest.TestCase):
    test_interpreter_shutdown = None
    test_submit_after_interpreter_shutdown = None
    test_hang_gh83386 = None
    test_cancel_futures = None
