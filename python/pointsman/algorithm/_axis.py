# SPDX-License-Identifier: Apache-2.0
# NumPy on rows or columns, in blocks that fit into the caches if they are results of a function.
"""Reductions along some of an array's axes on the host."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _host, _host_folds
from pointsman.algorithm._expression import Arrays, Expression, Place
from pointsman.algorithm._fused import fused
from pointsman.algorithm._operation import Operation
from pointsman.execution import HostPolicy

Axes = tuple[int, ...]
# Results of a function are folded in blocks of rows, whose folds are kept. With more values in a
# row, in blocks of columns: a fold of few rows is hardly smaller than they are.
MOST_IN_A_ROW = 4_096
AT_ONCE = 262_144  # values, up to which one block is as fast


def axes_of(axis: Any, ndim: int) -> Axes:
    """The axes from the first to the last, none of them negative; all of them for None.

    Raises as NumPy does for an axis that there is not, and for one that is named twice.
    """
    if axis is None:
        return tuple(range(ndim))
    np.add.reduce(np.empty((1,) * ndim, np.int8), axis)  # raises; floats could warn
    if ndim == 0:
        return ()
    named = axis if isinstance(axis, tuple) else (axis,)
    return tuple(sorted(operator.index(each) % ndim for each in named))


def valid_axes(axis: Any, ndim: int) -> Axes | None:
    """The axes from the first to the last, none of them negative, if ``axis`` is an int or a tuple
    of ints that names axes there are, each once; else None, for which ``axes_of`` raises."""
    if type(axis) is int:
        return (axis % ndim,) if -ndim <= axis < ndim else None
    if type(axis) is not tuple:
        return None
    named = {each % ndim for each in axis if type(each) is int and -ndim <= each < ndim}
    return tuple(sorted(named)) if len(named) == len(axis) else None


def axis_of(axis: Any, shape: tuple[int, ...]) -> int:
    """The axis that is named, not negative; the only one for None.

    Raises TypeError for several axes, ValueError for None and an array of several dimensions or
    none, and as NumPy does for an axis that there is not.
    """
    if axis is None and len(shape) == 1:
        return 0
    if axis is None or not shape:
        raise ValueError(
            f"the array has the shape {shape}: pass one of one dimension, or of several and axis="
        )
    if isinstance(axis, (tuple, list)):
        raise TypeError(f"`axis` is {axis}: pass one integer")
    return axes_of(axis, len(shape))[0]


def lengths_of(shape: tuple[int, ...], axes: Axes) -> tuple[int, int, int]:
    """The numbers of values before, along and after axes that follow each other."""
    first, end = axes[0], axes[-1] + 1
    return math.prod(shape[:first]), math.prod(shape[first:end]), math.prod(shape[end:])


def kept_shape(shape: tuple[int, ...], axes: Axes, keepdims: bool) -> tuple[int, ...]:
    """The shape of what is left when the axes are folded; they stay with the length 1 if kept."""
    if keepdims:
        return tuple(1 if at in axes else length for at, length in enumerate(shape))
    return tuple(length for at, length in enumerate(shape) if at not in axes)


def reduce(
    policy: HostPolicy,
    operation: Operation,
    expression: Expression,
    arrays: Arrays,
    axes: Axes,
    options: dict[str, Any],
) -> Any:
    """Fold the expression's values along ``axes``.

    arrays: contiguous, of one shape.
    options: those of NumPy's ``ufunc.reduce``: ``initial`` and ``dtype``.
    """
    shape, size, fold = arrays[0].shape, arrays[0].size, operation.reduce
    if size <= _host.CHUNK or not axes:
        return fold(_host.all_values(expression, arrays), axes, **options)
    if len(axes) == len(shape):
        flat = [each.reshape(-1) for each in arrays]
        return _host.reduce(policy, operation, expression, flat, options)
    if not expression.is_copied:
        program = fused(expression, arrays)
        folds = program and _host_folds.fold_computed(
            policy, operation, program, arrays, axes, options
        )
        if folds is not None:
            return folds
    in_blocks = operation.makes_arrays(expression)
    is_at_once = in_blocks and size <= AT_ONCE
    if is_at_once or _host.is_rounded_once(operation, expression, arrays):
        return fold(_host.all_values(expression, arrays), axes, **options)
    if not in_blocks:
        if expression.result == Place(0) and _host_folds.are_worth_threads(policy, arrays[0]):
            folded = _host_folds.fold(operation, arrays[0], axes, options)
            if folded is not None:
                return folded
        if _host.is_for_one_thread(policy, size):
            return fold(_host.all_values(expression, arrays), axes, **options)
    if axes == tuple(range(len(axes))):
        rows = math.prod(shape[: len(axes)])
        of_row = size // rows
        if of_row >= 2 * _host.CHUNK or (in_blocks and of_row > MOST_IN_A_ROW):
            table = [each.reshape(rows, of_row) for each in arrays]
            folds = _fold_columns(policy, operation, expression, table, options)
            return folds.reshape(shape[len(axes) :])
    of_row = size // shape[0]
    # What is folded along the first axis begins with `initial` only once.
    later = {name: option for name, option in options.items() if name != "initial"}
    if of_row >= 2 * _host.CHUNK:
        return _reduce_rows(policy, operation, expression, arrays, axes, (options, later))
    block = max(1, _host.CHUNK // of_row) if in_blocks else shape[0]
    is_folded = axes[0] == 0

    def work(begin: int, end: int) -> list[Any]:
        return [
            fold(
                _host.values_in(expression, arrays, rows),
                axes,
                **(later if is_folded and rows.start else options),
            )
            for rows in _rows(begin, end, of_row, block)
        ]

    spans = _host.on_spans(policy, size, work, _host.LIGHT)
    blocks = [block for span in spans for block in span]
    if not is_folded:
        return np.concatenate(blocks)
    return blocks[0] if len(blocks) == 1 else fold(np.stack(blocks), 0, **later)


def _reduce_rows(
    policy: HostPolicy,
    operation: Operation,
    expression: Expression,
    arrays: Arrays,
    axes: Axes,
    options: tuple[dict[str, Any], dict[str, Any]],
) -> Any:
    """``reduce`` for few large rows, some of whose axes are folded: one row after the other. Of the
    options, the second are those after the first row if the rows are folded too."""
    of_row = tuple(each - 1 for each in axes if each)

    def fold(at: int, given: dict[str, Any]) -> Any:
        row = [each[at] for each in arrays]
        return reduce(policy, operation, expression, row, of_row, given)

    if axes[0] != 0:
        return np.stack([fold(at, options[0]) for at in range(len(arrays[0]))])
    folded = fold(0, options[0])
    for at in range(1, len(arrays[0])):
        operation.ufunc(folded, fold(at, options[1]), out=folded)
    return folded


def indices(policy: HostPolicy, values: NDArray[Any], find: Callable[..., Any], axis: int) -> Any:
    """The indices along ``axis`` that ``find``, ``ndarray.argmin`` or ``argmax``, returns."""
    if axis == values.ndim - 1 and _host_folds.are_worth_threads(policy, values):
        found = _host_folds.indices(values, is_greatest=find is np.ndarray.argmax)
        if found is not None:
            return found
    if _host.is_for_one_thread(policy, values.size):
        return find(values, axis)
    if values.ndim == 1:
        return np.int64(_host.indices_of(policy, values, (find,))[0])
    of_row = values.size // len(values)
    if of_row >= 2 * _host.CHUNK and axis != 0:
        return np.stack([indices(policy, row, find, axis - 1) for row in values])
    if of_row >= 2 * _host.CHUNK:
        table = values.reshape(len(values), of_row)
        columns = _host.on_spans(policy, of_row, lambda begin, end: find(table[:, begin:end], 0))
        return np.concatenate(columns).reshape(values.shape[1:])

    def work(begin: int, end: int) -> list[Any]:
        return [
            (rows.start, find(values[rows], axis), values[rows])
            for rows in _rows(begin, end, of_row, len(values))
        ]

    spans = _host.on_spans(policy, values.size, work, _host.LIGHT)
    blocks = [block for span in spans for block in span]
    if axis != 0:
        return np.concatenate([found for _, found, _ in blocks])
    found = np.stack([start + within for start, within, _ in blocks])
    extreme = np.stack(
        [np.take_along_axis(block, within[None], 0)[0] for _, within, block in blocks]
    )
    return np.take_along_axis(found, find(extreme, 0)[None], 0)[0]


def _rows(begin: int, end: int, of_row: int, block: int) -> list[slice]:
    """The rows of ``of_row`` values that begin in [begin, end), ``block`` at a time."""
    return list(_host.chunks_of(-(-begin // of_row), -(-end // of_row), block))


def _fold_columns(
    policy: HostPolicy,
    operation: Operation,
    expression: Expression,
    arrays: Arrays,
    options: dict[str, Any],
) -> NDArray[Any]:
    """Fold each column of arrays with two dimensions."""
    rows, of_row = arrays[0].shape

    def work(begin: int, end: int) -> list[Any]:
        columns = begin // rows, end // rows
        in_blocks = operation.makes_arrays(expression)
        block = max(_host.CHUNK // rows, 1_024) if in_blocks else of_row
        return [
            operation.reduce(
                _host.values_in(expression, arrays, (slice(None), chunk)), 0, **options
            )
            for chunk in _host.chunks_of(*columns, block)
        ]

    spans = _host.on_spans(policy, rows * of_row, work)
    return np.concatenate([block for span in spans for block in span])
