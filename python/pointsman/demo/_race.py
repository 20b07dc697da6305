# SPDX-License-Identifier: Apache-2.0
# Sends all jobs through one policy and records when each ran where.
"""One pass of the demo's work through one policy."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

from pointsman import _demo
from pointsman.demo._filters import Job, Workshop
from pointsman.demo._photographs import Photograph


@dataclass(frozen=True)
class Bar:
    """A job on its resource, from ``start`` to ``end`` in seconds since the first submission."""

    name: str
    resource: int
    start: float
    end: float


@dataclass
class Pass:
    """What happened under one policy."""

    label: str
    bars: list[Bar] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)

    @property
    def wall(self) -> float:
        """Seconds from the first submission to the end of the last job."""
        return max(bar.end for bar in self.bars)

    def count(self, resource: int) -> int:
        """Return how many jobs ran on a resource."""
        return sum(bar.resource == resource for bar in self.bars)


class _Collector(threading.Thread):
    """Waits for the jobs of one resource, in their order, and records their times."""

    def __init__(self, resource: int, begin: float, finished: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.inbox: SimpleQueue[tuple[Any, Job] | None] = SimpleQueue()
        self.bars: list[Bar] = []
        self.error: BaseException | None = None
        self._resource = resource
        self._begin = begin
        self._finished = finished
        self.start()

    def run(self) -> None:
        while (item := self.inbox.get()) is not None:
            try:
                self._collect(*item)
            except BaseException as error:
                self.error = self.error or error
            finally:
                self._finished()

    def _collect(self, submission: Any, job: Job) -> None:
        submission.wait()
        now = time.monotonic()
        task = submission.unwrap()
        if isinstance(task, _demo.FilterTask):
            job.picture = submission.result()
            start, end = task.start, task.end
        else:  # an in-order queue: a job begins when the one before it has finished
            submission.result()
            previous = self.bars[-1].end + self._begin if self.bars else self._begin
            start, end = max(job.submitted, previous), now
        self.bars.append(Bar(job.name, self._resource, start - self._begin, end - self._begin))


def run(
    label: str,
    policy: Any,
    workshop: Workshop,
    photographs: Sequence[Photograph],
    in_flight: int,
    on_finished: Callable[[], None],
) -> Pass:
    """Submit every photograph and wait for all, at most ``in_flight`` of them unfinished at a time.

    ``on_finished`` is called after each job, on any thread. Raises a job's exception.
    """
    places = threading.Semaphore(in_flight)

    def finished() -> None:
        places.release()
        on_finished()

    begin = time.monotonic()
    resources = policy.get_resources()
    collectors = [_Collector(i, begin, finished) for i in range(len(resources))]
    done = Pass(label)
    try:
        for photograph in photographs:
            places.acquire()
            job = Job(photograph.name)
            submission = policy.submit(workshop.work, photograph.pixels, job)
            index = next(i for i, r in enumerate(resources) if r is job.resource)
            collectors[index].inbox.put((submission, job))
            done.jobs.append(job)
    finally:
        for collector in collectors:
            collector.inbox.put(None)
        for collector in collectors:
            collector.join()
    for collector in collectors:
        if collector.error is not None:
            raise collector.error
        done.bars += collector.bars
    return done
