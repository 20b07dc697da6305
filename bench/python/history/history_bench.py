# SPDX-License-Identifier: Apache-2.0
"""What a history costs: the start of a policy with 10,000 records, and a settled submission."""

from __future__ import annotations

from collections.abc import Callable
from tempfile import mkdtemp

import pointsman as pm
import pointsman._history  # or ImportError: this build has no histories, and nothing to measure

RESOURCES = ["a", "b", "c", "d"]
RECORDS = 10_000
COMPARED_WITH = "submit_without_history"


def work(resource: str, x: int) -> int:
    return x


def settled(history: pm.History | None) -> Callable[[], object]:
    """Returns a submission to a policy that has measured the task."""
    policy = pm.AutoTune(RESOURCES, history=history)
    for _ in range(5_000):
        policy.submit(work, 7)
    return lambda: policy.submit(work, 7)


def bench_submit_without_history() -> Callable[[], object]:
    return settled(None)


def bench_submit_with_history() -> Callable[[], object]:
    return settled(pm.History(f"{mkdtemp()}/timings.db"))


def bench_start_with_10000_records() -> Callable[[], object]:
    """Opens the file too, as the first policy of a process does."""
    path = f"{mkdtemp()}/timings.db"
    history = pm.History(path)
    policy = pm.AutoTune(RESOURCES, history=history)
    for _ in range(100):
        policy.submit(work, 7)
    policy.flush_history()
    known = history.records()
    history.add(
        pm.HistoryRecord(
            (each.key[0] + 1 + i // 50, i % 50),
            f"work {i}",
            each.resource,
            *(each.count, each.mean, each.log_mean, each.log_squares, True, 0.0),
        )
        for i in range(RECORDS // len(known))
        for each in known
    )
    started: list[pm.AutoTune[str]] = []

    def start() -> None:
        started.append(pm.AutoTune(RESOURCES, history=path))

    start.settle = started.clear  # type: ignore[attr-defined]  # their ends are not timed
    return start
