#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How close replays come to real runs.

Records a program under one policy, replays the recording under several, and really runs the program
under those. The tasks sleep, so that the resources, threads of unlike speed, do not disturb each
other whatever else the machine does.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pointsman as pm

RECORDED = "RoundRobin"
REPLAYED = ("RoundRobin", "DynamicLoad", "EarliestFinish", "AutoTune", "Token")


class Device:
    """A thread that takes ``factor`` times as long as the task says."""

    def __init__(self, factor: float) -> None:
        self.factor = factor
        self.thread = ThreadPoolExecutor(1)

    def __repr__(self) -> str:
        return f"Device({self.factor:g})"


def wait_on(device: Device, seconds: float) -> Future[None]:
    return device.thread.submit(time.sleep, seconds * device.factor)


def run_phases(policy: Any, lengths: Sequence[float]) -> None:
    """Three times a part of the tasks at once, each followed by a wait for all of it."""
    third = len(lengths) // 3
    for phase in range(3):
        submissions = [
            policy.submit(wait_on, length) for length in lengths[phase * third :][:third]
        ]
        for each in submissions:
            each.result()


def run_window(policy: Any, lengths: Sequence[float]) -> None:
    """Keeps six tasks outstanding, and waits for the oldest one."""
    outstanding: list[Any] = []
    for length in lengths:
        if len(outstanding) == 6:
            outstanding.pop(0).result()
        outstanding.append(policy.submit(wait_on, length))
    for each in outstanding:
        each.result()


PROGRAMS = {"phases": run_phases, "window": run_window}


def errors_of(program: str, tasks: int, seconds: float) -> list[tuple[str, float, float]]:
    """Returns for each policy its name and the makespans of the replay and of the real run."""
    devices = [Device(factor) for factor in (1, 2, 4)]
    drawn = random.Random(1)
    lengths = [seconds * drawn.uniform(0.5, 1.5) for _ in range(tasks)]
    run = PROGRAMS[program]
    with pm.trace() as recorded:
        run(getattr(pm, RECORDED)(devices), lengths)
    found = []
    for name in REPLAYED:
        replayed = pm.replay(recorded, name).makespan
        begin = time.perf_counter()
        run(getattr(pm, name)(devices), lengths)
        found.append((name, replayed, time.perf_counter() - begin))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=0.005, help="of a task, on average")
    options = parser.parse_args(arguments)
    print("| program | policy | replay, s | real run, s | ratio |")
    print("| ------- | ------ | --------: | ----------: | ----: |")
    for program in PROGRAMS:
        for name, replayed, real in errors_of(program, options.tasks, options.seconds):
            print(f"| {program} | {name} | {replayed:.3f} | {real:.3f} | {replayed / real:.2f} |")


if __name__ == "__main__":
    main()
