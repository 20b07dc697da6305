# SPDX-License-Identifier: Apache-2.0
# OpenCL and the life of a process: without a loader, without a driver, ending with work queued.
"""Tests of ``fairlead.opencl`` that need a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

WITHOUT_LOADER = """
import sys
sys.modules["fairlead._opencl"] = None  # importing it fails as without libOpenCL.so.1
"""


def run(code: str, **environment: str) -> str:
    """What ``code`` prints in a fresh interpreter that must end well."""
    finished = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.strip()


def test_the_package_works_without_a_loader() -> None:
    out = run(
        WITHOUT_LOADER
        + """
import fairlead as fl
print(fl.opencl.devices(), fl.opencl.default_queues(), len(fl.discover()) > 0)
print(isinstance(1, fl.opencl.Event))
"""
    )
    assert out == "[] [] True\nFalse"


def test_a_queue_without_a_loader_says_what_to_install() -> None:
    out = run(
        WITHOUT_LOADER
        + """
import fairlead as fl
try:
    fl.opencl.Queue()
except fl.Error as error:
    print(type(error).__name__, isinstance(error.__cause__, ImportError), error)
"""
    )
    assert out.startswith("OpenCLError True OpenCL cannot be used here")
    assert "pocl-opencl-icd" in out


def test_a_queue_without_a_driver_says_what_to_install(tmp_path: Any) -> None:
    out = run(
        """
import fairlead as fl
print(fl.opencl.devices())
try:
    fl.opencl.Queue()
except fl.Error as error:
    print(error)
""",
        OCL_ICD_VENDORS=str(tmp_path),
        OPENCL_VENDOR_PATH=str(tmp_path),
    )
    assert out.startswith("[]\n")
    assert "no OpenCL device" in out or "OpenCL cannot be used here" in out


def test_the_process_ends_cleanly_with_work_and_transfers_queued(opencl_queue: Any) -> None:
    out = run(
        """
import fairlead as fl
import numpy as np
queue = fl.opencl.Queue()
scale = queue.build(
    "kernel void scale(global float* x, float f) { x[get_global_id(0)] *= f; }"
).scale
values = queue.buffer(np.ones(1 << 20, np.float32))
policy = fl.DynamicLoad([queue])
for i in range(50):
    policy.submit(lambda q: q.enqueue(scale, 1 << 20, values, 1.0))
    policy.submit(lambda q: q.enqueue_write(values, np.ones(1 << 20, np.float32)))
    policy.submit(lambda q: q.enqueue_read(values, np.empty(1 << 20, np.float32)))
print("end")
"""
    )
    assert out == "end"


def test_the_process_ends_cleanly_with_pinned_arrays_in_use(opencl_queue: Any) -> None:
    out = run(
        """
import fairlead as fl
import numpy as np
queue = fl.opencl.Queue()
kept = [queue.pinned(1 << 20, np.float32) for _ in range(4)]
buffer = queue.empty(1 << 20, np.float32)
for array in kept:
    queue.enqueue_write(buffer, array)
    queue.enqueue_read(buffer, queue.pinned(1 << 20, np.float32))
print("end")
"""
    )
    assert out == "end"
