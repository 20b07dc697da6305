# SPDX-License-Identifier: Apache-2.0
# Plain arrays under a host policy need no plan: it would take longer than the work on small ones.
"""``plain`` says whether a call may go straight to the host's algorithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pointsman._core import _are_apart as are_apart
from pointsman._core import _are_plain, _plain_arguments, _shape_of_both
from pointsman._core import _broadcast_size as broadcast_size
from pointsman._core import _is_target as is_target
from pointsman._core import _line_kind as line_kind
from pointsman.algorithm._function import (
    NUMBERS,
    Function,
    expression_of,
    expression_with,
    what_it_reads,
)
from pointsman.algorithm._scalars import is_number
from pointsman.algorithm._typed import Typed, typed
from pointsman.execution import HostPolicy

__all__ = [
    "are_apart",
    "broadcast_size",
    "flat",
    "is_target",
    "line_kind",
    "may_go_along",
    "operands_for",
    "plain",
    "readable",
]

Arguments: TypeAlias = "tuple[HostPolicy, NDArray[Any], NDArray[Any] | None]"
Operands: TypeAlias = "tuple[HostPolicy, Typed, list[NDArray[Any]]]"


def _copied(policy: Any, a: Any, b: Any) -> Arguments | None:
    if type(policy) is not HostPolicy:
        return None
    if not (_has_numbers(a) and (b is None or (_has_numbers(b) and a.shape == b.shape))):
        return None
    return policy, np.ascontiguousarray(a), None if b is None else np.ascontiguousarray(b)


def may_go_along(axis: Any, ndim: int) -> bool:
    """Return True if ``axis`` is an axis of an array of so many dimensions, or None for one."""
    return ndim == 1 if axis is None else type(axis) is int and -ndim <= axis < ndim


def flat(a: NDArray[Any]) -> NDArray[Any]:
    """The contiguous array ``a`` with one dimension."""
    return a if a.ndim == 1 else a.reshape(-1)


def _operands_for(policy: Any, f: Function, a: Any, b: Any) -> Operands | None:
    if type(policy) is not HostPolicy:
        return None
    if not _are_plain(a, b):
        if shape := _shape_of_both(a, b):
            a, b = _of_shape(a, shape), _of_shape(b, shape)
            return policy, typed(expression_of(f, 2), a.dtype, b.dtype), [a, b]
        if not _has_numbers(a):
            return None
        if b is None:
            a = np.ascontiguousarray(a)
        elif is_number(b):
            a = np.ascontiguousarray(a)
            return policy, typed(expression_with(f, (None, b)), a.dtype), [a]
        else:
            return None
    if b is None:
        return policy, typed(expression_of(f, 1), a.dtype), [a]
    return policy, typed(expression_of(f, 2), a.dtype, b.dtype), [a, b]


def _of_shape(a: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """The values in a contiguous array of the shape, to which NumPy broadcasts them."""
    if a.shape == shape:
        return np.ascontiguousarray(a)
    full = np.empty(shape, a.dtype)
    full[...] = a
    return full


def _has_numbers(a: Any) -> bool:
    """Return True for an array of numbers with at least one dimension."""
    return type(a) is np.ndarray and a.ndim > 0 and a.dtype.kind in "biufc"


_functions = _plain_arguments(
    HostPolicy, (str, np.ufunc), tuple(NUMBERS), _copied, _operands_for, what_it_reads
)
plain: Callable[..., Arguments | None] = _functions[0]
readable: Callable[..., Arguments | None] = _functions[1]
operands_for: Callable[..., Operands | None] = _functions[2]
