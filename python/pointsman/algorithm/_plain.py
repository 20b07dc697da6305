# SPDX-License-Identifier: Apache-2.0
# Plain arrays under a host policy need no plan: it would take longer than the work on small ones.
"""``plain`` says whether a call may go straight to the host's algorithm."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm._expression import Expression
from pointsman.algorithm._function import Function, expression_of
from pointsman.execution import HostPolicy

_NUMBERS = "biufc"


def plain(
    policy: Any, a: Any, b: Any = None
) -> tuple[HostPolicy, NDArray[Any], NDArray[Any] | None] | None:
    """Return the arguments if ``policy`` is one of the host's and the arrays are contiguous ones of
    NumPy, of numbers and of one shape with at least one dimension; else None. ``b`` may be None."""
    if (
        type(policy) is HostPolicy
        and type(a) is np.ndarray
        and a.flags.c_contiguous
        and a.ndim > 0
        and a.dtype.kind in _NUMBERS
        and (b is None or _is_like(a, b))
    ):
        return policy, a, b
    return None


def is_target(out: Any, a: NDArray[Any], dtype: np.dtype[Any]) -> bool:
    """Return True if ``out`` is an array to which NumPy may write results directly: writable,
    contiguous, of type ``dtype`` and of the shape of ``a``."""
    return (
        type(out) is np.ndarray and out.dtype == dtype and out.shape == a.shape and out.flags.carray
    )


def may_go_along(axis: Any, ndim: int) -> bool:
    """Return True if ``axis`` is an axis of an array of so many dimensions, or None for one."""
    return ndim == 1 if axis is None else type(axis) is int and -ndim <= axis < ndim


def flat(a: NDArray[Any]) -> NDArray[Any]:
    """The contiguous array ``a`` with one dimension."""
    return a if a.ndim == 1 else a.reshape(-1)


def on_flat(
    f: Function, a: NDArray[Any], b: NDArray[Any] | None = None
) -> tuple[Expression, list[NDArray[Any]], np.dtype[Any]]:
    """The expression of ``f``, ``a`` and ``b`` as flat arrays, and the type of the results.

    Raises as ``Expression.types`` if the expression is not defined for these types.
    """
    if b is None:
        expression = expression_of(f, 1)
        return expression, [flat(a)], expression.result_type(a.dtype)
    expression = expression_of(f, 2)
    return expression, [flat(a), flat(b)], expression.result_type(a.dtype, b.dtype)


def _is_like(a: NDArray[Any], b: Any) -> bool:
    return (
        type(b) is np.ndarray
        and b.flags.c_contiguous
        and b.shape == a.shape
        and b.dtype.kind in _NUMBERS
    )
