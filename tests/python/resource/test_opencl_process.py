# SPDX-License-Identifier: Apache-2.0
# OpenCL in the life of a process: without a loader, without a driver, exit with work queued.
"""Tests of ``pointsman.opencl`` that need their own process."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from sanitized import forks_with_threads

BUILT_WITHOUT = """
import sys
sys.modules["pointsman._opencl"] = None  # importing it fails as in a build without it
"""

WITHOUT_LOADER = """
import sys

class Finder:
    def find_spec(self, name, path, target=None):
        if name == "pointsman._opencl":
            raise ImportError("libOpenCL.so.1: cannot open shared object file")

sys.meta_path.insert(0, Finder())
"""


def run(code: str, **environment: str) -> str:
    """The output of ``code`` in a fresh interpreter that must exit successfully."""
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


@pytest.mark.parametrize("lack", [WITHOUT_LOADER, BUILT_WITHOUT])
def test_the_package_works_without_opencl(lack: str) -> None:
    out = run(
        lack
        + """
import pointsman as pm
print(pm.opencl.devices(), pm.opencl.default_queues(), len(pm.discover()) > 0)
print(isinstance(1, pm.opencl.Event))
"""
    )
    assert out == "[] [] True\nFalse"


@pytest.mark.parametrize(
    ("lack", "cause", "package"),
    [
        (WITHOUT_LOADER, "cannot be loaded (libOpenCL.so.1: cannot open", "pocl-opencl-icd"),
        (BUILT_WITHOUT, "built without OpenCL", "opencl-clhpp-headers"),
    ],
)
def test_a_queue_without_opencl_says_what_to_install(lack: str, cause: str, package: str) -> None:
    out = run(
        lack
        + """
import pointsman as pm
try:
    pm.opencl.Queue()
except pm.Error as error:
    print(type(error).__name__, isinstance(error.__cause__, ImportError), error)
"""
    )
    assert out.startswith("OpenCLError True OpenCL cannot be used here")
    assert cause in out
    assert package in out


TABLE_OF_DEVICES = """
import sys
sys.stderr = sys.stdout
from pointsman.__main__ import main
main(["devices"])
"""


def test_the_table_of_devices_says_why_opencl_is_unavailable() -> None:
    assert "cannot be loaded" in run(WITHOUT_LOADER + TABLE_OF_DEVICES)
    assert "built without OpenCL" in run(BUILT_WITHOUT + TABLE_OF_DEVICES)


@pytest.mark.usefixtures("opencl_queue")
def test_the_table_of_devices_says_which_driver_to_install(no_driver: dict[str, str]) -> None:
    text = run(TABLE_OF_DEVICES, **no_driver)
    assert "install a driver, on Debian pocl-opencl-icd" in text


def test_a_queue_without_a_driver_says_what_to_install(no_driver: dict[str, str]) -> None:
    out = run(
        """
import pointsman as pm
print(pm.opencl.devices())
try:
    pm.opencl.Queue()
except pm.Error as error:
    print(error)
""",
        **no_driver,
    )
    assert out.startswith("[]\n")
    assert "no OpenCL device" in out or "OpenCL cannot be used here" in out


def test_the_process_exits_cleanly_with_work_and_transfers_queued(opencl_queue: Any) -> None:
    out = run(
        """
import pointsman as pm
import numpy as np
queue = pm.opencl.Queue()
scale = queue.build(
    "kernel void scale(global float* x, float f) { x[get_global_id(0)] *= f; }"
).scale
values = queue.buffer(np.ones(1 << 20, np.float32))
policy = pm.DynamicLoad([queue])
for i in range(50):
    policy.submit(lambda q: q.enqueue(scale, 1 << 20, values, 1.0))
    policy.submit(lambda q: q.enqueue_write(values, np.ones(1 << 20, np.float32)))
    policy.submit(lambda q: q.enqueue_read(values, np.empty(1 << 20, np.float32)))
print("end")
"""
    )
    assert out == "end"


def test_the_process_exits_cleanly_with_pinned_arrays_in_use(opencl_queue: Any) -> None:
    out = run(
        """
import pointsman as pm
import numpy as np
queue = pm.opencl.Queue()
kept = [queue.pinned(1 << 20, np.float32) for _ in range(4)]
buffer = queue.empty(1 << 20, np.float32)
for array in kept:
    queue.enqueue_write(buffer, array)
    queue.enqueue_read(buffer, queue.pinned(1 << 20, np.float32))
print("end")
"""
    )
    assert out == "end"


PARENT = """
import os, signal, sys
import pointsman as pm
import numpy as np

def in_a_child(action):
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # ends a child that hangs
        try:
            print(action())
        except Exception as error:
            print(type(error).__name__, "spawn" in str(error))
        sys.stdout.flush()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, "the child hung or crashed"

queue = pm.opencl.Queue()
program = queue.build(
    "kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }"
    "kernel void spin(global float* x) { for (int i = 0; i < 100000; ++i) x[0] = sin(x[0]); }"
)
values = queue.buffer(np.ones(1 << 22, np.float32))
policy = pm.DynamicLoad([queue])
for i in range(100):  # long enough to be still running at a fork
    submission = policy.submit(lambda q: q.enqueue(program.spin, 1, values))
event = submission.unwrap()
"""


@forks_with_threads
@pytest.mark.parametrize(
    "action",
    [
        "pm.opencl.Queue()",
        "pm.opencl.devices()",
        "pm.discover()",
        "pm.DynamicLoad()",
        "queue.enqueue(program.twice, 16, values)",
        "queue.build('kernel void other() {}')",
        "queue.pinned(3, np.float32)",
        "queue.write(values, np.ones(1 << 22, np.float32))",
        "queue.buffer(np.ones(3))",
        "queue.read(values)",
        "queue.finish()",
        "queue.device.split([1])",
        "event.wait()",
        "submission.wait()",
        "submission.result()",
        "policy.submit(lambda q: q.enqueue(program.twice, 16, values))",
        "policy.submission_group().wait()",
    ],
)
def test_a_forked_child_is_refused_and_told_to_spawn(opencl_queue: Any, action: str) -> None:
    assert run(PARENT + f"in_a_child(lambda: {action})") == "ForkedProcessError True"


@forks_with_threads
def test_a_forked_child_may_use_resources_without_threads(opencl_queue: Any) -> None:
    work = "pm.RoundRobin([1, 2]).submit(lambda resource: resource * 3).result()"
    assert run(PARENT + f"in_a_child(lambda: {work})") == "3"


@forks_with_threads
def test_children_forked_while_a_driver_drops_references_exit_normally(opencl_queue: Any) -> None:
    out = run(
        PARENT
        + """
ended = set()
for _ in range(40):
    for _ in range(20):
        policy.submit(lambda q: q.enqueue(program.twice, 1, values))  # dropped
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        sys.exit(7)
    ended.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(ended)
"""
    )
    assert out == "{7}"


@forks_with_threads
def test_a_forked_child_exits_normally(opencl_queue: Any) -> None:
    out = run(
        PARENT
        + """
child = os.fork()
if child == 0:
    signal.alarm(30)
    del queue, policy, submission, event, values, program
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    )
    assert out == "7"


@forks_with_threads
def test_a_forked_child_drops_a_pinned_array_of_its_parent(opencl_queue: Any) -> None:
    out = run(
        PARENT
        + """
array = queue.pinned(1 << 20, np.float32)
def drop():
    global array
    del array
    return "dropped"
in_a_child(drop)
array[:] = 3
"""
    )
    assert out == "dropped"


def test_a_child_forked_before_the_first_use_may_use_opencl(opencl_queue: Any) -> None:
    out = run(
        """
import os, signal
import pointsman as pm
import numpy as np
child = os.fork()
signal.alarm(60)
queue = pm.opencl.Queue()
assert queue.read(queue.buffer(np.arange(3))).tolist() == [0, 1, 2]
if child == 0:
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
    )
    assert out == "0"


def test_a_spawned_process_opens_the_devices_itself(opencl_queue: Any, tmp_path: Any) -> None:
    script = tmp_path / "spawn.py"
    script.write_text(
        """
import multiprocessing
import pointsman as pm

def name(_):
    return pm.opencl.Queue().device.name

if __name__ == "__main__":
    own = name(0)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(name, [0]) == [own])
"""
    )
    finished = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False
    )
    assert finished.stdout == "True\n", finished.stderr


@pytest.mark.parametrize("daemon", [True, False], ids=["daemon", "joined"])
def test_the_process_exits_cleanly_while_a_thread_submits(opencl_queue: Any, daemon: bool) -> None:
    out = run(
        PARENT
        + f"""
import threading
began = threading.Event()

def work():
    while daemon or not began.is_set():
        policy.submit(lambda q: q.enqueue(program.twice, 1 << 10, values))
        policy.submit(lambda q: q.enqueue_read(values, np.empty(1 << 22, np.float32)))
        began.set()

daemon = {daemon}
threading.Thread(target=work, daemon=daemon).start()
began.wait()
print("end")
"""
    )
    assert out == "end"


def test_queues_and_events_outlive_their_policy_in_any_order(opencl_queue: Any) -> None:
    out = run(
        PARENT
        + """
import gc, itertools
for order in itertools.permutations(["queue", "policy", "submission", "event", "program"]):
    queue = pm.opencl.Queue()
    program = queue.build("kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }")
    values = queue.buffer(np.ones(1 << 16, np.float32))
    policy = pm.DynamicLoad([queue])
    submission = policy.submit(lambda q: q.enqueue(program.twice, 1 << 16, values))
    event = submission.unwrap()
    for name in order:
        del globals()[name]
        gc.collect(0)
print("end")
"""
    )
    assert out == "end"
