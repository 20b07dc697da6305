#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares algorithms with NumPy and, where they are installed, numexpr and numba, in one process.

Prints the median time of a call in microseconds, and the speed: the rival's time over ours. With
``--device``, prints only times, of calls on the buffers of the first device. The calls take turns.
numba compiles each expression to one loop (``parallel=True, fastmath=False``).
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import pointsman as pm

try:
    import numexpr
except ImportError:
    numexpr = None
try:
    import numba
except ImportError:
    numba = None

ROUNDS = 11
TURN = 0.01  # seconds


def loop(result: str, expression: str) -> Any:
    """A loop that numba compiles: ``result`` is "out[i] = ", "total += " and so on."""
    if numba is None:
        return None
    head = "total = 0.0" if "total" in result else "pass"
    text = (
        f"def run(a, b, out):\n    {head}\n    for i in numba.prange(a.size):\n"
        f"        x, y = a[i], b[i]\n        {result}{expression}\n"
        f"    return {'total' if 'total' in result else 'out'}\n"
    )
    names: dict[str, Any] = {"numba": numba, "np": np}
    exec(text, names)
    return numba.njit(parallel=True)(names["run"])


def cases(a: Any, b: Any, out: Any) -> dict[str, dict[str, Callable[[], object]]]:
    """For each algorithm, the call of each competitor; rows have 100 values."""
    two = a.dtype.type(2)
    table = a.reshape(-1, 100)
    selected = b > 0.5
    segments = np.arange(a.size) // 7
    names = {"a": a, "b": b, "two": two}
    loops = {
        "2*x + y": loop("out[i] = ", "two * x + y".replace("two", f"np.{a.dtype}(2)")),
        "where": loop("out[i] = ", f"np.{a.dtype}(2) * x if x < y else x + y"),
        "x*y summed": loop("total += ", "x * y"),
        "sum": loop("total += ", "x"),
        "count_if": loop("total += ", "1.0 if x < y else 0.0"),
    }
    calls: dict[str, dict[str, Any]] = {
        "2*x + y": {
            "ours": lambda p: pm.transform(p, "2*x + y", a, b, out=out),
            "numpy": lambda: np.add(np.multiply(a, two, out=out), b, out=out),
            "numexpr": lambda: numexpr.evaluate("two*a + b", names, out=out),
        },
        "where": {
            "ours": lambda p: pm.transform(p, "where(x < y, 2*x, x + y)", a, b, out=out),
            "numpy": lambda: np.copyto(out, np.where(a < b, two * a, a + b)),
            "numexpr": lambda: numexpr.evaluate("where(a < b, two*a, a + b)", names, out=out),
        },
        "x*y summed": {
            "ours": lambda p: pm.transform_reduce(p, "x*y", a, b),
            "numpy": lambda: np.add.reduce(a * b),
            "numexpr": lambda: numexpr.evaluate("sum(a*b)", names),
        },
        "sum": {
            "ours": lambda p: pm.reduce(p, a),
            "numpy": lambda: np.add.reduce(a),
            "numexpr": lambda: numexpr.evaluate("sum(a)", names),
        },
        "sum of selected": {
            "ours": lambda p: pm.reduce(p, a, where=selected),
            "numpy": lambda: np.add.reduce(a, where=selected),
        },
        "hypot": {
            "ours": lambda p: pm.reduce(p, a, np.hypot),
            "numpy": lambda: np.hypot.reduce(a),
        },
        "count_if": {
            "ours": lambda p: pm.count_if(p, "x < y", a, b),
            "numpy": lambda: np.count_nonzero(a < b),
        },
        "argmax": {"ours": lambda p: pm.max_element(p, a), "numpy": lambda: np.argmax(a)},
        "sums of rows": {
            "ours": lambda p: pm.reduce(p, table, axis=1),
            "numpy": lambda: np.add.reduce(table, 1),
        },
        "sums of columns": {
            "ours": lambda p: pm.reduce(p, table, axis=0),
            "numpy": lambda: np.add.reduce(table, 0),
        },
        "argmax of rows": {
            "ours": lambda p: pm.argmax(p, table, axis=1),
            "numpy": lambda: np.argmax(table, 1),
        },
        "cumsum": {
            "ours": lambda p: pm.inclusive_scan(p, a, out=out),
            "numpy": lambda: np.add.accumulate(a, out=out),
        },
        "cumsum of rows": {
            "ours": lambda p: pm.inclusive_scan(p, table, axis=1),
            "numpy": lambda: np.add.accumulate(table, 1),
        },
        "sort of rows": {
            "ours": lambda p: pm.sort(p, table.copy(), axis=1),
            "numpy": lambda: np.sort(table, 1),
        },
        "sort": {
            "ours": lambda p: pm.sort(p, a.copy()),
            "numpy": lambda: np.sort(a),
        },
        "stable sort": {
            "ours": lambda p: pm.stable_sort(p, a.copy()),
            "numpy": lambda: np.sort(a, kind="stable"),
        },
        "argsort": {
            "ours": lambda p: pm.argsort(p, a),
            "numpy": lambda: np.argsort(a, kind="stable"),
        },
        "argsort of rows": {
            "ours": lambda p: pm.argsort(p, table, axis=1),
            "numpy": lambda: np.argsort(table, 1, "stable"),
        },
        "sort by key": {
            "ours": lambda p: pm.sort_by_key(p, a.copy(), b.copy()),
            "numpy": lambda: (a[order := np.argsort(a, kind="stable")], b[order]),
        },
        "sums by segment": {
            "ours": lambda p: pm.reduce_by_segment(p, segments, a),
            "numpy": lambda: sums_by_segment(segments, a),
        },
        "bincount": {
            "ours": lambda p: pm.bincount(p, segments),
            "numpy": lambda: np.bincount(segments),
        },
        "row added": {
            "ours": lambda p: pm.transform(p, "x + y", table, table[0]),
            "numpy": lambda: table + table[0],
        },
        "copy_if": {
            "ours": lambda p: pm.copy_if(p, "x > 0.5", a),
            "numpy": lambda: a[a > 0.5],
        },
        "histogram": {
            "ours": lambda p: pm.histogram(p, a, 32, (0, 1)),
            "numpy": lambda: np.histogram(a, 32, (0, 1)),
        },
    }
    for name, by in calls.items():
        if numba is not None and loops.get(name) is not None:
            run = loops[name]
            by["numba"] = lambda run=run: run(a, b, out)
        if numexpr is None:
            by.pop("numexpr", None)
        ours = by.pop("ours")
        by["seq"], by["par"] = (lambda p=p, f=ours: f(p) for p in (pm.seq, pm.par))
    return calls


def sums_by_segment(keys: Any, values: Any) -> tuple[Any, Any]:
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[starts], np.add.reduceat(values, starts)


def random_values(random: np.random.Generator, dtype: str, size: int) -> Any:
    """Floats below 1, or any integers of the type."""
    if np.dtype(dtype).kind == "f":
        return random.random(size).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, size, dtype, endpoint=True)


def device_calls(policy: Any, size: int) -> dict[str, Callable[[], object]]:
    """Calls on buffers of float32, whose time for few values is that of the calls themselves."""
    queue = policy.queue
    x, y = (queue.buffer(np.random.default_rng(1).random(size, np.float32)) for _ in range(2))
    out = queue.empty(size, np.float32)
    return {
        "reduce": lambda: pm.reduce(policy, x),
        "fill": lambda: pm.fill(policy, out, 1.5),
        "copy": lambda: pm.copy(policy, x, out),
        "2*x + y": lambda: pm.transform(policy, "2*x + y", x, y, out),
        "inclusive_scan": lambda: pm.inclusive_scan(policy, x, out=out),
        "2*x + y, a new buffer": lambda: pm.transform(policy, "2*x + y", x, y),
    }


def times_in_turn(
    calls: dict[str, Callable[[], object]], rounds: int = ROUNDS, turn: float = TURN
) -> dict[str, list[float]]:
    """The microseconds of each call in each of some rounds, in which all take turns."""
    repeats = {}
    for name, call in calls.items():
        call()  # numba compiles
        begin = time.perf_counter()
        call()
        repeats[name] = max(1, min(2000, int(turn / (time.perf_counter() - begin))))
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            begin = time.perf_counter()
            for _ in range(repeats[name]):
                call()
            times[name].append((time.perf_counter() - begin) / repeats[name] * 1e6)
    return times


def medians(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The median microseconds of each call."""
    return {name: statistics.median(each) for name, each in times_in_turn(calls).items()}


def main() -> None:
    """Prints a table for each type and size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="*", type=float, default=[1e2, 1e4, 1e6, 1e7])
    parser.add_argument("--types", nargs="*", default=["float32", "float64"])
    parser.add_argument("--only", nargs="*", default=None)
    parser.add_argument("--device", action="store_true", help="time calls on buffers instead")
    options = parser.parse_args()
    if options.device:
        for size in map(int, options.sizes):
            print(f"\n| buffers of {size:g} float32 | us |\n| ---------- | -----: |")
            for name, median in medians(device_calls(pm.device_policy(), size)).items():
                print(f"| {name} | {median:,.1f} |")
        return
    versions = [f"NumPy {np.__version__}"]
    versions += [f"{m.__name__} {m.__version__}" for m in (numexpr, numba) if m is not None]
    print(", ".join(versions))
    for dtype in options.types:
        random = np.random.default_rng(1)
        for size in map(int, options.sizes):
            a, b = (random_values(random, dtype, size) for _ in range(2))
            print(f"\n| {dtype}, {size:g} values | seq us | par us | NumPy | numexpr | numba |")
            print("| ---------- | -----: | -----: | ----: | ------: | ----: |")
            for name, calls in cases(a, b, np.empty_like(a)).items():
                if options.only and name not in options.only:
                    continue
                found = medians(calls)
                best = min(found["seq"], found["par"])
                speeds = [
                    f"{found[rival] / best:.2f}" if rival in found else "-"
                    for rival in ("numpy", "numexpr", "numba")
                ]
                row = [name, f"{found['seq']:,.1f}", f"{found['par']:,.1f}", *speeds]
                print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
