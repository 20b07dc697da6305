#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `submit` costs when several threads use one policy, with and without the GIL."""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from typing import Any

import pointsman as pm

RESOURCES = ["a", "b", "c", "d"]
POLICIES: dict[str, Any] = {
    "FixedResource": pm.FixedResource,
    "RoundRobin": pm.RoundRobin,
    "DynamicLoad": pm.DynamicLoad,
    "Random": pm.Random,
    "AutoTune": pm.AutoTune,
    "EarliestFinish": pm.EarliestFinish,
    "Token": lambda resources: pm.Token(resources, 1000),
}


def work(resource: str) -> None:
    pass


def nanoseconds_each(policy: Any, threads: int, count: int) -> float:
    """Returns how long a submission of one of `threads` threads takes."""
    barrier = threading.Barrier(threads + 1)

    def submit_all() -> None:
        submit = policy.submit
        barrier.wait()
        for _ in range(count):
            submit(work)
        barrier.wait()

    started = [threading.Thread(target=submit_all) for _ in range(threads)]
    for thread in started:
        thread.start()
    barrier.wait()
    begin = time.perf_counter()
    barrier.wait()
    elapsed = time.perf_counter() - begin
    for thread in started:
        thread.join()
    return 1e9 * elapsed / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--count", type=int, default=200_000, help="submissions of each thread")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    has_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"Python {sys.version.split()[0]} {'with' if has_gil else 'without'} the GIL, ns each")
    print(f"| policy | 1 thread | {options.threads} threads | throughput |")
    print("| --- | ---: | ---: | ---: |")
    for name, make in POLICIES.items():
        alone, together = [], []
        for _ in range(options.rounds):
            alone.append(nanoseconds_each(make(RESOURCES), 1, options.count))
            together.append(nanoseconds_each(make(RESOURCES), options.threads, options.count))
        one, several = statistics.median(alone), statistics.median(together)
        print(f"| `{name}` | {one:.0f} | {several:.0f} | {options.threads * one / several:.2f} |")


if __name__ == "__main__":
    main()
