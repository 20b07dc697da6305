# SPDX-License-Identifier: Apache-2.0
# The index of the least or greatest value; NaN is ordered as in numpy.argmin and argmax.
"""``pm.min_element``, ``pm.max_element``, ``pm.minmax_element``, and two with NumPy's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pointsman.algorithm import _device_native, _host
from pointsman.algorithm._arrays import values_of
from pointsman.algorithm._expression import IDENTITY
from pointsman.algorithm._plain import flat, plain
from pointsman.algorithm._plan import Plan, run_under
from pointsman.algorithm._types import Array
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Queue


def min_element(policy: ExecutionPolicy, a: Array) -> int:
    """Return the index of the least value of ``a``, the first if there are several, as if ``a``
    were flat.

    NaN counts as the least, as in ``numpy.argmin``. Raises ValueError for an empty array.
    """
    (index,) = _indices_of("min_element", policy, a, np.ndarray.argmin)
    return index


def max_element(policy: ExecutionPolicy, a: Array) -> int:
    """Return the index of the greatest value of ``a``, the first if there are several, as if ``a``
    were flat.

    NaN counts as the greatest, as in ``numpy.argmax``. Raises ValueError for an empty array.
    """
    (index,) = _indices_of("max_element", policy, a, np.ndarray.argmax)
    return index


def minmax_element(policy: ExecutionPolicy, a: Array) -> tuple[int, int]:
    """Return the results of ``pm.min_element`` and ``pm.max_element`` as a pair."""
    least, greatest = _indices_of("minmax_element", policy, a, np.ndarray.argmin, np.ndarray.argmax)
    return least, greatest


def argmin(policy: ExecutionPolicy, a: Array) -> int:
    """Return the index of the least value of ``a``: NumPy's name for ``pm.min_element``."""
    return min_element(policy, a)


def argmax(policy: ExecutionPolicy, a: Array) -> int:
    """Return the index of the greatest value of ``a``: NumPy's name for ``pm.max_element``."""
    return max_element(policy, a)


def _indices_of(
    name: str, policy: ExecutionPolicy, a: Array, *finders: Callable[..., Any]
) -> tuple[int, ...]:
    if (given := plain(policy, a)) and given[1].size:
        return _host.indices_of(given[0], flat(given[1]), finders)
    values = values_of(a)
    if values.size == 0:
        raise ValueError(f"the array of shape {values.shape} has no values: pass one at least")

    def on_host(chosen: HostPolicy) -> tuple[int, ...]:
        return _host.indices_of(chosen, values.on_host(), finders)

    def on_device(queue: Queue) -> tuple[int, ...]:
        return _device_native.indices_of(queue, values, finders)

    found: tuple[int, ...] = run_under(policy, Plan(name, IDENTITY, [values], on_host, on_device))
    return found
