# SPDX-License-Identifier: Apache-2.0
"""Times 2*x + y of ten million float32 under each host policy, compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pointsman as pm

COMPARED_WITH = "numpy_transform"
SIZE = 10_000_000


@cache
def arrays() -> tuple[Any, Any, Any]:
    return np.ones(SIZE, np.float32), np.ones(SIZE, np.float32), np.empty(SIZE, np.float32)


def bench_numpy_transform() -> Callable[[], object]:
    x, y, out = arrays()

    def run() -> None:
        out[:] = 2 * x + y

    return run


def under(policy: Any) -> Callable[[], object]:
    x, y, out = arrays()
    return lambda: pm.transform(policy, "2*x + y", x, y, out=out)


def bench_seq_transform() -> Callable[[], object]:
    return under(pm.seq)


def bench_par_transform() -> Callable[[], object]:
    return under(pm.par)


def bench_auto_transform() -> Callable[[], object]:
    policy = under(pm.auto)
    for _ in range(10):
        policy()
    return policy
