# SPDX-License-Identifier: Apache-2.0
# A kernel is run until one fold, or one index, is left for each result.
"""Reductions along axes of an array that follow each other under ``pm.device_policy``."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pointsman.algorithm import _device, _device_native
from pointsman.algorithm._arrays import Values, device_type, values_of
from pointsman.algorithm._axis import lengths_of
from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import IDENTITY, DType, Expression, truth_of, with_first
from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.algorithm._opencl_text import obstacle_to
from pointsman.algorithm._operation import Operation
from pointsman.opencl import Buffer, Kernel, Queue

ITEMS = 262_144  # work items that keep a large device busy
NEIGHBOURS = 32  # work items that should read values side by side
MOST_IN_A_ROW = 1_024  # values that one work item folds, at most
FEW = 64  # values of a work item for which one pass is enough


def obstacle(axes: tuple[int, ...]) -> str:
    """Why no device can fold along the axes; empty if devices can."""
    if not axes:
        return "devices fold along one axis at least, not along (): use a host policy"
    if axes[-1] - axes[0] == len(axes) - 1:
        return ""
    return (
        f"devices fold along axes that follow each other, not along {axes}: call once for each, "
        "from the last to the first"
    )


def obstacle_to_fold(operation: Operation, dtype: DType) -> str:
    """Why no device can fold values of the type; empty if devices can."""
    computed = _device.computed_type(dtype)
    types = computed, computed
    if obstacle := obstacle_to(operation.expression, types):
        return obstacle
    returned = operation.expression.result_type(*types)
    if returned == computed:
        return ""
    return f"devices fold {dtype} as {computed}, of which the function makes {returned}"


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
    folded = expression.result_type(*(each.dtype for each in inputs))
    if computed.kind == "b" and folded.kind != "b":
        expression = truth_of(expression)  # a conversion to the bytes of bools drops other bits
    if expression is IDENTITY:
        values = _device_native.converted(queue, inputs[0], computed)
    else:
        values = queue.empty(inputs[0].shape, device_type(computed))
        _device.transform(queue, expression, inputs, values)
    outer, n, inner = lengths_of(inputs[0].shape, axes)
    options = f"-DITEMS={_device.group_size(queue)}"
    text = fold_text(operation, computed)
    is_folded = n > 1
    in_use = []  # a driver may wait for a kernel when its buffers are freed
    while n > 1:
        in_use.append(values)
        by = _division(queue, n, outer, inner)
        kernel = _device.kernel_of(queue, "fold_axis", f"fold_{by.kernel}", text, options)
        parts = queue.empty(shape if by.parts == 1 else (by.total,), device_type(computed))
        by.start(queue, kernel, (values, n), parts)
        values, n = parts, by.parts
    if not (is_folded and values.dtype == dtype and initial is None):
        in_use.append(values)
        last = IDENTITY
        if initial is not None:
            last = with_first(operation.expression, computed.type(initial))
        folds = replace(values_of(values), dtype=computed)  # bools are in a buffer of bytes
        values = queue.empty(shape, dtype)
        _device.transform(queue, last, [folds], values)
    opencl.await_commands(queue)
    return values


def indices(
    queue: Queue, values: Values, axis: int, is_least: bool, shape: tuple[int, ...]
) -> Buffer:
    """The index of the least or greatest value along an axis, the first if there are several.

    shape: that of the buffer that is returned, of which none is 0.
    """
    computed = _device.computed_type(values.dtype)
    buffer = _device_native.converted(queue, values, computed)
    outer, n, inner = lengths_of(values.shape, (axis,))
    options = (
        f"-Dvalue_t={C_TYPES[computed]} -DIS_FLOATING={int(computed.kind == 'f')} "
        f"-DIS_LEAST={int(is_least)} -DITEMS={_device.group_size(queue)}"
    )
    candidates: Buffer | None = None
    taken = n
    in_use: list[Buffer | None] = []  # a driver may wait for a kernel when its buffers are freed
    while candidates is None or taken > 1:
        in_use.append(candidates)
        by = _division(queue, taken, outer, inner)
        kernel = _device.kernel_of(queue, "extreme_axis", f"extreme_{by.kernel}", options=options)
        found = queue.empty(shape if by.parts == 1 else (by.total,), np.int64)
        by.start(queue, kernel, (buffer, n, candidates, taken), found)
        candidates, taken = found, by.parts
    opencl.await_commands(queue)
    return candidates


class _Division(NamedTuple):
    """How a kernel divides the work of a pass."""

    kernel: str  # ends its name: "rows" if work items of a group share a row, otherwise "axis"
    arguments: tuple[int, ...]
    parts: int  # of each result
    total: int  # parts of all results
    items: int

    def start(self, queue: Queue, kernel: Kernel, inputs: tuple[Any, ...], out: Buffer) -> None:
        arguments = *inputs, *self.arguments, self.total, out
        _device.start(queue, kernel, self.items, *arguments)


def _division(queue: Queue, n: int, outer: int, inner: int) -> _Division:
    """How results from ``n`` values each are computed, ``outer`` by ``inner`` of them."""
    alone = inner > 1 or opencl.items_work_alone(queue)
    return _divided(n, outer, inner, 0 if alone else _device.group_size(queue))


@lru_cache(maxsize=1024)
def _divided(n: int, outer: int, inner: int, group: int) -> _Division:
    """``_division`` for groups whose work items share rows, or, if ``group`` is 0, for others."""
    if group == 0:
        parts = _parts(n, outer, inner)
        count = outer * parts * inner
        return _Division("axis", (inner, parts), parts, count, count)
    lanes, part, parts = _shares(n, outer, group)
    count = outer * parts
    return _Division("rows", (part, parts, lanes), parts, count, count * lanes)


def _parts(n: int, outer: int, inner: int) -> int:
    """In how many parts each of ``outer * inner`` folds of ``n`` values is computed."""
    if n <= FEW:
        return 1
    wanted = max(-(-ITEMS // (outer * inner)), -(-NEIGHBOURS // inner))
    return max(-(-n // MOST_IN_A_ROW), min(wanted, -(-n // (FEW // 2))))


def _shares(n: int, outer: int, group: int) -> tuple[int, int, int]:
    """How rows of ``n`` values are shared: the number of work items for each part, about the square
    root of ``n``, the number of values in a part, and the number of parts."""
    lanes = min(1 << round(math.log2(n) / 2), group)
    wanted = min(ITEMS // (outer * lanes), n // (FEW * lanes))
    parts = max(-(-n // (MOST_IN_A_ROW * lanes)), wanted, 1)
    part = -(-n // parts)
    return lanes, part, -(-n // part)


@lru_cache(maxsize=256)
def fold_text(operation: Operation, dtype: DType) -> str:
    """What the kernels that fold need before their text."""
    types = f"#define VALUE_T_IS_DEFINED\ntypedef {C_TYPES[dtype]} value_t;\n"
    return types + _device.function_of(operation, dtype)
