# SPDX-License-Identifier: Apache-2.0
"""Threads of a driver hand memory back while other threads enter and leave the interpreter."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

# Filters small pictures on an arena and a queue, whose threads call back. Runs in a process of its
# own, which a crash ends: the fault that this found ended about every third run.
PICTURES = """
import threading
import numpy as np
import pointsman as pm
from pointsman.demo._filters import Workshop

resources = [pm.Arena(2), pm.opencl.Queue()]
workshop = Workshop(resources)
image = np.zeros((40, 60, 3), np.uint8)
outs = [np.empty_like(image) for _ in range(72)]
places = threading.Semaphore(8)
for _ in range(300):
    policy = pm.RoundRobin(resources)
    submissions = []
    for out in outs:
        places.acquire()
        submissions.append(policy.submit(workshop.work, image, out))
        submissions[-1].add_done_callback(lambda _: places.release())
    for submission in submissions:
        submission.wait()
print("done")
"""


def test_memory_is_handed_back_while_threads_leave_the_interpreter(opencl_queue: Any) -> None:
    finished = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", PICTURES],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert finished.stdout == "done\n", finished.stderr
