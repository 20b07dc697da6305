#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the Python benchmarks: run.py [PATTERN] [--out FILE], with pointsman importable.

Each function bench_<name>() in a file bench/python/<room>/*_bench.py prepares one case and returns
the function to time. All cases run in one process, each once in every round, so that drift of the
machine affects all alike. A file's COMPARED_WITH names the case that the others are compared with.
A case's attribute `settle` is called before each batch of calls, outside the timing; a case with an
attribute `tasks` performs that many tasks per call, and its figures are per task. The result is
Google Benchmark's JSON, with the rounds and their median.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.util
import json
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Case = Callable[[], object]


def find_cases(folder: Path, pattern: str) -> tuple[dict[str, Case], dict[str, str]]:
    """The prepared cases below `folder` whose name, <room>/<name>, matches the regular expression,
    and the names of the cases that others are compared with."""
    cases: dict[str, Case] = {}
    compared: dict[str, str] = {}
    for path in sorted(folder.glob("*/*_bench.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except ImportError as missing:
            print(f"run.py: {path.parent.name}/{path.name} is skipped: {missing}", file=sys.stderr)
            continue
        for attribute, prepare in vars(module).items():
            name = f"{path.parent.name}/{attribute.removeprefix('bench_')}"
            if attribute.startswith("bench_") and re.search(pattern, name):
                cases[name] = prepare()
                if hasattr(module, "COMPARED_WITH"):
                    compared[name] = f"{path.parent.name}/{module.COMPARED_WITH}"
    return cases, compared


@dataclass(frozen=True)
class Figure:
    """One round of a case: nanoseconds per call, and the number of calls."""

    real_time_ns: float
    cpu_time_ns: float
    iterations: int


BATCH = 100


def time_calls(case: Case, iterations: int) -> Figure:
    """Wall time and CPU time (of all threads) of `iterations` calls."""
    settle = getattr(case, "settle", None)
    real = cpu = 0
    for begin in range(0, iterations, BATCH if settle else iterations):
        calls = range(begin, min(begin + BATCH, iterations) if settle else iterations)
        if settle:
            settle()
        cpu_start = time.process_time_ns()
        start = time.perf_counter_ns()
        for _ in calls:
            case()
        real += time.perf_counter_ns() - start
        cpu += time.process_time_ns() - cpu_start
    return Figure(real / iterations, cpu / iterations, iterations)


def iterations_for(case: Case, min_time: float) -> int:
    """How many calls last `min_time` seconds; also warms the case up."""
    wanted_ns = min_time * 1e9
    iterations = 1
    while (elapsed_ns := time_calls(case, iterations).real_time_ns * iterations) < wanted_ns:
        growth = 1.2 * wanted_ns / max(elapsed_ns, 1.0)
        iterations = int(iterations * min(10.0, max(growth, 1.5))) + 1
    return iterations


def for_one_task(case: Case, figure: Figure) -> Figure:
    """A call's time divided by its number of tasks."""
    tasks = getattr(case, "tasks", 1)
    return Figure(figure.real_time_ns / tasks, figure.cpu_time_ns / tasks, figure.iterations)


def measure(cases: dict[str, Case], rounds: int, min_time: float) -> dict[str, list[Figure]]:
    """One figure of each case for each round."""
    iterations = {name: iterations_for(case, min_time) for name, case in cases.items()}
    figures: dict[str, list[Figure]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            figures[name].append(for_one_task(case, time_calls(case, iterations[name])))
    return figures


def median(figures: list[Figure]) -> Figure:
    """The medians of wall time and CPU time."""
    return Figure(
        statistics.median(figure.real_time_ns for figure in figures),
        statistics.median(figure.cpu_time_ns for figure in figures),
        len(figures),
    )


def context() -> dict[str, Any]:
    """Machine, interpreter, compiler and date, without which a figure means nothing."""
    model = platform.processor()
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
        model = found.group(1) if found else model
    except OSError:
        pass
    import pointsman

    return {
        "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "executable": "bench/python/run.py",
        "cpu": model,
        "num_cpus": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
        "pointsman": getattr(pointsman, "__version__", "unknown"),
    }


def row(run_name: str, figure: Figure, **fields: object) -> dict[str, Any]:
    """One result row in Google Benchmark's format."""
    return {
        "run_name": run_name,
        "threads": 1,
        "iterations": figure.iterations,
        "real_time": figure.real_time_ns,
        "cpu_time": figure.cpu_time_ns,
        "time_unit": "ns",
    } | fields


def as_rows(measured: dict[str, list[Figure]]) -> list[dict[str, Any]]:
    """Rows in Google Benchmark's format: each round as an iteration, then the median."""
    rows: list[dict[str, Any]] = []
    for name, figures in measured.items():
        for index, figure in enumerate(figures):
            rows.append(row(name, figure, name=name, run_type="iteration", repetition_index=index))
        rows.append(
            row(
                name,
                median(figures),
                name=f"{name}_median",
                run_type="aggregate",
                aggregate_name="median",
            )
        )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Times the Python benchmarks.")
    parser.add_argument("pattern", nargs="?", default="", help="regular expression of case names")
    parser.add_argument("--out", type=Path, help="file for the JSON result")
    parser.add_argument("--rounds", type=int, default=9, help="figures for each case (9)")
    parser.add_argument("--min-time", type=float, default=0.05, help="seconds for a figure (0.05)")
    options = parser.parse_args(arguments)
    cases, compared = find_cases(Path(__file__).resolve().parent, options.pattern)
    if not cases:
        print(f"run.py: no case is called {options.pattern!r}", file=sys.stderr)
        return 2
    measured = measure(cases, options.rounds, options.min_time)
    width = max(map(len, measured))
    for name, figures in measured.items():
        times = [figure.real_time_ns for figure in figures]
        spread = f"{min(times):,.0f} to {max(times):,.0f}"
        beside = measured.get(compared.get(name, ""))
        ratio = median(figures).real_time_ns / median(beside).real_time_ns if beside else None
        text = f"  {ratio:.2f} x {compared[name]}" if ratio is not None else ""
        print(f"{name:{width}}  {statistics.median(times):12,.0f} ns  ({spread}){text}")
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        result = {"context": context(), "benchmarks": as_rows(measured)}
        options.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
