# SPDX-License-Identifier: Apache-2.0
# Algorithms on the device of an OpenCL queue.
"""How ``pm.device_policy`` runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pointsman.algorithm import _device_parts
from pointsman.algorithm._arrays import Values
from pointsman.algorithm._expression import DType, Expression
from pointsman.algorithm._opencl_kernels import (
    MAP,
    MAP_ALONE,
    PRELUDE,
    REDUCE,
    REDUCE_ALONE,
    text_of_inputs,
    text_of_operation,
)
from pointsman.algorithm._opencl_memory import computed_type, memory_type, stored, with_conversions
from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.algorithm._opencl_text import (
    body_of,
    helpers_of,
    literal,
    obstacle_to,
)
from pointsman.algorithm._operation import Operation, operation_of
from pointsman.opencl import Buffer, LocalMemory, Program, Queue

GROUPS_OF_A_UNIT = 8
MAPPED_OF_AN_ITEM = 4  # values
FOLDED_PART = 16_384  # values, which a lane folds in 1024 roundings


def obstacle(expression: Expression, inputs: Sequence[Values]) -> str:
    """Why no device can compute the expression of these values; empty where one can."""
    return obstacle_to(expression, tuple(each.dtype for each in inputs))


def program_of(queue: Queue, text: str) -> Program:
    """The program that ``text`` is, which rounds divisions as NumPy does where the device can."""
    from pointsman import _opencl  # there is one where there is a queue

    return queue.build(with_conversions(text), _opencl.host_arithmetic(queue))


def transform(
    queue: Queue, expression: Expression, inputs: Sequence[Values], out: Buffer, dtype: DType
) -> None:
    """Write the expression's values, which are of type ``dtype``, to ``out``."""
    types = tuple(each.dtype for each in inputs)
    body, value = body_of(expression, types)
    gaps = {"body": body, "value": stored(dtype, value), **text_of_inputs(types)}
    arrays = [each.on(queue) for each in inputs]
    _map(queue, helpers_of(expression, types), gaps, arrays, out, dtype, inputs[0].size)


def fill(queue: Queue, out: Buffer, size: int, value: np.generic) -> None:
    """Write ``value`` to each of ``size`` places of ``out``."""
    parameter = f"const {memory_type(value.dtype)} value"
    gaps = {"parameters": parameter, "load": "", "body": "", "value": "value"}
    _map(queue, "", gaps, [value.view(_stored(value.dtype))], out, value.dtype, size)


def _map(
    queue: Queue,
    helpers: str,
    gaps: dict[str, str],
    arguments: Sequence[Buffer | np.generic],
    out: Buffer,
    dtype: DType,
    size: int,
) -> None:
    alone = _device_parts.works_alone(queue)
    gaps = gaps | {"type": memory_type(dtype), "each": str(MAPPED_OF_AN_ITEM)}
    text = PRELUDE + helpers + (MAP_ALONE if alone else MAP).format(**gaps)
    parts = _device_parts.parts_of(queue, size, MAPPED_OF_AN_ITEM)
    sizes = (np.uint64(size), np.uint64(parts.size)) if alone else (np.uint64(size),)
    kernel = program_of(queue, text).kernel("apply")
    queue.enqueue(kernel, parts.items, *arguments, out, *sizes, local_size=parts.group)


def reduce(
    queue: Queue,
    operation: Operation,
    expression: Expression,
    inputs: Sequence[Values],
    dtype: DType,
    **options: Any,
) -> Any:
    """The expression's values folded to one of type ``dtype``, with the options of NumPy's
    ``ufunc.reduce``."""
    types = tuple(each.dtype for each in inputs)
    body, value = body_of(expression, types)
    helpers, computed = helpers_of(expression, types), computed_type(dtype)
    folds = fold(queue, operation, inputs, computed, helpers, body, value)
    return operation.ufunc.reduce(folds, **options).astype(dtype)


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
    """Fold the ``value`` at each place, group by group or part by part."""
    types = tuple(each.dtype for each in inputs)
    alone = _device_parts.works_alone(queue)
    text = (
        PRELUDE
        + helpers
        + text_of_operation(operation, dtype)
        + (REDUCE_ALONE if alone else REDUCE).format(
            type=C_TYPES[dtype],
            identity=literal(operation.identity(dtype), dtype),
            body=body,
            value=value,
            **text_of_inputs(types),
        )
    )
    size, group = inputs[0].size, 1 if alone else _device_parts.group_of(queue)
    most_groups = GROUPS_OF_A_UNIT * queue.device.compute_units
    groups = -(-size // FOLDED_PART) if alone else min(-(-size // group), most_groups)
    out = queue.empty(groups, _stored(dtype))
    arrays = (*(each.on(queue) for each in inputs), out)
    kernel = program_of(queue, text).kernel("fold")
    if alone:
        sizes = np.uint64(size), np.uint64(FOLDED_PART)
        queue.enqueue(kernel, groups, *arrays, *sizes, local_size=1)
    else:
        local = LocalMemory(group * dtype.itemsize)
        queue.enqueue(kernel, groups * group, *arrays, local, np.uint64(size), local_size=group)
    return queue.read(out).view(dtype)


def _stored(dtype: DType) -> DType:
    """The type of the same size that kernels have for values in memory."""
    return np.dtype({"?": np.uint8, "e": np.uint16}.get(dtype.char, dtype))
