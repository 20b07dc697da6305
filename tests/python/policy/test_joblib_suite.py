# SPDX-License-Identifier: Apache-2.0
"""joblib's own tests of its "threading" backend, with the backend of a policy in its place.

They come with joblib. This file is also the plugin of the pytest process that runs them. `EXCLUDED`
lists the exceptions; each of them still runs and must fail, so that outdated entries are noticed.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

import pointsman as pm

pytest.importorskip("joblib", reason="joblib is not installed")

import joblib.parallel  # noqa: E402

from pointsman._joblib import _Backend  # noqa: E402

BATCHES = "calls are batched as for processes: a policy learns from calls that are not too short"
ALL_THREADS = "n_jobs=None stands for all threads of the resources, as with joblib's own for Dask"
FORKED = "a forked process has none of its parent's threads: arenas say so"

# The name of a test, why it fails, and with which parameters.
EXCLUDED: dict[str, tuple[str, dict[str, Any]]] = {
    "test_batching_auto_threading": (BATCHES, {}),
    "test_effective_n_jobs_None": (ALL_THREADS, {"backend_n_jobs": None}),
}
if sys.version_info < (3, 14):  # multiprocessing forks
    EXCLUDED["test_nested_loop"] = FORKED, {"parent_backend": "multiprocessing"}
if not hasattr(joblib, "parallel_config"):  # before 1.3
    EXCLUDED["test_nested_backend_in_sequential"] = (
        ALL_THREADS,
        {"backend": "threading", "n_jobs": None},
    )


class ThreadingBackend(_Backend):
    """Replaces joblib's backend under its name; each use has its own arenas."""

    def __init__(self, **options: Any) -> None:
        super().__init__(POLICY, **options)

    def configure(self, n_jobs: int = 1, parallel: Any = None, **options: Any) -> int:
        self._policy = policy_over_arenas(max(n_jobs, joblib.cpu_count()))
        return super().configure(n_jobs, parallel, **options)

    def get_nested_backend(self) -> Any:
        """Like joblib's: a nested `Parallel` has a single job by default."""
        if self.nesting_level:
            return super().get_nested_backend()
        nested = ThreadingBackend(nesting_level=1)
        nested.default_n_jobs = 1
        return nested, None


def policy_over_arenas(count: int) -> Any:
    return pm.DynamicLoad([pm.Arena(1) for _ in range(count)])


POLICY = policy_over_arenas(joblib.cpu_count())


def parameters_of(test: Any) -> dict[str, Any]:
    return getattr(getattr(test, "callspec", None), "params", {})


def is_of_threads(test: Any) -> bool:
    """Returns true if a test uses the backend "threading"."""
    parameters = parameters_of(test)
    names = [name for name in parameters if "backend" in name and name != "backend_n_jobs"]
    if names:
        return any(parameters[name] == "threading" for name in names)
    source = inspect.getsource(test.function)
    return any(word in source for word in ("'threading'", '"threading"', "ThreadingBackend"))


def pytest_configure() -> None:
    """Called when this file is a plugin."""
    joblib.parallel.BACKENDS["threading"] = ThreadingBackend


def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> None:
    """Called when this file is a plugin: selects the tests, and marks those in `EXCLUDED`."""
    config.hook.pytest_deselected(items=[test for test in items if not is_of_threads(test)])
    items[:] = [test for test in items if is_of_threads(test)]
    for test in items:
        test.module.ThreadingBackend = ThreadingBackend
        reason, parameters = EXCLUDED.get(test.originalname, (None, {}))
        if reason is not None and parameters.items() <= parameters_of(test).items():
            test.add_marker(pytest.mark.xfail(reason=reason, strict=True))


@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="joblib's worker processes crash under AddressSanitizer, and its tests wait for them",
)
def test_the_tests_of_joblib_pass_on_a_policy(run_suite: Callable[..., str]):
    printed = run_suite(__file__, "joblib.test.test_parallel")
    assert all(name in printed for name in EXCLUDED)
