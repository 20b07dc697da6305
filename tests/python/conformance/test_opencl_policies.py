# SPDX-License-Identifier: Apache-2.0
"""Every policy over OpenCL queues: leaves no objects behind, and lets the process exit."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from typing import Any

import numpy as np

import pointsman as pm

SOURCE = "kernel void add(global int* x) { x[get_global_id(0)] += 1; }"


def test_10000_submissions_all_run_and_leave_no_event_behind(
    policy_class: Any, opencl_queue: pm.opencl.Queue
):
    queues = [opencl_queue, pm.opencl.Queue(opencl_queue.device)]
    kernels = {queue: queue.build(SOURCE).kernel("add") for queue in queues}
    buffers = {queue: queue.buffer(np.zeros(4, np.int32)) for queue in queues}
    events: list[weakref.ref[Any]] = []

    def work(queue: pm.opencl.Queue) -> pm.opencl.Event:
        event = queue.enqueue(kernels[queue], 4, buffers[queue])
        events.append(weakref.ref(event))
        return event

    policy = policy_class(queues)
    for _ in range(10_000):
        policy.submit(work)
    policy.submission_group().wait()
    total = sum(int(queue.read(buffers[queue])[0]) for queue in queues)
    assert total == 10_000
    gc.collect()
    assert sum(event() is not None for event in events) == 0
    assert policy.loads() == [0, 0]


EXIT_WITH_WORK_QUEUED = f"""
import numpy as np
import pointsman as pm

queues = [pm.opencl.Queue(), pm.opencl.Queue()]
kernels = {{queue: queue.build({SOURCE!r}).kernel("add") for queue in queues}}
buffers = {{queue: queue.buffer(np.zeros(100_000, np.int32)) for queue in queues}}
for make in (pm.FixedResource, pm.RoundRobin, pm.DynamicLoad, pm.AutoTune):
    policy = make(queues)
    for _ in range(300):
        policy.submit(lambda queue: queue.enqueue(kernels[queue], 100_000, buffers[queue]))
print("leaving")
"""


def test_the_process_exits_cleanly_with_work_still_queued(opencl_queue: pm.opencl.Queue):
    for _ in range(5):
        run = subprocess.run(
            [sys.executable, "-c", EXIT_WITH_WORK_QUEUED],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (run.returncode, run.stdout, run.stderr) == (0, "leaving\n", "")
