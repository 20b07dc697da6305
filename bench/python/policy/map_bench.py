# SPDX-License-Identifier: Apache-2.0
"""The cost per item of a map over 100,000 items."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pointsman as pm

COMPARED_WITH = "thread_pool_map"


def work(value: int) -> int:
    return value


def over(items: int, map_: Callable[..., Any]) -> Callable[[], object]:
    def run() -> None:
        deque(map_(work, range(items)), maxlen=0)

    run.tasks = items  # type: ignore[attr-defined]
    return run


def bench_thread_pool_map() -> Callable[[], object]:
    return over(10_000, ThreadPoolExecutor(2).map)


def bench_policy_map() -> Callable[[], object]:
    return over(100_000, pm.DynamicLoad([pm.Arena(1), pm.Arena(1)]).map)


def bench_policy_map_unordered() -> Callable[[], object]:
    policy = pm.DynamicLoad([pm.Arena(1), pm.Arena(1)])
    return over(100_000, lambda *args: policy.map(*args, ordered=False))
