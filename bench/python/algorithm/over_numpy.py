#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how many microseconds longer than NumPy's our calls take, for arrays of few values:
over_numpy.py [--sizes N...] [--types TYPE...] [--only NAME...], with pointsman importable.

Prints the lower quartiles of NumPy's times, and of ours above them. The calls take turns. With
``--control``, prints also how much longer NumPy takes in turns of its own: what a difference may be
without a reason.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from rivals import cases, random_values, times_in_turn

import pointsman as pm

Cases: TypeAlias = "dict[str, dict[str, Callable[..., object]]]"

ROUNDS = 25
TURN = 0.004  # seconds
LOW, HIGH = 0.1, 0.9  # quantiles of the values that bound ``clip`` and ``histogram``


def more_cases(a: Any, b: Any, out: Any) -> Cases:
    """Calls beside those of ``rivals.py``; ``a`` and ``b`` have at least 100 values."""
    return elementwise(a, b, out) | folds_and_searches(a, b) | orders_and_counts(a, b)


def bounds_of(a: Any) -> tuple[Any, Any]:
    """Two numbers between which most values of ``a`` are."""
    limits = np.sort(a)[[int(LOW * a.size), int(HIGH * a.size)]]
    return limits[0].item(), limits[1].item()


def elementwise(a: Any, b: Any, out: Any) -> Cases:
    """Calls that make a value of each value."""
    table = a.reshape(-1, 100)
    number = a[0]
    low, high = bounds_of(a)
    clip = f"clip(x, {low!r}, {high!r})"
    pairs = np.column_stack((a, b))
    apart = pairs[:, 0], pairs[:, 1]
    return {
        "copy": {"ours": lambda p: pm.copy(p, a), "numpy": a.copy},
        "copy into an array": {
            "ours": lambda p: pm.copy(p, a, out),
            "numpy": lambda: np.copyto(out, a),
        },
        "fill": {"ours": lambda p: pm.fill(p, out, 3), "numpy": lambda: out.fill(3)},
        "sqrt": {"ours": lambda p: pm.transform(p, "sqrt(x)", b), "numpy": lambda: np.sqrt(b)},
        "x + y": {"ours": lambda p: pm.transform(p, "x + y", a, b), "numpy": lambda: a + b},
        "lambda x, y: x + y": {
            "ours": lambda p: pm.transform(p, lambda x, y: x + y, a, b),
            "numpy": lambda: a + b,
        },
        "x + y of every second value": {
            "ours": lambda p: pm.transform(p, "x + y", *apart),
            "numpy": lambda: apart[0] + apart[1],
        },
        "x + 3": {"ours": lambda p: pm.transform(p, "x + y", a, 3), "numpy": lambda: a + 3},
        "x + a number of NumPy": {
            "ours": lambda p: pm.transform(p, "x + y", a, number),
            "numpy": lambda: a + number,
        },
        "x < y": {"ours": lambda p: pm.transform(p, "x < y", a, b), "numpy": lambda: a < b},
        "clip": {
            "ours": lambda p: pm.transform(p, clip, a),
            "numpy": lambda: np.clip(a, low, high),
        },
        "a column added to all columns": {
            "ours": lambda p: pm.transform(p, "x + y", table, table[:, :1]),
            "numpy": lambda: table + table[:, :1],
        },
    }


def folds_and_searches(a: Any, b: Any) -> Cases:
    """Calls that fold values, or look for one."""
    table = a.reshape(-1, 100)
    number = a[0]
    is_chosen = (a > b).reshape(table.shape)
    return {
        "any_of": {
            "ours": lambda p: pm.any_of(p, "x < 0", a),
            "numpy": lambda: (a < 0).any(),
        },
        "all_of": {
            "ours": lambda p: pm.all_of(p, "x >= 0", a),
            "numpy": lambda: (a >= 0).all(),
        },
        "find_if": {
            "ours": lambda p: pm.find_if(p, "x < 0", a),
            "numpy": lambda: np.flatnonzero(a < 0),
        },
        "reduce by max": {
            "ours": lambda p: pm.reduce(p, a, "max"),
            "numpy": lambda: np.maximum.reduce(a),
        },
        "reduce with initial=": {
            "ours": lambda p: pm.reduce(p, a, initial=number),
            "numpy": lambda: np.add.reduce(a, initial=number),
        },
        "reduce with dtype=float64": {
            "ours": lambda p: pm.reduce(p, a, dtype="float64"),
            "numpy": lambda: np.add.reduce(a, dtype="float64"),
        },
        "reduce along two axes": {
            "ours": lambda p: pm.reduce(p, table, axis=(0, 1)),
            "numpy": lambda: np.add.reduce(table, (0, 1)),
        },
        "sums of selected in rows": {
            "ours": lambda p: pm.reduce(p, table, axis=1, where=is_chosen),
            "numpy": lambda: np.add.reduce(table, 1, where=is_chosen),
        },
        "squares summed in rows": {
            "ours": lambda p: pm.transform_reduce(p, "x*x", table, axis=1),
            "numpy": lambda: np.add.reduce(table * table, 1),
        },
        "greatest difference": {
            "ours": lambda p: pm.transform_reduce(p, "abs(x - y)", a, b, "max"),
            "numpy": lambda: np.abs(a - b).max(),
        },
        "minmax_element": {
            "ours": lambda p: pm.minmax_element(p, a),
            "numpy": lambda: (a.argmin(), a.argmax()),
        },
        "argmax of rows, keepdims": {
            "ours": lambda p: pm.argmax(p, table, axis=1, keepdims=True),
            "numpy": lambda: np.argmax(table, 1, keepdims=True),
        },
        "argmax of columns": {
            "ours": lambda p: pm.argmax(p, table, axis=0),
            "numpy": lambda: np.argmax(table, 0),
        },
        "inclusive_scan of columns": {
            "ours": lambda p: pm.inclusive_scan(p, table, axis=0),
            "numpy": lambda: np.add.accumulate(table, 0),
        },
        "inclusive_scan by max": {
            "ours": lambda p: pm.inclusive_scan(p, a, "max"),
            "numpy": lambda: np.maximum.accumulate(a),
        },
        "exclusive_scan": {
            "ours": lambda p: pm.exclusive_scan(p, a),
            "numpy": lambda: np.concatenate(([0], np.add.accumulate(a)[:-1])),
        },
    }


def orders_and_counts(a: Any, b: Any) -> Cases:
    """Calls that order values, or count them."""
    table = a.reshape(-1, 100)
    sorted_a, sorted_b = np.sort(a), np.sort(b)
    number = a[0]
    low, high = bounds_of(a)
    keys = np.arange(a.size) // 7
    weights = a.astype(np.float64)
    return {
        "merge": {
            "ours": lambda p: pm.merge(p, sorted_a, sorted_b),
            "numpy": lambda: np.sort(np.concatenate((sorted_a, sorted_b)), kind="stable"),
        },
        "searchsorted": {
            "ours": lambda p: pm.searchsorted(p, sorted_a, b),
            "numpy": lambda: sorted_a.searchsorted(b),
        },
        "searchsorted of a number": {
            "ours": lambda p: pm.searchsorted(p, sorted_a, number),
            "numpy": lambda: sorted_a.searchsorted(number),
        },
        "unique": {
            "ours": lambda p: pm.unique(p, sorted_a),
            "numpy": lambda: sorted_a[np.concatenate(([True], sorted_a[1:] != sorted_a[:-1]))],
        },
        "sort, descending": {
            "ours": lambda p: pm.sort(p, a.copy(), descending=True),
            "numpy": lambda: np.sort(a)[::-1].copy(),
        },
        "sort of columns": {
            "ours": lambda p: pm.sort(p, table.copy(), axis=0),
            "numpy": lambda: np.sort(table, 0),
        },
        "argsort of columns": {
            "ours": lambda p: pm.argsort(p, table, axis=0),
            "numpy": lambda: np.argsort(table, 0, "stable"),
        },
        "bincount, weights": {
            "ours": lambda p: pm.bincount(p, keys, weights),
            "numpy": lambda: np.bincount(keys, weights),
        },
        "histogram, weights": {
            "ours": lambda p: pm.histogram(p, a, 16, (low, high), weights=weights),
            "numpy": lambda: np.histogram(a, 16, (low, high), weights=weights),
        },
        "histogram, density": {
            "ours": lambda p: pm.histogram(p, a, 16, (low, high), density=True),
            "numpy": lambda: np.histogram(a, 16, (low, high), density=True),
        },
    }


def of_policies(calls: dict[str, Callable[..., object]]) -> dict[str, Callable[[], object]]:
    """The calls of NumPy, and ours under ``pm.seq`` and ``pm.par``."""
    ours = calls["ours"]
    return {"numpy": calls["numpy"], "seq": lambda: ours(pm.seq), "par": lambda: ours(pm.par)}


def print_over(dtype: str, size: int, only: list[str] | None, has_control: bool) -> None:
    """Prints a table of the differences."""
    size = max(size // 100 * 100, 100)
    a, b = (random_values(np.random.default_rng(seed), dtype, size) for seed in (1, 2))
    out = np.empty_like(a)
    all_cases = cases(a, b, out)
    all_cases |= {name: of_policies(calls) for name, calls in more_cases(a, b, out).items()}
    print(f"\n| {dtype}, {size:g} values | NumPy us | seq | par |{' NumPy |' * has_control}")
    print(f"| ---------- | -----: | -----: | ----: |{' ----: |' * has_control}")
    for name, calls in all_cases.items():
        if only and name not in only:
            continue
        compared = {each: calls[each] for each in ("numpy", "seq", "par")}
        if has_control:
            compared["control"] = calls["numpy"]
        times = times_in_turn(compared, ROUNDS, TURN)
        of_numpy, *others = (sorted(each)[ROUNDS // 4] for each in times.values())
        row = [name, f"{of_numpy:,.1f}", *(f"{each - of_numpy:+,.1f}" for each in others)]
        print(f"| {' | '.join(row)} |", flush=True)


def main() -> None:
    """Prints a table for each type and size."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sizes", nargs="*", type=float, default=[1e2, 1e3, 1e4, 3e4, 1e5, 2e5])
    parser.add_argument("--types", nargs="*", default=["float32", "float64"])
    parser.add_argument("--only", nargs="*", default=None)
    parser.add_argument("--control", action="store_true", help="measure NumPy against itself, too")
    options = parser.parse_args()
    print(f"NumPy {np.__version__}")
    for dtype in options.types:
        for size in map(int, options.sizes):
            print_over(dtype, size, options.only, options.control)


if __name__ == "__main__":
    main()
