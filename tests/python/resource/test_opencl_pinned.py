# SPDX-License-Identifier: Apache-2.0
# A library that is preloaded stands in for a device that has memory of its own, such as a GPU.
"""Copies to and from a device that cannot work on host memory in place."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

READ = """
import numpy as np
import pointsman as pm
queue = pm.opencl.Queue()
try:
    queue.pinned(1, "u1")
except pm.OpenCLError as error:
    print(error.code)
array = np.arange(1 << 20, dtype=np.uint32)
buffer = queue.buffer(array, blocking=False)
print((queue.enqueue_read(buffer).result() == array).all())
"""
UPLOAD = """
import numpy as np
import pointsman as pm
queue = pm.opencl.Queue()
pinned = queue.pinned(1 << 22, "u4")
pinned[:] = np.arange(pinned.size)
for array in (np.array(pinned), pinned):
    for blocking in (True, False):
        buffer = queue.buffer(array, blocking=blocking)
        print(buffer.uploaded is None, (queue.read(buffer) == array).all())
"""


@pytest.fixture
def run_with_own_memory(opencl_queue: Any, tmp_path: Path) -> Callable[..., list[str]]:
    """Runs a program on such a device; returns the lines that it printed."""
    if not sys.platform.startswith("linux") or shutil.which("cc") is None:
        pytest.skip("needs a C compiler and a loader that preloads libraries")

    def run(program: str, *options: str) -> list[str]:
        library = tmp_path / "device_with_own_memory.so"
        source = Path(__file__).with_name("device_with_own_memory.c")
        command = ["cc", "-shared", "-fPIC", *options, str(source), "-o", str(library), "-ldl"]
        subprocess.run(command, check=True, timeout=60)
        # The loader too, whose functions the library calls.
        preloaded = [str(library), "libOpenCL.so.1", *os.environ.get("LD_PRELOAD", "").split()]
        finished = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "LD_PRELOAD": ":".join(preloaded)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert finished.returncode == 0, finished.stderr
        return finished.stdout.splitlines()

    return run


def test_a_read_without_pinned_memory_returns_an_ordinary_array(
    run_with_own_memory: Callable[..., list[str]],
) -> None:
    assert run_with_own_memory(READ, "-DNO_PINNED_MEMORY") == ["-5", "True"]


def test_a_large_array_in_ordinary_memory_is_copied_before_the_call_returns(
    run_with_own_memory: Callable[..., list[str]],
) -> None:
    ordinary, pinned = ["True True", "True True"], ["True True", "False True"]
    assert run_with_own_memory(UPLOAD) == ordinary + pinned
