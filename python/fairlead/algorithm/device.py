# SPDX-License-Identifier: Apache-2.0
# Algorithms on the device of an OpenCL queue.
"""How ``fl.device_policy`` runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from fairlead.algorithm.arrays import Values
from fairlead.algorithm.expression import DType, Expression
from fairlead.algorithm.opencl_kernels import (
    FILL,
    FOLD_PARTS,
    MAP,
    PRELUDE,
    REDUCE,
    SCAN,
    text_of_inputs,
    text_of_operation,
)
from fairlead.algorithm.opencl_operations import C_TYPES
from fairlead.algorithm.opencl_text import (
    body_of,
    helpers_of,
    literal,
    obstacle_to,
)
from fairlead.algorithm.operation import Operation, operation_of
from fairlead.opencl import Buffer, LocalMemory, Queue

MOST_GROUP_ITEMS = 256
VALUES_OF_AN_ITEM = 8
GROUPS_OF_A_UNIT = 8


def obstacle(expression: Expression, inputs: Sequence[Values]) -> str:
    """Why no device can compute the expression of these values; empty where one can."""
    return obstacle_to(expression, tuple(each.dtype for each in inputs))


def transform(
    queue: Queue, expression: Expression, inputs: Sequence[Values], out: Buffer, dtype: DType
) -> None:
    """Write the expression's values, which are of type ``dtype``, to ``out``."""
    types = tuple(each.dtype for each in inputs)
    body, value = body_of(expression, types)
    text = (
        PRELUDE
        + helpers_of(expression, types)
        + MAP.format(type=C_TYPES[dtype], body=body, value=value, **text_of_inputs(types))
    )
    size, group = inputs[0].size, group_of(queue)
    queue.enqueue(
        queue.build(text).kernel("apply"),
        _rounded(size, group),
        *(each.on(queue) for each in inputs),
        out,
        np.uint64(size),
        local_size=group,
    )


def fill(queue: Queue, out: Buffer, size: int, value: np.generic) -> None:
    """Write ``value`` to each of ``size`` places of ``out``."""
    text, group = FILL.format(type=C_TYPES[value.dtype]), group_of(queue)
    queue.enqueue(
        queue.build(text).kernel("fill"),
        _rounded(size, group),
        out,
        value.view(_stored(value.dtype)),
        np.uint64(size),
        local_size=group,
    )


def reduce(
    queue: Queue,
    operation: Operation,
    expression: Expression,
    inputs: Sequence[Values],
    dtype: DType,
) -> Any:
    """One value of type ``dtype`` for each of some groups, at least one."""
    types = tuple(each.dtype for each in inputs)
    body, value = body_of(expression, types)
    return fold(queue, operation, inputs, dtype, helpers_of(expression, types), body, value)


def find(queue: Queue, predicate: Expression, inputs: Sequence[Values]) -> int | None:
    """The first place that the predicate holds for."""
    types = tuple(each.dtype for each in inputs)
    body, value = body_of(predicate, types)
    dtype, size = np.dtype(np.int64), inputs[0].size
    helpers = helpers_of(predicate, types)
    place = f"{value} != 0 ? (long)i : (long)n"
    first = int(fold(queue, operation_of("min"), inputs, dtype, helpers, body, place).min())
    return None if first == size else first


def count(queue: Queue, predicate: Expression, inputs: Sequence[Values]) -> int:
    """How many values the predicate holds for."""
    types = tuple(each.dtype for each in inputs)
    body, value = body_of(predicate, types)
    helpers, dtype = helpers_of(predicate, types), np.dtype(np.int64)
    holds = f"{value} != 0 ? 1 : 0"
    return int(fold(queue, operation_of("+"), inputs, dtype, helpers, body, holds).sum())


def fold(
    queue: Queue,
    operation: Operation,
    inputs: Sequence[Values],
    dtype: DType,
    helpers: str,
    body: str,
    value: str,
) -> Any:
    """Fold the ``value`` at each place, group by group."""
    types = tuple(each.dtype for each in inputs)
    text = (
        PRELUDE
        + helpers
        + text_of_operation(operation, dtype)
        + REDUCE.format(
            type=C_TYPES[dtype],
            identity=literal(operation.identity(dtype), dtype),
            body=body,
            value=value,
            **text_of_inputs(types),
        )
    )
    size, group = inputs[0].size, group_of(queue)
    groups = min(-(-size // group), GROUPS_OF_A_UNIT * queue.device.compute_units)
    out = queue.empty(groups, _stored(dtype))
    queue.enqueue(
        queue.build(text).kernel("fold"),
        groups * group,
        *(each.on(queue) for each in inputs),
        out,
        LocalMemory(group * dtype.itemsize),
        np.uint64(size),
        local_size=group,
    )
    return queue.read(out).view(dtype)


def scan(
    queue: Queue,
    operation: Operation,
    values: Values,
    out: Buffer,
    dtype: DType,
    initial: Any,
    is_exclusive: bool,
) -> None:
    """Write the folds of all values up to each place: parts are folded, then each is scanned."""
    text = (
        PRELUDE
        + text_of_operation(operation, dtype)
        + (FOLD_PARTS + SCAN).format(
            type=C_TYPES[dtype],
            identity=literal(operation.identity(dtype), dtype),
            each=VALUES_OF_AN_ITEM,
            **text_of_inputs((values.dtype,)),
        )
    )
    program, group, size = queue.build(text), group_of(queue), values.size
    tile = group * VALUES_OF_AN_ITEM
    tiles = -(-size // tile)
    part = -(-tiles // (GROUPS_OF_A_UNIT * queue.device.compute_units)) * tile
    groups = -(-size // part)
    source, folds = values.on(queue), queue.empty(groups, _stored(dtype))
    local = LocalMemory(group * dtype.itemsize)
    sizes = np.uint64(size), np.uint64(part)
    queue.enqueue(
        program.kernel("fold_parts"), groups * group, source, folds, local, *sizes,
        local_size=group,
    )  # fmt: skip
    start = operation.identity(dtype) if initial is None else dtype.type(initial)
    totals = np.concatenate([[start], queue.read(folds).view(dtype)[:-1]]).astype(dtype)
    carries = operation.ufunc.accumulate(totals, dtype=dtype)
    queue.enqueue(
        program.kernel("scan"), groups * group, source, out,
        queue.buffer(carries.view(_stored(dtype))), local, *sizes, np.int32(is_exclusive),
        local_size=group,
    )  # fmt: skip


def _stored(dtype: DType) -> DType:
    return np.dtype(np.uint8) if dtype.kind == "b" else dtype


def _rounded(size: int, group: int) -> int:
    return -(-size // group) * group


@lru_cache(maxsize=256)
def group_of(queue: Queue) -> int:
    """The work items of a group: a power of two."""
    size = MOST_GROUP_ITEMS
    while size > queue.device.max_work_group_size:
        size //= 2
    return size
