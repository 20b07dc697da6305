# SPDX-License-Identifier: Apache-2.0
# Widens and converts buffers to the types that the C++ algorithms for OpenCL support.
"""Algorithms without a function argument under ``pm.device_policy``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _device
from pointsman.algorithm._arrays import Values, values_of
from pointsman.algorithm._device import HALF, computed_type
from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import IDENTITY, DType
from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.algorithm._operation import Operation
from pointsman.opencl import Buffer, Queue


def scan(
    queue: Queue,
    operation: Operation,
    values: Values,
    out: Buffer,
    initial: Any,
    is_exclusive: bool,
) -> None:
    """Write the fold of all values up to each index to ``out``, in the type of ``out``."""
    dtype = _scanned_type(operation, out.dtype)
    results = out if out.dtype == dtype else queue.empty(out.shape, dtype)
    source = values.buffer
    if source is None or values.dtype != dtype:
        _device.transform(queue, IDENTITY, [values], results)
        source = results
    start = b"" if initial is None else np.asarray(initial).astype(results.dtype).tobytes()
    opencl.scan(queue, source, results, operation.name, start, is_exclusive)
    if results is not out:
        _device.transform(queue, IDENTITY, [values_of(results)], out)


def sort(
    queue: Queue,
    keys: Buffer,
    values: Buffer | None = None,
    *,
    is_descending: bool,
    is_stable: bool,
) -> None:
    """Sort the keys in place, NaN last, and reorder the values alike."""
    wide_keys = keys if keys.dtype == HALF else _widened(queue, keys)
    wide_values = None if values is None else _widened(queue, values)
    opencl.sort(queue, wide_keys, wide_values, is_descending, is_stable)
    for given, wide in ((keys, wide_keys), (values, wide_values)):
        if given is not None and wide is not None and wide is not given:
            _device.transform(queue, IDENTITY, [values_of(wide)], given)


def iota(queue: Queue, out: Buffer) -> None:
    """Write 0, 1, 2 and so on to ``out``, a buffer of integers of at least 32 bits."""
    _device.fill(queue, out, out.dtype.type(1))
    opencl.scan(queue, out, out, "+", bytes(out.itemsize), True)


def merge(queue: Queue, inputs: Sequence[Values], out: Buffer, is_descending: bool) -> None:
    """Merge two sorted arrays into ``out``, in its type; ``out`` shares no memory with them."""
    filled = [each for each in inputs if each.size]
    if len(filled) == 1:
        _device.transform(queue, IDENTITY, filled, out)
    else:
        computed = computed_type(out.dtype)
        a, b = (converted(queue, each, computed) for each in inputs)
        results = out if out.dtype == computed else queue.empty(out.shape, computed)
        opencl.merge(queue, a, b, results, is_descending)
        if results is not out:
            _device.transform(queue, IDENTITY, [values_of(results)], out)


def indices_of(queue: Queue, values: Values, finders: Sequence[Any]) -> tuple[int, ...]:
    """The index that each of the finders, ``ndarray.argmin`` or ``ndarray.argmax``, returns."""
    buffer = converted(queue, values, computed_type(values.dtype))
    natives = {np.ndarray.argmin: opencl.argmin, np.ndarray.argmax: opencl.argmax}
    return tuple(natives[find](queue, buffer) for find in finders)


def count_bins(queue: Queue, values: Values, edges: Buffer) -> NDArray[np.int64]:
    """The number of values between each two edges, compared in the type of the edges."""
    counts = queue.empty(edges.size - 1, np.int64)
    counted = converted(queue, values, computed_type(values.dtype))
    opencl.count_bins(queue, counted, edges, counts)
    return queue.read(counts)


def converted(queue: Queue, values: Values, dtype: DType) -> Buffer:
    """The values on the device as type ``dtype``; bool values may be in a buffer of uint8."""
    if C_TYPES[values.dtype] == C_TYPES[dtype] and values.dtype != HALF:
        return values.on(queue)
    out = queue.empty(values.shape, dtype)
    _device.transform(queue, IDENTITY, [values], out)
    return out


def _widened(queue: Queue, buffer: Buffer) -> Buffer:
    """The buffer itself if its values have at least the 32 bits that devices sort, else a copy."""
    if buffer.itemsize >= 4:
        return buffer
    return converted(queue, values_of(buffer), _wide_type(buffer.dtype))


@lru_cache(maxsize=1024)
def _scanned_type(operation: Operation, dtype: DType) -> DType:
    """The type in which the engine scans to results of type ``dtype``."""
    scanned = _added_type(dtype) if operation.name in ("+", "*") else dtype
    return _wide_type(scanned) if scanned.itemsize < 4 else scanned


def _added_type(dtype: DType) -> DType:
    """The type in which the engine adds and multiplies: 64 bits for integers, which wrap around."""
    return np.dtype({"i": np.int64, "u": np.uint64}.get(dtype.kind, dtype))


def _wide_type(dtype: DType) -> DType:
    """The 32-bit type for values of a narrower type or bool."""
    return np.dtype({"i": np.int32, "f": np.float32}.get(dtype.kind, np.uint32))
