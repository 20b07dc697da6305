#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how much of a device's memory bandwidth algorithms reach, beside cupy if installed:
device_bench.py [--size N] [--device N] [--out FILE], with pointsman importable.

All data stays on the device: float32, or uint32 for the sort. The sort works on a copy, and its
time includes the copying. A call is timed on the host's clock until the device has finished; the
cases take turns, and the table holds the medians of their rounds. All are compared with the plain
copy: the driver's command, enqueued several times before the device is waited for.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import pointsman as pm

Case = Callable[[], object]
PLAIN_COPY = "plain copy"
COPIES_AT_ONCE = 10
LONGEST_ROW = 1000  # values
# The bytes per value that an algorithm must move.
BYTES = {
    PLAIN_COPY: 8,
    "transform 2*x + y": 12,
    "fill": 4,
    "copy": 8,
    "reduce": 4,
    "sums of rows": 4,
    "sums of columns": 4,
    "inclusive_scan": 8,
    "sort of uint32": 8,
}


def runner() -> ModuleType:
    """bench/python/run.py, which does the timing."""
    path = Path(__file__).resolve().parents[1] / "run.py"
    spec = importlib.util.spec_from_file_location("run", path)
    assert spec is not None and spec.loader is not None
    module = sys.modules["run"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class PlainCopies:
    """The driver's copy, several times per call."""

    tasks = COPIES_AT_ONCE

    def __init__(self, queue: pm.opencl.Queue, x: pm.opencl.Buffer, out: pm.opencl.Buffer) -> None:
        self.queue, self.x, self.out = queue, x, out

    def __call__(self) -> None:
        for _ in range(COPIES_AT_ONCE):
            self.queue.enqueue_copy(self.x, self.out)
        self.queue.finish()


def keys_of(size: int) -> Any:
    return np.random.default_rng(1).integers(0, 2**32, size, np.uint32)


def table_of(size: int) -> tuple[int, int]:
    """The shape of a table of at most ``size`` values."""
    row = min(size, LONGEST_ROW)
    return size // row, row


def ours(queue: pm.opencl.Queue, size: int) -> dict[str, Case]:
    """Each case under a device policy, which waits for the device."""
    policy = pm.device_policy(queue)
    x, y, out = (queue.empty(size, np.float32) for _ in range(3))
    for number, buffer in enumerate((x, y, out)):
        pm.fill(policy, buffer, number)
    table = queue.empty(table_of(size), np.float32)
    pm.fill(policy, table, 1)
    keys, sorted_keys = queue.buffer(keys_of(size)), queue.empty(size, np.uint32)

    def sort() -> None:
        pm.copy(policy, keys, out=sorted_keys)
        pm.sort(policy, sorted_keys)

    cases: Sequence[Case] = (
        PlainCopies(queue, x, out),
        lambda: pm.transform(policy, "2*x + y", x, y, out=out),
        lambda: pm.fill(policy, out, 1),
        lambda: pm.copy(policy, x, out=out),
        lambda: pm.reduce(policy, x),
        lambda: pm.reduce(policy, table, axis=1),
        lambda: pm.reduce(policy, table, axis=0),
        lambda: pm.inclusive_scan(policy, x, out=out),
        sort,
    )
    return dict(zip(BYTES, cases, strict=True))


def cupys(size: int) -> dict[str, Case]:
    """The same cases in cupy except the plain copy, each call followed by a wait for the device.

    Raises ImportError if cupy or a CUDA device is missing.
    """
    import cupy

    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise ImportError(f"cupy finds no device: {error}") from None
    x, y, out = (cupy.full(size, number, cupy.float32) for number in range(3))
    table = x[: np.prod(table_of(size))].reshape(table_of(size))
    keys, sorted_keys = cupy.asarray(keys_of(size)), cupy.empty(size, cupy.uint32)
    transform = cupy.ElementwiseKernel(
        "float32 x, float32 y", "float32 out", "out = 2*x + y", "device_bench_transform"
    )

    def sort() -> None:
        cupy.copyto(sorted_keys, keys)
        sorted_keys.sort()

    def waited_for(start: Case) -> Case:
        def run() -> None:
            start()
            cupy.cuda.Device().synchronize()

        return run

    cases: Sequence[Case] = (
        lambda: transform(x, y, out),
        lambda: out.fill(1),
        lambda: cupy.copyto(out, x),
        lambda: float(x.sum()),
        lambda: table.sum(1),
        lambda: table.sum(0),
        lambda: cupy.cumsum(x, out=out),
        sort,
    )
    names = [name for name in BYTES if name != PLAIN_COPY]
    return dict(zip(names, map(waited_for, cases), strict=True))


@dataclass(frozen=True)
class Line:
    """One line of the table; times in nanoseconds."""

    name: str
    time: float
    cupys_time: float | None
    size: int

    @property
    def gigabytes_per_second(self) -> float:
        return BYTES[self.name] * self.size / self.time

    def text(self, plain: Line) -> str:
        share = 100 * self.gigabytes_per_second / plain.gigabytes_per_second
        beside = "" if self.cupys_time is None else f"{self.cupys_time / 1e6:11.3f}"
        ratio = "" if self.cupys_time is None else f"{self.cupys_time / self.time:13.2f}"
        return (
            f"{self.name:18} {self.time / 1e6:9.3f} {self.gigabytes_per_second:8.1f} "
            f"{share:14.1f} {beside} {ratio}".rstrip()
        )


HEAD = (
    f"{'algorithm':18} {'ms':>9} {'GB/s':>8} {'% of the copy':>14} {'cupy, ms':>11} "
    f"{'cupy / ours':>13}"
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Times algorithms on a device.")
    parser.add_argument("--size", type=float, default=1e8, help="values in an array (1e8)")
    parser.add_argument("--device", type=int, default=0, help="index in pm.opencl.devices() (0)")
    parser.add_argument("--rounds", type=int, default=9, help="figures for each case (9)")
    parser.add_argument("--min-time", type=float, default=0.2, help="seconds for a figure (0.2)")
    parser.add_argument("--out", type=Path, help="file for the JSON result")
    options = parser.parse_args(arguments)
    size = int(options.size)
    devices = pm.opencl.devices()
    if not 0 <= options.device < len(devices):
        print(f"device_bench.py: {options.device} is none of {devices}", file=sys.stderr)
        return 2
    queue = pm.opencl.Queue(devices[options.device], profiling=False)
    cases = {f"pointsman/{name}": case for name, case in ours(queue, size).items()}
    try:
        cases |= {f"cupy/{name}": case for name, case in cupys(size).items()}
    except ImportError as missing:
        print(f"device_bench.py: cupy is left out: {missing}", file=sys.stderr)
    run = runner()
    measured = run.measure(cases, options.rounds, options.min_time)
    medians = {name: run.median(figures).real_time_ns for name, figures in measured.items()}
    print(f"{queue.device.name}, {size:.3g} values, medians of {options.rounds} rounds\n\n{HEAD}")
    lines = [
        Line(name, medians[f"pointsman/{name}"], medians.get(f"cupy/{name}"), size)
        for name in BYTES
    ]
    for line in lines:
        print(line.text(plain=lines[0]))
    if options.out is not None:
        context = run.context() | {"device": queue.device.name, "size": size}
        result = {"context": context, "benchmarks": run.as_rows(measured)}
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
