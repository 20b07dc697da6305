# SPDX-License-Identifier: Apache-2.0
"""A gate that blocks calls, and other projects' tests on executors of policies."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pointsman as pm


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Blocks calls; opens when the test ends, even if it fails while calls wait."""
    made = threading.Event()
    yield made
    made.set()


@pytest.fixture
def run_suite(tmp_path: Path) -> Callable[[str, str], str]:
    """Runs an installed test module in its own process, with a test's file as its plugin, which
    selects the tests and substitutes policies. Returns pytest's output."""

    def run(plugin: str, module: str) -> str:
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        paths = [str(Path(plugin).parent), str(Path(pm.__file__).parents[1])]
        search = os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")])
        options = ["-p", Path(plugin).stem, "-p", "no:cacheprovider", "-rfExX", "-W", "ignore"]
        options += ["-o", "faulthandler_timeout=300"]  # shows where a test hangs
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *options, "--tb=native", "--pyargs", module],
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
