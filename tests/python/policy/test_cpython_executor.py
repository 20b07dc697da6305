# SPDX-License-Identifier: Apache-2.0
"""CPython's own tests of executors, on as_executor over arenas, in one process.

They come with CPython (on Debian in libpython3.11-testsuite). All tests of `ThreadPoolExecutor`
run, and those of `Future` run on the futures of policies. `EXCLUDED` lists the exceptions; each of
them still runs and must fail, so that outdated entries are noticed. The tests in `NOT_RUN`
would leave calls behind that block forever, or have varying results.
"""

from __future__ import annotations

import concurrent.futures
import importlib
import inspect
import logging
import os
import sys
import unittest
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

import pointsman as pm
from pointsman._policy_executor import PolicyExecutor, PolicyFuture

suite = pytest.importorskip(
    "test.test_concurrent_futures", reason="CPython's test suite is not installed"
)

THREADS = "an arena's threads belong to the arena: an executor does not list, name or end them"
INITIALIZER = "an arena's threads serve many executors: there is no initializer"

BEGINNING = "an idle arena need not have begun a call that is dropped at once"
REPR = "the futures have their own class, which their repr names"

NOT_RUN = {
    "test_threads_terminate": THREADS,
    "test_saturation": THREADS,
    "test_cancel_futures": BEGINNING,
    "test_cancel_futures_wait_false": BEGINNING,
}
EXCLUDED = {
    "test_context_manager_shutdown": THREADS,
    "test_del_shutdown": THREADS,
    "test_shutdown_no_wait": THREADS,
    "test_thread_names_assigned": THREADS,
    "test_thread_names_default": THREADS,
    "test_idle_thread_reuse": THREADS,
    "test_initializer": INITIALIZER,
    "test_multiple_set_exception": REPR,
    "test_multiple_set_result": REPR,
}


class ThreadPoolExecutor(PolicyExecutor):
    """Replaces CPython's class, here and in the programs that the tests start."""

    def __init__(self, max_workers: int | None = None, **_ignored: Any) -> None:
        count = min(32, (os.cpu_count() or 1) + 4) if max_workers is None else max_workers
        if count < 1:
            raise ValueError("max_workers must be greater than 0")
        super().__init__(pm.DynamicLoad([pm.Arena(1) for _ in range(count)]))


PROGRAM = f"""
from __future__ import annotations
import concurrent.futures, os, sys
sys.path.insert(0, {str(Path(pm.__file__).parents[1])!r})
from typing import Any
import pointsman as pm
from pointsman._policy_executor import PolicyExecutor
{inspect.getsource(ThreadPoolExecutor)}
concurrent.futures.ThreadPoolExecutor = ThreadPoolExecutor
"""


def modules() -> Iterator[ModuleType]:
    """The modules of the suite, which is one file up to CPython 3.11 and a folder from 3.12 on."""
    if not hasattr(suite, "__path__"):
        yield suite
        return
    for name in ("as_completed", "future", "init", "shutdown", "thread_pool", "wait"):
        yield importlib.import_module(f"test.test_concurrent_futures.test_{name}")


def test_cases(module: ModuleType) -> Iterator[type[unittest.TestCase]]:
    for name, case in vars(module).items():
        if not isinstance(case, type) or not issubclass(case, unittest.TestCase):
            continue
        if name == "FutureTests" or getattr(case, "executor_type", None) is THREAD_POOL:
            yield case


THREAD_POOL = concurrent.futures.ThreadPoolExecutor
test_cases.__test__ = False  # type: ignore[attr-defined]


def on_policies(module: ModuleType, case: type[unittest.TestCase]) -> type[unittest.TestCase]:
    """The tests of a class, with the executors and futures of policies."""

    def assert_python_ok(*arguments: str, **options: Any) -> Any:
        return started(*arguments[:-1], PROGRAM + arguments[-1], **options)

    started = getattr(module, "assert_python_ok", None)
    replacements: list[tuple[Any, str, Any]] = [
        (concurrent.futures, "ThreadPoolExecutor", ThreadPoolExecutor),
        (logging.getLogger(), "handlers", []),  # as without pytest: errors go to stderr
    ]
    if started is not None:
        replacements.append((module, "assert_python_ok", assert_python_ok))
    if case.__name__ == "FutureTests":
        makers = {module, inspect.getmodule(vars(module)["create_future"])}
        replacements += [(maker, "Future", PolicyFuture) for maker in makers]

    class OnPolicies(case):  # type: ignore[misc, valid-type]
        executor_type = ThreadPoolExecutor

        def setUp(self) -> None:
            for module, name, ours in replacements:
                patch = mock.patch.object(module, name, ours)
                patch.start()
                self.addCleanup(patch.stop)
            super().setUp()

    for name in EXCLUDED:
        if hasattr(case, name):
            setattr(OnPolicies, name, unittest.expectedFailure(getattr(case, name)))
    for name, reason in NOT_RUN.items():
        if hasattr(case, name):
            setattr(OnPolicies, name, unittest.skip(reason)(getattr(case, name)))
    OnPolicies.__name__ = OnPolicies.__qualname__ = f"Test{case.__name__}"
    return OnPolicies


for module in modules():
    for case in list(test_cases(module)):
        globals()[f"Test{case.__name__}"] = on_policies(module, case)
del module, case


def test_the_exclusions_are_tests_of_the_suite():
    found = {name for made in globals().values() if isinstance(made, type) for name in dir(made)}
    assert {*EXCLUDED, *NOT_RUN} <= found, f"not in the suite of Python {sys.version_info[:2]}"
