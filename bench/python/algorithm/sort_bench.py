# SPDX-License-Identifier: Apache-2.0
"""Times a sort of one and ten million floats under host policies, compared with NumPy.

Each call, also NumPy's, makes a copy first and sorts the copy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pointsman as pm


@cache
def values(size: int, dtype: Any) -> Any:
    return np.random.default_rng(1).random(size, dtype)


def sorting(sort: Callable[[Any], object], size: int, dtype: Any) -> Callable[[], object]:
    x, copy = values(size, dtype), np.empty(size, dtype)

    def run() -> None:
        np.copyto(copy, x)
        sort(copy)

    return run


def under(policy: Any, size: int, dtype: Any) -> Callable[[], object]:
    return sorting(lambda x: pm.sort(policy, x), size, dtype)


def under_auto(size: int, dtype: Any) -> Callable[[], object]:
    run = under(pm.auto, size, dtype)
    for _ in range(10):
        run()
    return run


def bench_numpy_sort_1e6() -> Callable[[], object]:
    return sorting(np.ndarray.sort, 1_000_000, np.float32)


def bench_seq_sort_1e6() -> Callable[[], object]:
    return under(pm.seq, 1_000_000, np.float32)


def bench_par_sort_1e6() -> Callable[[], object]:
    return under(pm.par, 1_000_000, np.float32)


def bench_auto_sort_1e6() -> Callable[[], object]:
    return under_auto(1_000_000, np.float32)


def bench_numpy_sort_1e7() -> Callable[[], object]:
    return sorting(np.ndarray.sort, 10_000_000, np.float32)


def bench_seq_sort_1e7() -> Callable[[], object]:
    return under(pm.seq, 10_000_000, np.float32)


def bench_par_sort_1e7() -> Callable[[], object]:
    return under(pm.par, 10_000_000, np.float32)


def bench_auto_sort_1e7() -> Callable[[], object]:
    return under_auto(10_000_000, np.float32)


def bench_numpy_sort_1e6_float64() -> Callable[[], object]:
    return sorting(np.ndarray.sort, 1_000_000, np.float64)


def bench_seq_sort_1e6_float64() -> Callable[[], object]:
    return under(pm.seq, 1_000_000, np.float64)


def bench_par_sort_1e6_float64() -> Callable[[], object]:
    return under(pm.par, 1_000_000, np.float64)


def bench_auto_sort_1e6_float64() -> Callable[[], object]:
    return under_auto(1_000_000, np.float64)


def bench_numpy_sort_1e7_float64() -> Callable[[], object]:
    return sorting(np.ndarray.sort, 10_000_000, np.float64)


def bench_seq_sort_1e7_float64() -> Callable[[], object]:
    return under(pm.seq, 10_000_000, np.float64)


def bench_par_sort_1e7_float64() -> Callable[[], object]:
    return under(pm.par, 10_000_000, np.float64)


def bench_auto_sort_1e7_float64() -> Callable[[], object]:
    return under_auto(10_000_000, np.float64)
