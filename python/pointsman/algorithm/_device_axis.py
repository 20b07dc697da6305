# SPDX-License-Identifier: Apache-2.0
# A kernel is run until one fold, or one index, is left for each result.
"""Reductions along axes of an array that follow each other under ``pm.device_policy``."""

from __future__ import annotations

import math
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from pointsman.algorithm import _device, _device_native
from pointsman.algorithm._arrays import Values, values_of
from pointsman.algorithm._expression import IDENTITY, DType, Expression, Place, Step
from pointsman.algorithm._opencl_operations import C_TYPES, OF_KIND, typed
from pointsman.algorithm._operation import Operation
from pointsman.opencl import Buffer, Event, Kernel, Queue

GROUP = 256  # work items: drivers divide a multiple of it into work groups of a good size
ITEMS = 262_144  # work items that keep a large device busy
NEIGHBOURS = 32  # work items that should read values side by side
MOST_IN_A_ROW = 1_024  # values that one work item folds, at most
FEW = 64  # values for which one pass is enough


def obstacle(axes: tuple[int, ...]) -> str:
    """Why no device can fold along the axes; empty if devices can."""
    if axes and axes[-1] - axes[0] == len(axes) - 1:
        return ""
    return f"devices fold along axes that follow each other, not along {axes}: call once for each"


def reduce(
    queue: Queue,
    operation: Operation,
    expression: Expression,
    inputs: list[Values],
    axes: tuple[int, ...],
    dtype: DType,
    shape: tuple[int, ...],
    initial: Any = None,
) -> Buffer:
    """Fold the expression's values along axes that follow each other.

    dtype: the type of the results.
    shape: that of the buffer that is returned, of which none is 0.
    """
    computed = _device.computed_type(dtype)
    if expression is IDENTITY:
        values = _device_native.converted(queue, inputs[0], computed)
    else:
        values = queue.empty(inputs[0].shape, _stored(computed))
        _device.transform(queue, expression, inputs, values)
    outer, n, inner = _lengths(inputs[0].shape, axes)
    kernel = _kernel(queue, "fold_axis", _fold_text(operation, computed))
    event = None
    while n > 1:
        parts = _parts(n, outer, inner)
        count = outer * parts * inner
        folds = queue.empty(shape if parts == 1 else (count,), _stored(computed))
        arguments = values, n, inner, parts, count, folds
        event = queue.enqueue(kernel, _items(count), *arguments, wait_for=event)
        values, n = folds, parts
    if event is not None:
        event.result()
        if values.dtype == dtype and initial is None:
            return values
    last = IDENTITY if initial is None else _with(operation, computed.type(initial))
    results = queue.empty(shape, dtype)
    _device.transform(queue, last, [values_of(values)], results)
    return results


def indices(
    queue: Queue, values: Values, axis: int, is_least: bool, shape: tuple[int, ...]
) -> Buffer:
    """The index of the least or greatest value along an axis, the first if there are several.

    shape: that of the buffer that is returned, of which none is 0.
    """
    computed = _device.computed_type(values.dtype)
    buffer = _device_native.converted(queue, values, computed)
    outer, n, inner = _lengths(values.shape, (axis,))
    options = f"-Dvalue_t={C_TYPES[computed]} -DIS_FLOATING={int(computed.kind == 'f')} "
    kernel = _kernel(queue, "extreme_axis", "", options + f"-DIS_LEAST={int(is_least)}")
    candidates, taken = None, n
    waits: list[Event[None]] = []
    while not waits or taken > 1:
        parts = _parts(taken, outer, inner)
        count = outer * parts * inner
        found = queue.empty(shape if parts == 1 else (count,), np.int64)
        arguments = buffer, n, inner, candidates, taken, parts, count, found
        waits = [queue.enqueue(kernel, _items(count), *arguments, wait_for=waits)]
        candidates, taken = found, parts
    waits[0].result()
    return found


def _lengths(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, int, int]:
    """The numbers of values before, along and after axes that follow each other."""
    first, end = axes[0], axes[-1] + 1
    return math.prod(shape[:first]), math.prod(shape[first:end]), math.prod(shape[end:])


def _kernel(queue: Queue, name: str, before: str, options: str = "") -> Kernel:
    """The kernel of the file with its name, whose text follows ``before``; all commands before it
    have ended."""
    from pointsman import _opencl

    kernel = queue.build(before + _text_of(name), options).kernel(name)
    if queue.out_of_order:
        _opencl.await_commands(queue)
    return kernel


def _items(count: int) -> int:
    return -(-count // GROUP) * GROUP


def _parts(n: int, outer: int, inner: int) -> int:
    """In how many parts each of ``outer * inner`` folds of ``n`` values is computed."""
    if n <= FEW:
        return 1
    wanted = max(-(-ITEMS // (outer * inner)), -(-NEIGHBOURS // inner))
    return max(-(-n // MOST_IN_A_ROW), min(wanted, -(-n // (FEW // 2))))


def _with(operation: Operation, number: Any) -> Expression:
    step = Step(operation.ufunc.__name__, (Place(0), number))
    return Expression(1, (step,), Place(1))


def _stored(dtype: DType) -> DType:
    """The type of a buffer of values: bytes for bool."""
    return np.dtype(np.uint8) if dtype.kind == "b" else dtype


@cache
def _text_of(name: str) -> str:
    return resources.files("pointsman.algorithm").joinpath(f"{name}.cl").read_text("utf-8")


def _fold_text(operation: Operation, dtype: DType) -> str:
    fold = typed(OF_KIND[dtype.kind][operation.ufunc.__name__], dtype)
    return (
        "#define VALUE_T_IS_DEFINED\n"
        f"typedef {C_TYPES[dtype]} value_t;\n"
        f"value_t folded(const value_t a, const value_t b) {{\n    return {fold};\n}}\n"
    )
