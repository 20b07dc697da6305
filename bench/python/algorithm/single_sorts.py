#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how much longer than NumPy's a sort of few values takes, call by call:
single_sorts.py [--types TYPE...] [--sizes N...] [--calls N], with pointsman importable.

Calls of ``ndarray.sort`` and of ``pm.sort`` under ``pm.seq`` take turns, each on values that were
not sorted just before: a processor learns the branches of a sort that is repeated. The table holds
the lower quartile of NumPy's times and the difference of both quartiles, in microseconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import pointsman as pm

ARRAYS = 64


def quartiles(dtype: str, size: int, calls: int) -> tuple[float, float]:
    """The lower quartiles of NumPy's times and of ours, in microseconds."""
    random = np.random.default_rng(3)
    arrays = [(random.standard_normal(size) * 1e6).astype(dtype) for _ in range(ARRAYS)]
    values = np.empty(size, dtype)
    sorts: tuple[Callable[[Any], object], ...] = np.ndarray.sort, partial(pm.sort, pm.seq)
    times: tuple[list[int], ...] = [], []
    for i in range(calls):
        for number, sort in enumerate(sorts):
            np.copyto(values, arrays[(2 * i + number) % ARRAYS])
            start = time.perf_counter_ns()
            sort(values)
            times[number].append(time.perf_counter_ns() - start)
    numpy, ours = (float(np.quantile(each[calls // 10 :], 0.25)) / 1000 for each in times)
    return numpy, ours


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--types", nargs="+", default=["int32", "float32", "float64"])
    parser.add_argument("--sizes", nargs="+", type=int, default=[200, 1100, 4096, 10_000, 32_768])
    parser.add_argument("--calls", type=int, default=3000)
    options = parser.parse_args()
    print(f"NumPy {np.__version__}, us: numpy, ours - numpy")
    for size in options.sizes:
        for dtype in options.types:
            numpy, ours = quartiles(dtype, size, options.calls)
            print(f"{size:8} {dtype:8} {numpy:8.1f} {ours - numpy:8.2f}", flush=True)


if __name__ == "__main__":
    main()
