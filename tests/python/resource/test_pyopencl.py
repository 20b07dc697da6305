# SPDX-License-Identifier: Apache-2.0
# Unmodified queues and events of pyopencl, under every policy.
"""pyopencl's queues as resources."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pointsman as pm

cl = pytest.importorskip("pyopencl")

SOURCE = """
kernel void add(global int* x) { x[get_global_id(0)] += 1; }
kernel void spin(global float* x, int rounds) {
    float value = x[0];
    for (int i = 0; i < rounds; ++i) value = sin(value);
    x[0] = value;
}
"""


@pytest.fixture
def context(pyopencl_context: Any) -> Any:
    return pyopencl_context


def kernel(context: Any, name: str) -> Any:
    return cl.Kernel(cl.Program(context, SOURCE).build(), name)


@pytest.fixture
def add(context: Any) -> Any:
    return kernel(context, "add")


@pytest.fixture
def queues(context: Any) -> list[Any]:
    profiling = cl.command_queue_properties.PROFILING_ENABLE
    return [cl.CommandQueue(context), cl.CommandQueue(context, properties=profiling)]


def zeros(context: Any, count: int = 4) -> Any:
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    return cl.Buffer(context, flags, hostbuf=np.zeros(count, np.int32))


def loads(policy: Any) -> int:
    return sum(policy.loads())


def test_the_function_gets_the_queue_and_the_submission_returns_the_event(
    policy_class: Any, context: Any, add: Any, queues: list[Any]
) -> None:
    policy = policy_class(queues, **({"tokens": 100} if policy_class is pm.Token else {}))
    buffers = {queue: zeros(context) for queue in queues}
    used = []

    def work(queue: Any) -> Any:
        event = add(queue, (4,), None, buffers[queue])
        used.append((queue, event))
        return event

    for _ in range(40):
        submission = policy.submit(work)
        queue, event = used[-1]
        assert submission.resource is queue
        assert submission.unwrap() is event
        assert submission.result() is event
        assert submission.done()
    policy.submission_group().wait()
    assert loads(policy) == 0
    total = 0
    for queue in queues:
        values = np.empty(4, np.int32)
        cl.enqueue_copy(queue, values, buffers[queue])
        total += int(values[0])
    assert total == 40


def test_an_event_is_watched_even_if_nobody_waits_for_it(
    policy_class: Any, context: Any, queues: list[Any]
) -> None:
    policy = policy_class(queues)
    event = cl.UserEvent(context)
    done = policy.submit(lambda queue: event).done
    assert not done()
    assert loads(policy) == 1
    event.set_status(cl.command_execution_status.COMPLETE)
    policy.submission_group().wait()
    assert done()
    assert loads(policy) == 0


def test_a_failed_event_names_the_error_each_time(
    policy_class: Any, context: Any, queues: list[Any]
) -> None:
    policy = policy_class(queues)
    event = cl.UserEvent(context)
    submission = policy.submit(lambda queue: event)
    event.set_status(cl.status_code.OUT_OF_RESOURCES)
    submission.wait()
    for _ in range(2):
        with pytest.raises(pm.OpenCLError, match="CL_OUT_OF_RESOURCES") as caught:
            submission.result()
        assert caught.value.code == cl.status_code.OUT_OF_RESOURCES
    policy.submission_group().wait()
    assert loads(policy) == 0
    assert submission.unwrap() is event


def test_result_raises_the_error_of_a_failed_command(
    context: Any, add: Any, queues: list[Any]
) -> None:
    gate = cl.UserEvent(context)
    policy = pm.DynamicLoad(queues)
    buffer = zeros(context)
    submission = policy.submit(lambda q: add(q, (4,), None, buffer, wait_for=[gate]))
    gate.set_status(cl.status_code.OUT_OF_RESOURCES)
    with pytest.raises(pm.OpenCLError, match="CL_"):
        submission.result()
    assert loads(policy) == 0


def test_a_queue_whose_commands_fail_does_not_look_fast(context: Any, queues: list[Any]) -> None:
    policy = pm.AutoTune(queues)
    broken = queues[0]
    chosen = []

    def work(queue: Any) -> Any:
        event = cl.UserEvent(context)
        failed = cl.status_code.OUT_OF_RESOURCES
        event.set_status(failed if queue is broken else cl.command_execution_status.COMPLETE)
        return event

    for _ in range(60):
        submission = policy.submit(work)
        submission.wait()
        chosen.append(submission.resource)
    assert chosen.count(broken) < 15


def test_auto_tune_finds_the_queue_on_which_work_is_faster(context: Any, queues: list[Any]) -> None:
    policy = pm.AutoTune(queues)
    spin = kernel(context, "spin")
    slow = queues[0]
    buffers = {queue: zeros(context) for queue in queues}

    def work(queue: Any) -> Any:
        rounds = np.int32(400_000 if queue is slow else 1)
        return spin(queue, (1,), None, buffers[queue], rounds)

    chosen = []
    for _ in range(30):
        submission = policy.submit(work)
        submission.wait()
        chosen.append(submission.resource)
    assert slow not in chosen[-10:]


def test_queues_of_both_kinds_and_arenas_work_in_one_policy(
    policy_class: Any, opencl_queue: pm.opencl.Queue, context: Any, add: Any, queues: list[Any]
) -> None:
    resources = [queues[0], opencl_queue, pm.Arena(1)]
    ours = opencl_queue.build(SOURCE).kernel("add")
    buffer = zeros(context)
    own_buffer = opencl_queue.buffer(np.zeros(4, np.int32))
    array = np.zeros(4, np.int32)

    def work(resource: Any) -> Any:
        if isinstance(resource, pm.Arena):
            return resource.run(np.add, array, 1, array)
        if isinstance(resource, pm.opencl.Queue):
            return resource.enqueue(ours, 4, own_buffer)
        return add(resource, (4,), None, buffer)

    policy = policy_class(resources)
    for _ in range(60):
        policy.submit(work)
    policy.submission_group().wait()
    values = np.empty(4, np.int32)
    cl.enqueue_copy(queues[0], values, buffer)
    assert int(values[0] + opencl_queue.read(own_buffer)[0] + array[0]) == 60
    assert loads(policy) == 0


def test_an_event_of_a_transfer_keeps_its_array_and_releases_it(
    context: Any, queues: list[Any]
) -> None:
    policy = pm.DynamicLoad(queues)
    buffer = zeros(context, 1 << 16)
    watched = []

    def work(queue: Any) -> Any:
        array = np.ones(1 << 16, np.int32)
        watched.append(weakref.ref(array))
        return cl.enqueue_copy(queue, buffer, array, is_blocking=False)

    for _ in range(20):
        policy.submit(work)
    policy.submission_group().wait()
    out = np.empty(1 << 16, np.int32)
    cl.enqueue_copy(queues[0], out, buffer)
    assert (out == 1).all()
    for _ in range(1000):  # a driver thread may be about to release it
        gc.collect()
        if not any(array() for array in watched):
            break
    assert [array for array in watched if array() is not None] == []


@pytest.mark.parametrize("threads", [1, 2, 7, 16], ids=lambda n: f"{n}_threads")
def test_threads_may_submit_while_events_complete(
    context: Any, queues: list[Any], threads: int
) -> None:
    policy = pm.DynamicLoad(queues)
    failures = []

    def submitter() -> None:
        try:
            add = kernel(context, "add")
            buffer = zeros(context)
            for _ in range(200):
                policy.submit(lambda queue: add(queue, (4,), None, buffer))
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=submitter) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    policy.submission_group().wait()
    assert failures == []
    assert policy.loads() == [0, 0]


IMPORT_PYOPENCL = """
import warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its own imports warn
    import pyopencl as cl
"""


def run(code: str, **environment: str) -> str:
    """The output of ``code`` in a fresh interpreter that prints nothing else."""
    finished = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    return finished.stdout.strip()


def test_pointsman_does_not_import_pyopencl() -> None:
    assert (
        run(
            "import sys\n"
            "import pointsman as pm\n"
            "pm.RoundRobin([1]).submit(lambda resource: object())\n"
            "print('pyopencl' in sys.modules)"
        )
        == "False"
    )


EXIT_WITH_WORK_QUEUED = f"""
import numpy as np
{IMPORT_PYOPENCL}
import pointsman as pm

context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
queues = [cl.CommandQueue(context), cl.CommandQueue(context)]
add = cl.Program(context, {SOURCE!r}).build().add
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 400_000)
for make in (pm.FixedResource, pm.RoundRobin, pm.DynamicLoad, pm.AutoTune):
    policy = make(queues)
    for _ in range(100):
        policy.submit(lambda queue: add(queue, (100_000,), None, buffer))
print("leaving")
"""


@pytest.mark.usefixtures("context")
def test_the_process_exits_cleanly_with_work_still_queued() -> None:
    for _ in range(5):
        assert run(EXIT_WITH_WORK_QUEUED) == "leaving"


EXIT_WHILE_COMPILING = f"""
{IMPORT_PYOPENCL}
import pointsman as pm

context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
queue = cl.CommandQueue(context)
add = cl.Program(context, {SOURCE!r}).build().add
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 400_000)
pm.DynamicLoad([queue]).submit(lambda queue: add(queue, (100_000,), None, buffer))
print("leaving")
"""


@pytest.mark.usefixtures("context")
def test_the_process_exits_cleanly_while_a_kernel_is_compiled(tmp_path: Path) -> None:
    for i in range(5):
        caches = {"POCL_CACHE_DIR": str(tmp_path / str(i)), "PYOPENCL_NO_CACHE": "1"}
        (tmp_path / str(i)).mkdir()
        assert run(EXIT_WHILE_COMPILING, **caches) == "leaving"
