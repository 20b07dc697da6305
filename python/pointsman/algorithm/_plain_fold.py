# SPDX-License-Identifier: Apache-2.0
# What depends only on an operation and on types is decided once for them.
"""Folds of plain arrays under a host policy, without a plan."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from numpy.typing import DTypeLike, NDArray

from pointsman.algorithm import _axis, _host
from pointsman.algorithm._expression import CHUNK, IDENTITY, DType, Expression, where_selected
from pointsman.algorithm._folded_function import FunctionOperation
from pointsman.algorithm._fused import SUMMED
from pointsman.algorithm._host_folds import are_worth_threads
from pointsman.algorithm._operation import Operation, operation_named
from pointsman.algorithm._plain import plain
from pointsman.algorithm._scalars import held
from pointsman.execution import HostPolicy

FEW_SELECTED = 256  # values: of more, NumPy's sums of selected ones would be less exact


def fold_at_once(
    policy: Any, a: NDArray[Any], op: Any, axis: int | tuple[int, ...] | None, keepdims: bool
) -> Any:
    """The fold of a plain array, or its folds along axes, if one call of NumPy is the fastest way
    to them under a host policy; else None."""
    if plain(policy, a) is None or (operation := operation_named(op)) is None:
        return None
    if axis is None:
        if keepdims or (a.size > CHUNK and not _is_for_one_call(policy, operation, a)):
            return None
        return operation.reduce(a.reshape(-1))
    if type(axis) is tuple and a.size > CHUNK and (policy.is_parallel or len(axis) == a.ndim):
        return None
    if a.ndim == 1 or are_worth_threads(policy, a):
        return None
    return operation.reduce(a, axis, None, None, keepdims)


def _is_for_one_call(policy: HostPolicy, operation: Operation, a: NDArray[Any]) -> bool:
    """Return True if one call of NumPy folds many values sooner than C++ and than threads."""
    if operation.ordered:
        return _host.is_for_one_thread(policy, a.size)
    return not (policy.is_parallel or (operation.name == "+" and a.dtype in SUMMED))


def may_select(operation: Operation, where: NDArray[Any]) -> bool:
    """Return True if ``fold_plain`` can fold the values at True of ``where``."""
    is_unordered = not (operation.ordered or isinstance(operation, FunctionOperation))
    return is_unordered and where.dtype.kind == "b"


def fold_plain(
    policy: HostPolicy,
    operation: Operation,
    a: NDArray[Any],
    where: NDArray[Any] | None,
    initial: Any,
    given: DTypeLike | None,
    axes: _axis.Axes | None,
) -> Any:
    """Fold the values of ``a``, or those at True, without the plan that takes longer than the work
    on a small array. ``axes`` are some of the array's, or None."""
    asked = None if given is None else operation.reduced_type(a.dtype, given)
    if where is not None and initial is None and a.size <= FEW_SELECTED:
        return operation.reduce(a, axes, asked, None, False, where=where)
    begin = {}
    if initial is not None:
        dtype = operation.reduced_type(a.dtype, None) if asked is None else asked
        begin = {"initial": held(initial, dtype, "initial")}
    if where is None and axes is None:
        is_converted = asked is not None and asked != a.dtype and not policy.is_parallel
        if a.size <= CHUNK or (is_converted and not isinstance(operation, FunctionOperation)):
            return operation.reduce(a.reshape(-1), 0, asked, **begin)
    expression, options = _folding(operation, a.dtype, asked, where is not None)
    options = options | begin
    arrays = [a] if where is None else [a, where]
    if axes is None:
        return _host.reduce(policy, operation, expression, arrays, options)
    return _axis.reduce(policy, operation, expression, arrays, axes, options)


def with_kept(folded: Any, shape: tuple[int, ...], axes: _axis.Axes | None) -> Any:
    """The folds as an array in which the folded axes, by default all, stay, with the length 1."""
    kept = range(len(shape)) if axes is None else axes
    return folded.reshape([1 if at in kept else each for at, each in enumerate(shape)])


@lru_cache(maxsize=1024)
def _folding(
    operation: Operation, dtype: DType, asked: DType | None, is_selecting: bool
) -> tuple[Expression, dict[str, Any]]:
    """The expression of values, and of whether each is selected, that is folded, and NumPy's
    options without an initial value."""
    options: dict[str, Any] = {} if asked is None else {"dtype": asked}
    if not is_selecting:
        return IDENTITY, options
    identity = operation.identity(dtype)
    folded = operation.reduced_type(dtype, None) if asked is None else asked
    options["initial"] = folded.type(identity)
    return where_selected(IDENTITY, identity), options
