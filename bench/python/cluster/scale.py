#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What limits a policy over many workers: choices, statistics, and changes of the set.

The workers are stand-ins without a cluster. Tasks take an invented 20 ms, so each is timed. A
measuring policy first learns for at most ``--learn`` seconds; beyond that, not all workers are
known.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

from distributed.protocol import dumps

import pointsman as pm


class Worker:
    """A stand-in for a worker of a cluster."""

    def run(self, func: Callable[..., Any], /, *args: Any) -> Any:
        return func(*args)


def task() -> None:
    """The task that the policies place."""


def place(policy: Any) -> None:
    """Chooses a worker and reports that its task is complete."""
    selection = policy.select(task)
    selection.report("task_submission")
    if type(policy) in (pm.AutoTune, pm.EarliestFinish):
        selection.report("task_time", 0.02)
    selection.report("task_completion")


def microseconds_of(call: Callable[[], Any], most_seconds: float = 2, most: int = 2000) -> float:
    """The mean time of a call."""
    begin = time.perf_counter()
    count = 0
    while count < most and time.perf_counter() - begin < most_seconds:
        call()
        count += 1
    return (time.perf_counter() - begin) / count * 1e6


def measure(policy_class: type[Any], workers: list[Worker], learn: float) -> list[float]:
    """Microseconds of a choice, of the statistics, and of a worker that leaves."""
    policy = policy_class(workers)
    if policy_class in (pm.AutoTune, pm.EarliestFinish):
        microseconds_of(lambda: place(policy), learn, 4 * len(workers))
    choice = microseconds_of(lambda: place(policy))
    statistics = microseconds_of(policy.statistics, 1)
    return [choice, statistics, microseconds_of(lambda: policy.initialize(workers[1:]), most=1)]


def bytes_of_a_report() -> int:
    """The size of the scheduler's message to a client about one task."""
    topic = f"pointsman-{'0' * 32}-Client-{'0' * 36}"
    about = (f"task-{'0' * 32}-100000", 0.02, 0.0, 28, "tcp://10.0.0.7:40000", 100e6)
    message = {"op": "event", "topic": topic, "event": (time.time(), ("took", *about))}
    return sum(map(len, dumps(message)))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[10, 1_000, 100_000])
    parser.add_argument("--learn", type=float, default=20)
    given = parser.parse_args(arguments)
    print("| policy | workers | choice us | statistics us | a worker leaves us |")
    print("| ------ | ------: | --------: | ------------: | -----------------: |")
    for policy_class in (pm.RoundRobin, pm.DynamicLoad, pm.AutoTune, pm.EarliestFinish):
        for count in given.workers:
            workers = [Worker() for _ in range(count)]
            times = measure(policy_class, workers, given.learn)
            row = " | ".join(f"{each:,.1f}" for each in times)
            print(f"| {policy_class.__name__} | {count:,} | {row} |")
    print(f"A report of the scheduler on one task has {bytes_of_a_report()} bytes.")


if __name__ == "__main__":
    main()
