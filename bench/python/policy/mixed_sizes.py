#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How close policies come to always choosing right: tasks of mixed sizes, one at a time.

Each task computes a * x + y for 2^8 to 2^22 floats: NumPy on the arena, a kernel with transfers
on each OpenCL device. "always right" runs each size where it was fastest, by the median of runs
before. The next policy begins with the history of the one before.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pointsman as pm

Array = NDArray[np.float32]

SOURCE = """
kernel void saxpy(float a, global const float* x, global float* y) {
    y[get_global_id(0)] += a * x[get_global_id(0)];
}
"""


def on_host(x: Array, y: Array) -> Array:
    return np.float32(2) * x + y


def on_arena(arena: pm.Arena, x: Array, y: Array) -> Any:
    return arena.run(on_host, x, y)


def on_queue(queue: Any, x: Array, y: Array) -> Array:
    kernel = queue.build(SOURCE).kernel("saxpy")
    there = queue.buffer(y)
    queue.enqueue(kernel, x.shape, np.float32(2), queue.buffer(x), there)
    return np.asarray(queue.read(there))


saxpy = pm.variants({pm.Arena: on_arena, pm.opencl.Queue: on_queue})


def pair_of(exponent: int) -> tuple[Array, Array]:
    size = 1 << exponent
    return np.arange(size, dtype=np.float32), np.ones(size, dtype=np.float32)


class Mix:
    """The tasks, in random order, and where each size is fastest."""

    def __init__(self, tasks: int, exponents: range) -> None:
        self.resources = pm.discover()
        self.exponents = random.Random(1).choices(exponents, k=tasks)
        self.data = {exponent: pair_of(exponent) for exponent in exponents}
        fixed = [pm.FixedResource(self.resources, index) for index in range(len(self.resources))]
        self.fastest = {each: self.fastest_of(each, fixed) for each in exponents}

    def seconds(self, policy: Any, exponent: int) -> float:
        begin = time.perf_counter()
        policy.submit_and_wait(saxpy, *self.data[exponent])
        return time.perf_counter() - begin

    def fastest_of(self, exponent: int, fixed: Sequence[Any]) -> Any:
        medians = []
        for policy in fixed:
            runs = [self.seconds(policy, exponent) for _ in range(7)]
            medians.append(statistics.median(runs[2:]))
        return fixed[medians.index(min(medians))]

    def always_right(self) -> float:
        return sum(self.seconds(self.fastest[each], each) for each in self.exponents)

    def by(self, policy: Any) -> float:
        return sum(self.seconds(policy, each) for each in self.exponents)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--tasks", type=int, default=400, help="number of tasks (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="new policies (default: %(default)s)")
    parser.add_argument(
        "--largest", type=int, default=22, help="power of two (default: %(default)s)"
    )
    given = parser.parse_args(arguments)
    mix = Mix(given.tasks, range(8, given.largest + 1))
    print("resources:", ", ".join(map(str, mix.resources)))
    print(
        "| policy | always right ms | cold ms | / right | warm ms | / right | next ms | / right |"
    )
    print(
        "| ------ | --------------: | ------: | ------: | ------: | ------: | ------: | ------: |"
    )
    for kind in (pm.AutoTune, pm.EarliestFinish):
        rounds = []
        for _ in range(given.rounds):
            with tempfile.TemporaryDirectory() as folder:
                policy = kind(mix.resources, history=f"{folder}/history.db")
                cold, warm = mix.by(policy), mix.by(policy)
                policy.flush_history()
                following = kind(mix.resources, history=f"{folder}/history.db")
                rounds.append((mix.always_right(), cold, warm, mix.by(following)))
                del policy, following
        right, *others = (1e3 * statistics.median(column) for column in zip(*rounds, strict=True))
        cells = (f"{each:.1f} | {each / right:.2f}" for each in others)
        print(f"| {kind.__name__} | {right:.1f} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
