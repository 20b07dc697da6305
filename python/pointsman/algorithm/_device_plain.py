# SPDX-License-Identifier: Apache-2.0
# Buffers under a device policy need no plan: it would take longer than to start a kernel.
"""Calls whose arrays are all in buffers; what depends on types is decided once for these."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from pointsman.algorithm import _device, _device_axis
from pointsman.algorithm._arrays import values_of
from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import IDENTITY, DType, Expression
from pointsman.algorithm._folded_function import FunctionOperation
from pointsman.algorithm._opencl_text import obstacle_to
from pointsman.algorithm._operation import Operation
from pointsman.algorithm._plain import may_go_along
from pointsman.execution import DevicePolicy
from pointsman.opencl import Buffer, Queue


def queue_for(policy: Any, a: Any, b: Any = None, out: Any = None) -> Queue | None:
    """The queue of a device policy if all arrays are buffers, else None. ``b`` and ``out`` may be
    None."""
    is_device = (
        type(policy) is DevicePolicy
        and type(a) is Buffer
        and (b is None or type(b) is Buffer)
        and (out is None or type(out) is Buffer)
    )
    return policy.queue if is_device else None


def transform(
    queue: Queue, expression: Expression, inputs: Sequence[Buffer], out: Buffer | None
) -> Buffer | None:
    """Write the expression's values to ``out``, by default a new buffer, and return it. None, and
    nothing is done, if shapes or types are unlike."""
    shape = inputs[0].shape
    if inputs[-1].shape != shape:
        return None
    decided = _written(expression, tuple([each.dtype for each in inputs]))
    if decided is None:
        return None
    dtype, transformation = decided
    if out is None:
        out = empty_like(queue, inputs[0], dtype)
    elif out.shape != shape or out.dtype != dtype:
        return None
    if expression is IDENTITY and out is not inputs[0]:
        opencl.copy(queue, inputs[0], out)
    else:
        transformation.start(queue, inputs, out)
    opencl.await_commands(queue)
    return out


def reduce(
    queue: Queue, operation: Operation, expression: Expression, inputs: Sequence[Buffer]
) -> Any:
    """The fold of the expression's values. None, and nothing is done, if shapes are unlike or
    devices do not support the types."""
    if len(inputs) > 1 and inputs[0].shape != inputs[1].shape:
        return None
    types = tuple([each.dtype for each in inputs])
    dtype = _folded(operation, expression, types)
    if dtype is None:
        return None
    return _device.fold(queue, operation, expression, inputs, types, dtype)


def reduce_along(queue: Queue, operation: Operation, a: Buffer, axis: Any) -> Buffer | None:
    """Fold the values along an axis to a new buffer. None, and nothing is done, unless ``axis`` is
    one of several, and devices support the type."""
    shape = a.shape
    if len(shape) == 1 or not may_go_along(axis, len(shape)):
        return None
    dtype = _folded(operation, IDENTITY, (a.dtype,))
    if dtype is None:
        return None
    at = axis % len(shape)
    kept = shape[:at] + shape[at + 1 :]
    return _device_axis.reduce(queue, operation, IDENTITY, [values_of(a)], (at,), dtype, kept)


def empty_like(queue: Queue, buffer: Buffer, dtype: DType) -> Buffer:
    """A new buffer of the shape of another."""
    if buffer.dtype == dtype:
        return opencl.empty_like(queue, buffer)
    return queue.empty(buffer.shape, dtype)


def supports(dtype: DType) -> bool:
    """Return True if devices support values of the type."""
    return not obstacle_to(IDENTITY, (dtype,))


@lru_cache(maxsize=1024)
def _written(
    expression: Expression, types: tuple[DType, ...]
) -> tuple[DType, opencl.Transformation] | None:
    """The type of the expression's values, and how to write them; None if devices cannot."""
    dtype = expression.result_type(*types)
    if obstacle_to(expression, types):
        return None
    return dtype, _device.transformation(expression, types, dtype)


@lru_cache(maxsize=1024)
def _folded(operation: Operation, expression: Expression, types: tuple[DType, ...]) -> DType | None:
    """The type of folds of the expression's values; None if devices cannot fold them at once."""
    if isinstance(operation, FunctionOperation):
        return None
    dtype = operation.reduced_type(expression.result_type(*types), None)
    return None if obstacle_to(expression, types) else dtype
