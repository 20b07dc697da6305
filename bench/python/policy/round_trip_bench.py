# SPDX-License-Identifier: Apache-2.0
"""The time to run a function elsewhere and wait for its result."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pointsman as pm

COMPARED_WITH = "thread_pool_round_trip"


def work(value: int) -> int:
    return value


def there_and_back(submit: Callable[..., Any]) -> Callable[[], object]:
    return lambda: submit(work, 7).result()


def bench_thread_pool_round_trip() -> Callable[[], object]:
    return there_and_back(ThreadPoolExecutor(1).submit)


def bench_run_round_trip() -> Callable[[], object]:
    return there_and_back(pm.RoundRobin([pm.Arena(1)]).run)
