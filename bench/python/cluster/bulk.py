#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What 10,000 short tasks on four workers cost by ``policy.map`` and by ``client.map``.

Both return all results. Their rounds take turns. A task of 0 ms returns its argument; a longer one
occupies its worker without computing.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from distributed import Client, LocalCluster

import pointsman as pm


def task_of(milliseconds: float) -> Callable[[int], int]:
    def occupy(item: int) -> int:
        if milliseconds:
            time.sleep(milliseconds * 1e-3)
        return item

    return occupy


def seconds_of(run: Callable[[], Any], items: range) -> float:
    begin = time.perf_counter()
    assert list(run()) == list(items)
    return time.perf_counter() - begin


def compare(client: Any, milliseconds: float, items: range, rounds: int) -> tuple[float, float]:
    """The median seconds of ``client.map`` and of ``policy.map``."""
    task = task_of(milliseconds)
    policy = pm.DynamicLoad(pm.dask.workers(client))
    runs = (
        lambda: client.gather(client.map(task, items, pure=False)),
        lambda: policy.map(task, items),
    )
    seconds = [[seconds_of(run, items) for run in runs] for _ in range(rounds)]
    theirs, ours = map(statistics.median, zip(*seconds, strict=True))
    return theirs, ours


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(arguments)
    print("| task ms | client.map s | policy.map s | ratio |")
    print("| ------: | -----------: | -----------: | ----: |")
    with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=":0") as cluster:
        with Client(cluster) as client:
            client.wait_for_workers(4)
            for milliseconds in (0, 1, 5):
                theirs, ours = compare(client, milliseconds, range(given.tasks), given.rounds)
                print(f"| {milliseconds} | {theirs:.2f} | {ours:.2f} | {ours / theirs:.2f} |")


if __name__ == "__main__":
    main()
