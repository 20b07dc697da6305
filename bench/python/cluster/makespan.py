#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makespan of 2,000 tasks on four unequal workers: policies against Dask's own scheduler.

A task occupies its worker for 5 to 50 ms, times the slowness of the worker: 1, 1.5, 2 and 4. It
does not compute meanwhile, so that the figures do not depend on the number of cores. "ideal" is
the time in which the workers together can do the work. All tasks are submitted at once, except to
DynamicLoad, which goes by the number of tasks outstanding: ``map`` keeps 16 in flight for it.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from distributed import Client, LocalCluster, get_worker, wait

import pointsman as pm

SLOWNESS = (1.0, 1.5, 2.0, 4.0)


def occupy(microseconds: int) -> int:
    time.sleep(microseconds * 1e-6 * SLOWNESS[int(get_worker().name)])
    return microseconds


def by_dask(client: Client, tasks: Sequence[int]) -> None:
    wait(client.map(occupy, tasks, pure=False))


def at_once(kind: Callable[..., Any]) -> Callable[[Client, Sequence[int]], None]:
    """Returns a function that submits the tasks to a new policy and waits for all."""

    def run(client: Client, tasks: Sequence[int]) -> None:
        policy = kind(pm.dask.workers(client))
        submissions = [policy.run(occupy, task) for task in tasks]
        policy.submission_group().wait()
        assert all(submission.done() for submission in submissions)

    return run


def by_map(kind: Callable[..., Any]) -> Callable[[Client, Sequence[int]], None]:
    """Returns a function that maps over the tasks under a new policy."""

    def run(client: Client, tasks: Sequence[int]) -> None:
        results = kind(pm.dask.workers(client)).map(occupy, tasks, chunksize=1, ordered=False)
        assert sum(results) == sum(tasks)

    return run


def seconds_of(run: Callable[[Client, Sequence[int]], None], *given: Any) -> float:
    begin = time.perf_counter()
    run(*given)
    return time.perf_counter() - begin


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(arguments)
    draw = random.Random(1)
    tasks = [draw.randint(5_000, 50_000) for _ in range(given.tasks)]
    ideal = sum(tasks) * 1e-6 / sum(1 / slowness for slowness in SLOWNESS)
    rivals = {
        "Dask's scheduler": by_dask,
        "RoundRobin": at_once(pm.RoundRobin),
        "DynamicLoad": by_map(pm.DynamicLoad),
        "EarliestFinish": at_once(pm.EarliestFinish),
    }
    with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=":0") as cluster:
        with Client(cluster) as client:
            client.wait_for_workers(4)
            rounds = [
                {name: seconds_of(run, client, tasks) for name, run in rivals.items()}
                for _ in range(given.rounds)
            ]
    print(f"{given.tasks} tasks, ideal {ideal:.2f} s, median (worst) of {given.rounds} rounds")
    print("| placed by | makespan s | / ideal | / Dask |")
    print("| --------- | ---------: | ------: | -----: |")
    dask = "Dask's scheduler"
    medians = {name: statistics.median(each[name] for each in rounds) for name in rivals}
    for name, median in medians.items():
        worst = max(each[name] for each in rounds)
        print(
            f"| {name} | {median:.2f} ({worst:.2f}) | {median / ideal:.3f} "
            f"| {median / medians[dask]:.3f} |"
        )


if __name__ == "__main__":
    main()
