# SPDX-License-Identifier: Apache-2.0
# A library that is preloaded stands in for a device that has run out of pinned memory.
"""Reads on a device that has no more pinned memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
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


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("cc") is None,
    reason="needs a C compiler and a loader that preloads libraries",
)
def test_a_read_returns_an_ordinary_array(opencl_queue: Any, tmp_path: Path) -> None:
    library = tmp_path / "no_pinned_memory.so"
    source = Path(__file__).with_name("no_pinned_memory.c")
    subprocess.run(
        ["cc", "-shared", "-fPIC", str(source), "-o", str(library), "-ldl"], check=True, timeout=60
    )
    # The loader too, whose functions the library calls.
    preloaded = [str(library), "libOpenCL.so.1", *os.environ.get("LD_PRELOAD", "").split()]
    finished = subprocess.run(
        [sys.executable, "-c", READ],
        env={**os.environ, "LD_PRELOAD": ":".join(preloaded)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.stdout.split("\n") == ["-5", "True", ""], finished.stderr
