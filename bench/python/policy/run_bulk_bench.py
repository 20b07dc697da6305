# SPDX-License-Identifier: Apache-2.0
"""The cost per function of running 10,000 functions at once, compared with other executors."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pointsman as pm

COMPARED_WITH = "thread_pool_bulk"
TASKS = 10_000


def work(value: int) -> int:
    return value


def in_bulk(submit: Callable[..., Any]) -> Callable[[], object]:
    def run() -> None:
        for submission in [submit(work, i) for i in range(TASKS)]:
            submission.result()

    run.tasks = TASKS  # type: ignore[attr-defined]
    return run


def bench_thread_pool_bulk() -> Callable[[], object]:
    return in_bulk(ThreadPoolExecutor(2).submit)


def bench_run_bulk_on_an_arena() -> Callable[[], object]:
    return in_bulk(pm.RoundRobin([pm.Arena(2)]).run)


def bench_run_bulk_on_two_arenas() -> Callable[[], object]:
    return in_bulk(pm.DynamicLoad([pm.Arena(1), pm.Arena(1)]).run)


def bench_as_executor_bulk() -> Callable[[], object]:
    return in_bulk(pm.RoundRobin([pm.Arena(2)]).as_executor().submit)
