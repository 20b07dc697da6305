# SPDX-License-Identifier: Apache-2.0
# Extrema by index; NaN counts as in NumPy.
"""``pm.min_element``, ``pm.max_element`` and ``pm.minmax_element``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pointsman.algorithm import _device_native, _host
from pointsman.algorithm._arrays import values_of
from pointsman.algorithm._expression import IDENTITY
from pointsman.algorithm._plan import Plan, run_under
from pointsman.execution import ExecutionPolicy, HostPolicy
from pointsman.opencl import Queue


def min_element(policy: ExecutionPolicy, a: Any) -> int:
    """Return the index, in a flat array, of the first of the least values of ``a``.

    NaN counts as the least, as in ``numpy.argmin``. Raises ValueError for an empty array.
    """
    (place,) = _places("min_element", policy, a, np.argmin)
    return place


def max_element(policy: ExecutionPolicy, a: Any) -> int:
    """Return the index, in a flat array, of the first of the greatest values of ``a``.

    NaN counts as the greatest, as in ``numpy.argmax``. Otherwise as ``pm.min_element``.
    """
    (place,) = _places("max_element", policy, a, np.argmax)
    return place


def minmax_element(policy: ExecutionPolicy, a: Any) -> tuple[int, int]:
    """Return the results of ``pm.min_element`` and ``pm.max_element`` as a pair."""
    least, greatest = _places("minmax_element", policy, a, np.argmin, np.argmax)
    return least, greatest


def _places(
    name: str, policy: ExecutionPolicy, a: Any, *finders: Callable[..., Any]
) -> tuple[int, ...]:
    values = values_of(a)
    if values.size == 0:
        raise ValueError(f"the array of shape {values.shape} has no values: pass one at least")

    def on_host(chosen: HostPolicy) -> tuple[int, ...]:
        return _host.places(chosen, values.on_host(), finders)

    def on_device(queue: Queue) -> tuple[int, ...]:
        return _device_native.places(queue, values, finders)

    found: tuple[int, ...] = run_under(policy, Plan(name, IDENTITY, [values], on_host, on_device))
    return found
