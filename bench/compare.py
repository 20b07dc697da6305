#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the ratio of each benchmark's time between two results: compare.py BEFORE AFTER.

Both files hold Google Benchmark's JSON: from a C++ program (--benchmark_out), or from
bench/python/run.py.
Exit status: 0, 1 when a ratio exceeds --fail-above, 2 when a file cannot be compared.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


class UnusableResultError(Exception):
    """A file that is not a benchmark result; the message says why."""


def read_times(path: Path) -> dict[str, float]:
    """The median real time of each benchmark in `path`, in nanoseconds for one iteration."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnusableResultError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise UnusableResultError(f"{path}: not JSON: {error}") from error
    rows = result.get("benchmarks") if isinstance(result, dict) else None
    if not isinstance(rows, list):
        raise UnusableResultError(f'{path}: no list "benchmarks", so not a Google Benchmark result')
    repeats: dict[str, list[float]] = {}
    medians: dict[str, float] = {}
    try:
        for row in rows:
            if row.get("error_occurred"):
                raise UnusableResultError(
                    f"{path}: {row['name']} failed: {row.get('error_message', 'no reason given')}"
                )
            name = row.get("run_name", row["name"])
            if row.get("run_type", "iteration") == "iteration":
                repeats.setdefault(name, []).append(nanoseconds(row))
            elif row.get("aggregate_name") == "median":
                medians[name] = nanoseconds(row)
    except (AttributeError, KeyError, TypeError) as error:
        raise UnusableResultError(f"{path}: a benchmark lacks {error}") from error
    return {name: statistics.median(times) for name, times in repeats.items()} | medians


def nanoseconds(row: dict[str, Any]) -> float:
    """The real time of one row, converted to nanoseconds."""
    return float(row["real_time"]) * NANOSECONDS[row.get("time_unit", "ns")]


def in_best_unit(time_ns: float) -> str:
    """`time_ns` with three digits in a suitable unit."""
    for unit in ("s", "ms", "us"):
        if time_ns >= NANOSECONDS[unit]:
            return f"{time_ns / NANOSECONDS[unit]:.3g} {unit}"
    return f"{time_ns:.3g} ns"


def ratios(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """The ratio after / before of each benchmark in both files whose time before was not zero."""
    return {name: after[name] / before[name] for name in before if after.get(name) and before[name]}


def table(before: dict[str, float], after: dict[str, float]) -> str:
    """Both results side by side, with the geometric mean of their ratios."""
    shared = ratios(before, after)
    rows = [("benchmark", "before", "after", "ratio")]
    rows += [
        (name, in_best_unit(before[name]), in_best_unit(after[name]), f"{ratio:.3f}")
        for name, ratio in shared.items()
    ]
    mean = math.exp(statistics.fmean(map(math.log, shared.values())))
    rows.append(("geometric mean", "", "", f"{mean:.3f}"))
    rows += [(name, in_best_unit(before[name]), "-", "") for name in before if name not in shared]
    rows += [(name, "-", in_best_unit(after[name]), "") for name in after if name not in shared]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Prints the ratio of each benchmark's time between two results."
    )
    parser.add_argument("before", type=Path, help="JSON result to compare with")
    parser.add_argument("after", type=Path, help="JSON result to judge")
    parser.add_argument(
        "--fail-above",
        type=float,
        metavar="RATIO",
        help="exit with status 1 when a benchmark's ratio exceeds this",
    )
    options = parser.parse_args(arguments)
    try:
        before, after = read_times(options.before), read_times(options.after)
        shared = ratios(before, after)
        if not shared:
            raise UnusableResultError(f"{options.before} and {options.after} share no benchmark")
    except UnusableResultError as error:
        print(f"compare.py: {error}", file=sys.stderr)
        return 2
    print(table(before, after))
    if options.fail_above is not None:
        slower = [name for name, ratio in shared.items() if ratio > options.fail_above]
        if slower:
            print(f"slower than {options.fail_above:g} times: {', '.join(slower)}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
