# SPDX-License-Identifier: Apache-2.0
# Submits all jobs, at most a few at a time, and records when each ran where.
"""One pass of the demo's work through one policy."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pointsman import _demo
from pointsman.demo._filters import Pixels
from pointsman.demo._photographs import Photograph


@dataclass(frozen=True)
class Job:
    """A photograph to filter into ``out``."""

    photograph: Photograph
    out: Pixels


@dataclass(frozen=True)
class Bar:
    """A job on its resource, from ``start`` to ``end`` in seconds since the pass began."""

    pixels: int
    resource: int
    start: float
    end: float


@dataclass(frozen=True)
class Pass:
    """What happened in one pass: the jobs in order, and the seconds until the last was complete."""

    bars: list[Bar]
    wall: float

    def count(self, resource: int) -> int:
        """Return how many jobs ran on a resource."""
        return sum(bar.resource == resource for bar in self.bars)


def run(
    policy_for: Callable[[Photograph], Any],
    work: Callable[..., Any],
    jobs: Sequence[Job],
    resources: Sequence[Any],
    in_flight: int,
    on_finished: Callable[[], None],
) -> Pass:
    """Submit every job and wait for all, at most ``in_flight`` of them unfinished at a time.

    ``on_finished`` is called after each job, on any thread. Raises a job's exception.
    """
    places = threading.Semaphore(in_flight)

    def finished(_submission: Any) -> None:
        try:
            on_finished()
        finally:
            places.release()

    submissions = []
    times = []
    begin = time.monotonic()
    try:
        for job in jobs:
            places.acquire()
            policy = policy_for(job.photograph)
            times.append(time.monotonic() - begin)
            submissions.append(policy.submit(work, job.photograph.pixels, job.out))
            submissions[-1].add_done_callback(finished)
    finally:
        for submission in submissions:
            submission.wait()
    wall = time.monotonic() - begin
    for _ in range(in_flight):
        places.acquire()  # the last callbacks have ended, too
    return Pass(_bars(jobs, submissions, times, resources, begin), wall)


def _bars(
    jobs: Sequence[Job],
    submissions: Sequence[Any],
    times: Sequence[float],
    resources: Sequence[Any],
    begin: float,
) -> list[Bar]:
    bars: list[Bar] = []
    free_from = [0.0] * len(resources)
    for job, submission, submitted in zip(jobs, submissions, times, strict=True):
        submission.result()
        index = next(i for i, each in enumerate(resources) if each is submission.resource)
        task = submission.unwrap()
        if isinstance(task, _demo.FilterTask):
            start, end = task.start - begin, task.end - begin
        else:  # an in-order queue: a job begins when the one before it has finished
            start = max(submitted, free_from[index])
            end = max(start, submitted + submission.elapsed)
        free_from[index] = end
        bars.append(Bar(job.out.shape[0] * job.out.shape[1], index, start, end))
    return bars
