# SPDX-License-Identifier: Apache-2.0
# Algorithms that keep some values.
"""``fl.copy_if`` and ``fl.unique``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairlead.algorithm import host
from fairlead.algorithm.arrays import Output, Values, values_of
from fairlead.algorithm.calls import call_on_host, run_under
from fairlead.algorithm.function import Function, expression_of
from fairlead.execution import ExecutionPolicy, HostPolicy


def copy_if(policy: ExecutionPolicy, f: Function, a: Any, out: Any = None) -> Any:
    """Return the values of ``a``, in their order, for which the predicate ``f`` holds.

    f: see ``fl.transform``. a: of any shape, taken as flat.
    out: an array of one dimension with room for them; what is returned is its beginning. By default
        a new array.

    As ``a[f(a)]`` of NumPy. Runs on the host. Raises ValueError where ``out`` has too few places.
    """
    predicate = expression_of(f, 1)
    values = values_of(a)

    def holds(part: slice) -> NDArray[Any]:
        return host.values_in(predicate, [values.on_host()], part).astype(bool)

    return _keep(("copy_if", predicate.text), policy, values, holds, out)


def unique(policy: ExecutionPolicy, a: Any, out: Any = None) -> Any:
    """Return the values of ``a`` without those that equal the one before: the first of each run.

    out: as for ``fl.copy_if``.

    Sorted before, they are those of ``numpy.unique``, but that each NaN, which equals nothing, is
    kept. Runs on the host.
    """
    values = values_of(a)

    def is_new(part: slice) -> NDArray[Any]:
        array = values.on_host()
        differs = np.ones(part.stop - part.start, bool)
        first = max(part.start, 1)
        differs[first - part.start :] = array[first : part.stop] != array[first - 1 : part.stop - 1]
        return differs

    return _keep(("unique",), policy, values, is_new, out)


def _keep(
    kind: tuple[str, ...],
    policy: ExecutionPolicy,
    values: Values,
    is_kept: Callable[[slice], NDArray[Any]],
    out: Any,
) -> Any:
    def on_host(chosen: HostPolicy) -> Any:
        kept = host.keep(chosen, values.on_host(), is_kept)
        if out is None:
            return kept
        places = values_of(out).shape
        if len(places) != 1 or places[0] < kept.size:
            raise ValueError(
                f"`out` has the shape {places}: pass one of one dimension and {kept.size} places"
            )
        beginning = out[: kept.size]
        return Output(beginning, kept.shape, kept.dtype).finish_host(kept)

    return run_under(policy, call_on_host(kind, [values], on_host, out))
