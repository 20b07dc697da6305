# SPDX-License-Identifier: Apache-2.0
# Plain arrays under a host policy need no plan: it would take longer than the work on small ones.
"""``plain`` says whether a call may go straight to the host's algorithm."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from pointsman._core import _are_apart as are_apart
from pointsman._core import _are_plain
from pointsman._core import _is_target as is_target
from pointsman.algorithm._function import Function, expression_of
from pointsman.algorithm._typed import TypedExpression, typed
from pointsman.execution import HostPolicy

__all__ = ["are_apart", "expression_for", "flat", "is_target", "may_go_along", "plain"]


def plain(
    policy: Any, a: Any, b: Any = None
) -> tuple[HostPolicy, NDArray[Any], NDArray[Any] | None] | None:
    """Return the arguments if ``policy`` is one of the host's and the arrays are contiguous ones of
    NumPy, of numbers and of one shape with at least one dimension; else None. ``b`` may be None."""
    return (policy, a, b) if type(policy) is HostPolicy and _are_plain(a, b) else None


def may_go_along(axis: Any, ndim: int) -> bool:
    """Return True if ``axis`` is an axis of an array of so many dimensions, or None for one."""
    return ndim == 1 if axis is None else type(axis) is int and -ndim <= axis < ndim


def flat(a: NDArray[Any]) -> NDArray[Any]:
    """The contiguous array ``a`` with one dimension."""
    return a if a.ndim == 1 else a.reshape(-1)


def expression_for(
    f: Function, a: NDArray[Any], b: NDArray[Any] | None
) -> tuple[TypedExpression, list[NDArray[Any]]]:
    """The expression of ``f`` for the types of the arrays, and these; ``b`` may be None.

    Raises as ``Expression.types`` if the expression is not defined for these types.
    """
    if b is None:
        return typed(expression_of(f, 1), a.dtype), [a]
    return typed(expression_of(f, 2), a.dtype, b.dtype), [a, b]
