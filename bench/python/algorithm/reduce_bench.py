# SPDX-License-Identifier: Apache-2.0
"""Times the sum of ten million float32 under each host policy, compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pointsman as pm

COMPARED_WITH = "numpy_sum"
SIZE = 10_000_000


@cache
def array() -> Any:
    return np.ones(SIZE, np.float32)


def bench_numpy_sum() -> Callable[[], object]:
    x = array()
    return lambda: np.sum(x)


def under(policy: Any) -> Callable[[], object]:
    x = array()
    return lambda: pm.reduce(policy, x)


def bench_seq_sum() -> Callable[[], object]:
    return under(pm.seq)


def bench_par_sum() -> Callable[[], object]:
    return under(pm.par)


def bench_auto_sum() -> Callable[[], object]:
    policy = under(pm.auto)
    for _ in range(10):
        policy()
    return policy
