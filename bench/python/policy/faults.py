#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What survives when resources fail: many threads submit to an arena, an OpenCL queue, a process
pool and a fake resource, first without faults and then with them.

The faults: 5 % of the tasks throw at their first run, the fake resource dies at half time, a worker
of the process pool hangs once for 2 s, and the arena becomes 50 times slower after three quarters.
Counted are the tasks that were completed, lost, and run more often than the policy was allowed to.
"""

from __future__ import annotations

import argparse
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

import numpy as np

import pointsman as pm

LIMIT = 1.0  # seconds that a task may take
HANGS = 2.0
SLOWER = 50
BUSY = 2e-6  # seconds of the arena's task without faults
KERNEL = "kernel void count(global int* runs, int task) { runs[task] += 1; }"


class Lost(ConnectionError):
    """Raised by the fake resource once it is dead."""


class Flaw(Exception):
    """Raised by 5 % of the tasks at their first run."""


class Fake:
    """Completes work at once, until it dies."""

    def __init__(self) -> None:
        self.is_dead = False

    def __repr__(self) -> str:
        return "fake"

    def start(self, task: int) -> Future[int]:
        """Returns the future of a task."""
        if self.is_dead:
            raise Lost("dead")
        future: Future[int] = Future()
        future.set_result(task)
        return future


def spin(task: int, seconds: float) -> int:
    """Returns ``task`` after so long."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass
    return task


def hang(task: int, seconds: float) -> int:
    """Returns ``task``; runs in the process pool."""
    if seconds:
        time.sleep(seconds)
    return task


@dataclass
class Faults:
    """The tasks at which something goes wrong; none by default."""

    tasks: int
    is_on: bool
    hung: threading.Event = field(default_factory=threading.Event)

    def throws(self, task: int, runs: int) -> bool:
        return self.is_on and task % 20 == 7 and runs == 1

    def kills(self, task: int) -> bool:
        return self.is_on and task >= self.tasks // 2

    def hangs(self, task: int) -> float:
        if self.is_on and task >= self.tasks // 3 and not self.hung.is_set():
            self.hung.set()
            return HANGS
        return 0.0

    def busy(self, task: int) -> float:
        return BUSY * (SLOWER if self.is_on and task >= self.tasks * 3 // 4 else 1)


class Scene:
    """Resources and the work that runs on them."""

    def __init__(self, tasks: int, is_faulty: bool) -> None:
        self.faults = Faults(tasks, is_faulty)
        self.runs = [0] * tasks
        self.arena = pm.Arena(2)
        self.pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        self.pool.submit(hang, 0, 0.0).result()
        self.fake = Fake()
        self.resources: list[Any] = [self.arena, self.pool, self.fake]
        self.queue: Any = None
        try:
            self.queue = pm.opencl.Queue()
        except (ImportError, pm.Error):
            print("without OpenCL: 3 resources")
        else:
            self.resources.append(self.queue)
            self.counts = self.queue.buffer(np.zeros(tasks, np.int32))
            self.kernel = self.queue.build(KERNEL).kernel("count")

    def __call__(self, resource: Any, task: int) -> Any:
        """Starts a task on a resource."""
        self.runs[task] += 1
        if self.faults.throws(task, self.runs[task]):
            raise Flaw(task)
        if resource is self.arena:
            return resource.run(spin, task, self.faults.busy(task))
        if resource is self.pool:
            return resource.submit(hang, task, self.faults.hangs(task))
        if resource is self.queue:
            return resource.enqueue(self.kernel, 1, self.counts, np.int32(task))
        self.fake.is_dead = self.faults.kills(task)
        return resource.start(task)


@dataclass
class Outcome:
    """What became of the tasks."""

    seconds: float
    completed: int
    lost: int
    too_often: int
    loads: int
    again: int


def submit_all(scene: Scene, view: Any, threads: int) -> list[Any]:
    """Submits every task, from several threads; returns the submissions."""
    tasks = len(scene.runs)
    submissions: list[Any] = [None] * tasks

    def submit(first: int) -> None:
        for task in range(first, tasks, threads):
            submissions[task] = view.submit(scene, task)

    submitters = [threading.Thread(target=submit, args=(n,)) for n in range(threads)]
    for each in submitters:
        each.start()
    for each in submitters:
        each.join()
    return submissions


def outcome_of(make: Callable[..., Any], tasks: int, threads: int, is_faulty: bool) -> Outcome:
    scene = Scene(tasks, is_faulty)
    health = pm.HealthSettings(is_resource_failure=lambda error: isinstance(error, Lost))
    policy = make(scene.resources, health=health)
    view = policy.with_options(on_failure="fallback", time_limit=LIMIT, max_outstanding=256)
    begin = time.perf_counter()
    submissions = submit_all(scene, view, threads)
    policy.submission_group().wait()
    seconds = time.perf_counter() - begin
    completed = sum(each is not None and each._state() == "done" for each in submissions)
    too_often = sum(
        each is not None and runs > len(each.attempts)
        for each, runs in zip(submissions, scene.runs, strict=True)
    )
    scene.pool.shutdown()
    again = sum(each is not None and len(each.attempts) > 1 for each in submissions)
    return Outcome(seconds, completed, tasks - completed, too_often, sum(policy.loads()), again)


def main() -> None:
    """Prints a table of the outcomes with and without faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--policies", nargs="*", default=["RoundRobin", "DynamicLoad"])
    options = parser.parse_args()
    logging.getLogger("pointsman").setLevel(logging.ERROR)
    print("policy         faults      s  completed  lost  too often  loads left  run again")
    for name in options.policies:
        for is_faulty in (False, True):
            found = outcome_of(getattr(pm, name), options.tasks, options.threads, is_faulty)
            print(
                f"{name:15}{'with' if is_faulty else 'without':7}{found.seconds:6.1f}"
                f"{found.completed:11}{found.lost:6}{found.too_often:11}{found.loads:12}"
                f"{found.again:11}",
                flush=True,
            )


if __name__ == "__main__":
    main()
