# SPDX-License-Identifier: Apache-2.0
"""Fixtures for all rooms: policies, the source tree, the command line, devices, others' tests."""

from __future__ import annotations

import gc
import importlib
import os
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from event_loops import LIBRARIES

import pointsman as pm
from pointsman._failures import Failure


class LeastLoaded(pm.PolicyBase):
    """A user-defined policy."""

    def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        return min(self.statistics(), key=lambda entry: entry.load)


def is_provided_policy(named: Any) -> bool:
    """Returns true for the package's policies that have a rule of their own."""
    return (
        isinstance(named, type)
        and issubclass(named, pm.Policy)
        and named is not pm.Policy
        and not issubclass(named, pm.PolicyBase)
    )


POLICIES = [*filter(is_provided_policy, map(vars(pm).get, pm.__all__)), LeastLoaded]


@pytest.fixture(scope="session", autouse=True)
def no_default_history() -> Iterator[None]:
    """Keeps the user's own history out of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POINTSMAN_HISTORY", "off")
        yield


_kept_failures: set[int] = set()  # numbers of failures that earlier tests keep for good


@pytest.fixture(autouse=True)
def no_failures_of_earlier_tests(request: pytest.FixtureRequest) -> None:
    """Before a test that reads the log, waits for what logs failures of submissions when it ends:
    a thread may hold a submission for a moment longer than the test that dropped it. There is no
    event to wait for."""
    if "caplog" not in request.fixturenames:
        return
    deadline = time.monotonic() + 5
    while held := _unseen_failures() - _kept_failures:
        if time.monotonic() > deadline:
            _kept_failures.update(held)
        gc.collect()
        time.sleep(0.01)


def _unseen_failures() -> set[int]:
    found = [each for each in gc.get_objects() if type(each) is Failure]
    return {each.number for each in found if each.error is not None}


@pytest.fixture(params=POLICIES, ids=lambda policy: policy.__name__)
def policy_class(request: pytest.FixtureRequest) -> Any:
    """Each of the policies in turn."""
    return request.param


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Any:
    """Each of the installed event loops in turn."""
    for name in request.param.split("-"):
        pytest.importorskip(name)
    if "trio" in request.param:
        importlib.import_module("trio.testing")
    return LIBRARIES[request.param]()


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root of the source tree."""
    return Path(__file__).resolve().parents[2]


@pytest.fixture
def pointsman_command(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `python -m pointsman ARGUMENT...` in an empty folder; returns the finished process."""

    def run(*arguments: str, timeout: float = 300) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pointsman", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, timeout=timeout, check=False
        )

    return run


@pytest.fixture
def run_suite(tmp_path: Path) -> Callable[..., str]:
    """Runs installed test modules in a process of their own, with a test's file as its plugin: it
    selects the tests and puts ours in the place of what they test. Returns pytest's output."""

    def run(plugin: str, *modules: str) -> str:
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        paths = [str(Path(plugin).parent), str(Path(pm.__file__).parents[1])]
        search = os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")])
        options = ["-p", Path(plugin).stem, "-p", "no:cacheprovider", "-rfExX", "-W", "ignore"]
        options += ["-o", "faulthandler_timeout=300"]  # shows where a test hangs
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *options, "--tb=native", "--pyargs", *modules],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": search},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    return run


@pytest.fixture(scope="session")
def opencl_queue() -> pm.opencl.Queue:
    """A queue on the first OpenCL device; skips the test if there is none."""
    try:
        return pm.opencl.Queue()
    except (ImportError, pm.Error) as error:
        pytest.skip(f"no OpenCL here: {error}")


@pytest.fixture(scope="session")
def pyopencl_context() -> Any:
    """pyopencl's context of one device; skips the test if pyopencl or a driver is missing."""
    cl = pytest.importorskip("pyopencl")
    try:
        platforms = cl.get_platforms()
    except cl.Error as error:
        pytest.skip(f"no OpenCL here: {error}")
    return cl.Context(platforms[0].get_devices()[:1])


@pytest.fixture(scope="session")
def is_gone() -> Callable[[weakref.ref[Any]], bool]:
    """Returns true once the object has been freed, or false if it still exists after a minute.

    Objects used by commands are released when the main thread next takes the GIL.
    """

    def ask(reference: weakref.ref[Any]) -> bool:
        deadline = time.monotonic() + 60
        while reference() is not None and time.monotonic() < deadline:
            gc.collect()
            time.sleep(0.001)
        return reference() is None

    return ask


@pytest.fixture(scope="session")
def no_driver(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Environment variables that hide all OpenCL drivers; skips the test if the loader finds its
    drivers elsewhere."""
    empty = str(tmp_path_factory.mktemp("vendors"))
    hidden = {"OCL_ICD_VENDORS": empty, "OPENCL_VENDOR_PATH": empty}
    code = "import pointsman as pm; print(len(pm.opencl.devices()))"
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **hidden},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if found.stdout.strip() not in ("", "0"):
        pytest.skip("this OpenCL loader ignores OCL_ICD_VENDORS")
    return hidden
