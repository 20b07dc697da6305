# SPDX-License-Identifier: Apache-2.0
# Calls to the OpenCL engine that pass it a user's function as OpenCL C, and this folder's kernels.
"""Algorithms with a function argument under ``pm.device_policy``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pointsman.algorithm._arrays import Values
from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import DType, Expression
from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.algorithm._opencl_text import Text, condition_of, obstacle_to, text_of
from pointsman.algorithm._operation import Operation
from pointsman.opencl import Buffer, Kernel, Queue

HALF = np.dtype(np.float16)
GROUP = 256  # work items
MOST_KERNELS = 256  # kept for a queue


def obstacle(expression: Expression, inputs: Sequence[Values]) -> str:
    """Why no device can compute the expression for these inputs; empty if devices can."""
    return obstacle_to(expression, tuple(each.dtype for each in inputs))


def computed_type(dtype: DType) -> DType:
    """The type in which kernels compute values of type ``dtype``: float32 for float16."""
    return np.dtype(np.float32) if dtype == HALF else dtype


class _Kept:
    """What is kept for a queue: the size of its work groups, and kernels, by what they are made of,
    until a context may be lost."""

    def __init__(self, queue: Queue) -> None:
        self.group = min(GROUP, 1 << (queue.device.max_work_group_size.bit_length() - 1))
        self.kernels: dict[tuple[str, ...], Kernel] = {}
        self.contexts_forgotten = opencl.contexts_forgotten()


_kept: WeakKeyDictionary[Queue, _Kept] = WeakKeyDictionary()


def _kept_for(queue: Queue) -> _Kept:
    found = _kept.get(queue)
    return _kept.setdefault(queue, _Kept(queue)) if found is None else found


def group_size(queue: Queue) -> int:
    """The number of work items in a group, a power of two."""
    return _kept_for(queue).group


def start(queue: Queue, kernel: Kernel, count: int, *arguments: Any) -> None:
    """Start a kernel with a work item for each of ``count`` parts or values, and a few more, after
    all earlier commands and before all later ones. It has no event: only the wait for the queue can
    tell of an error of its own.

    If the size of a group were left to the driver, PoCL would take another one for another count,
    and compile the kernel again for it."""
    group = group_size(queue)
    opencl.start(queue, kernel, -(-count // group) * group, group, *arguments)


def transform(queue: Queue, expression: Expression, inputs: Sequence[Values], out: Buffer) -> None:
    """Start to write the expression's values to ``out``."""
    types = tuple([each.dtype for each in inputs])
    buffers = [each.on(queue) for each in inputs]
    transformation(expression, types, out.dtype).start(queue, buffers, out)


@lru_cache(maxsize=1024)
def transformation(
    expression: Expression, types: tuple[DType, ...], out: DType
) -> opencl.Transformation:
    """The expression for inputs of these types and results of the type ``out``."""
    return opencl.make_transformation(text_of(expression, types), types, out)


def copy(queue: Queue, source: Buffer, out: Buffer) -> None:
    """Start to copy a buffer to another one."""
    opencl.copy(queue, source, out)


def fill(queue: Queue, out: Buffer, value: np.generic) -> None:
    """Start to write ``value`` to each index of ``out``."""
    _filling(out.dtype).start(queue, [], out, value.tobytes())


@lru_cache(maxsize=64)
def _filling(dtype: DType) -> opencl.Transformation:
    return opencl.make_transformation(("", "", "constant_value"), [], dtype, dtype)


def reduce(
    queue: Queue,
    operation: Operation,
    expression: Expression,
    inputs: Sequence[Values],
    dtype: DType,
    **options: Any,
) -> Any:
    """Fold the expression's values to one value of type ``dtype``; ``options`` are those of NumPy's
    ``ufunc.reduce``."""
    types = tuple(each.dtype for each in inputs)
    buffers = [each.on(queue) for each in inputs]
    return fold(queue, operation, expression, buffers, types, dtype, **options)


def fold(
    queue: Queue,
    operation: Operation,
    expression: Expression,
    buffers: Sequence[Buffer],
    types: tuple[DType, ...],
    dtype: DType,
    **options: Any,
) -> Any:
    """``reduce`` for values in buffers, whose ``types`` may be bool for a buffer of bytes."""
    computed = computed_type(dtype)
    folded = _fold(operation, expression, types, computed).run(queue, buffers)
    if not options and dtype.kind == "f":
        return dtype.type(folded)
    return operation.reduce(np.array([folded]).astype(computed), **options).astype(dtype)


@lru_cache(maxsize=1024)
def _fold(
    operation: Operation, expression: Expression, types: tuple[DType, ...], computed: DType
) -> opencl.Fold:
    """The fold of the expression's values, converted to the type of the fold: the engine adds
    integers as unsigned ones, to which C does not convert negative floats."""
    text = text_of(expression, types)
    text = text._replace(value=f"({C_TYPES[computed]})({text.value})")
    return opencl.make_fold(text, types, operation.name, computed)


def find(queue: Queue, predicate: Expression, inputs: Sequence[Values]) -> int | None:
    """The first index for which the predicate holds; None if there is none."""
    first = opencl.find_if(queue, *_on(queue, predicate, inputs, condition_of))
    return None if first == inputs[0].size else first


def count(queue: Queue, predicate: Expression, inputs: Sequence[Values]) -> int:
    """The number of values for which the predicate holds."""
    return opencl.count_if(queue, *_on(queue, predicate, inputs, condition_of))


def kernel_of(queue: Queue, file: str, name: str, before: str = "", options: str = "") -> Kernel:
    """The kernel ``name`` in a file of this folder, whose text follows ``before``."""
    kept = _kept_for(queue)
    forgotten = opencl.contexts_forgotten()
    if kept.contexts_forgotten != forgotten or len(kept.kernels) >= MOST_KERNELS:
        kept.kernels.clear()
        kept.contexts_forgotten = forgotten
    key = file, name, before, options
    kernel = kept.kernels.get(key)
    if kernel is None:
        kernel = queue.build(before + _text_of_file(file), options).kernel(name)
        kept.kernels[key] = kernel
    return kernel


@lru_cache(maxsize=256)
def function_of(operation: Operation, dtype: DType) -> str:
    """The function ``folded``, which applies the operation to values of the type, in OpenCL C."""
    c_type = C_TYPES[dtype]
    functions, statements, value = text_of(operation.expression, (dtype, dtype))
    return (
        f"{functions}{c_type} folded(const {c_type} v0, const {c_type} v1) {{\n"
        f"{statements}    return {value};\n}}\n"
    )


@cache
def _text_of_file(name: str) -> str:
    return resources.files("pointsman.algorithm").joinpath(f"{name}.cl").read_text("utf-8")


def _on(
    queue: Queue,
    expression: Expression,
    inputs: Sequence[Values],
    written: Callable[..., Text] = text_of,
) -> tuple[Text, list[Buffer]]:
    """The expression, or a condition, as OpenCL C, and the inputs as buffers on the queue's
    device."""
    text = written(expression, tuple(each.dtype for each in inputs))
    return text, [each.on(queue) for each in inputs]
