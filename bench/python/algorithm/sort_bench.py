# SPDX-License-Identifier: Apache-2.0
"""What a sort of one and ten million float32 takes under policies of the host, beside NumPy.

Each call sorts a copy that it makes first, NumPy's as well.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pointsman as pm


@cache
def values(size: int) -> Any:
    return np.random.default_rng(1).random(size, np.float32)


def sorting(sort: Callable[[Any], object], size: int) -> Callable[[], object]:
    x, copy = values(size), np.empty(size, np.float32)

    def run() -> None:
        np.copyto(copy, x)
        sort(copy)

    return run


def under(policy: Any, size: int) -> Callable[[], object]:
    return sorting(lambda x: pm.sort(policy, x), size)


def under_auto(size: int) -> Callable[[], object]:
    run = under(pm.auto, size)
    for _ in range(10):
        run()
    return run


def bench_numpy_sort_1e6() -> Callable[[], object]:
    return sorting(np.ndarray.sort, 1_000_000)


def bench_seq_sort_1e6() -> Callable[[], object]:
    return under(pm.seq, 1_000_000)


def bench_par_sort_1e6() -> Callable[[], object]:
    return under(pm.par, 1_000_000)


def bench_auto_sort_1e6() -> Callable[[], object]:
    return under_auto(1_000_000)


def bench_numpy_sort_1e7() -> Callable[[], object]:
    return sorting(np.ndarray.sort, 10_000_000)


def bench_seq_sort_1e7() -> Callable[[], object]:
    return under(pm.seq, 10_000_000)


def bench_par_sort_1e7() -> Callable[[], object]:
    return under(pm.par, 10_000_000)


def bench_auto_sort_1e7() -> Callable[[], object]:
    return under_auto(10_000_000)
