# SPDX-License-Identifier: Apache-2.0
# Algorithms on the device of an OpenCL queue, in C++.
"""How ``pm.device_policy`` runs what takes no function.

The extension module is there where there is a queue; it is loaded by the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _device
from pointsman.algorithm._arrays import Values, values_of
from pointsman.algorithm._device import HALF, computed_type
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
    """Write the folds of all values up to each place, of the type of ``out``, to ``out``."""
    from pointsman import _opencl

    dtype = out.dtype
    results = out if dtype.itemsize >= 4 else queue.empty(out.shape, _wide_type(dtype))
    source = values.buffer
    if source is None or source.dtype != results.dtype:
        _device.transform(queue, IDENTITY, [values], results)
        source = results
    start = b"" if initial is None else np.asarray(initial).astype(results.dtype).tobytes()
    _opencl.scan(queue, source, results, operation.name, start, is_exclusive)
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
    """Sort in place, NaN last, and move the values along."""
    from pointsman import _opencl

    wide_keys = keys if keys.dtype == HALF else _widened(queue, keys)
    wide_values = None if values is None else _widened(queue, values)
    _opencl.sort(queue, wide_keys, wide_values, is_descending, is_stable)
    for given, wide in ((keys, wide_keys), (values, wide_values)):
        if given is not None and wide is not None and wide is not given:
            _device.transform(queue, IDENTITY, [values_of(wide)], given)


def merge(queue: Queue, inputs: Sequence[Values], out: Buffer, is_descending: bool) -> None:
    """Merge two sorted arrays, converted to the type of ``out``, which is elsewhere."""
    from pointsman import _opencl

    filled = [each for each in inputs if each.size]
    if len(filled) == 1:
        _device.transform(queue, IDENTITY, filled, out)
    else:
        computed = computed_type(out.dtype)
        a, b = (_converted(queue, each, computed) for each in inputs)
        results = out if out.dtype == computed else queue.empty(out.shape, computed)
        _opencl.merge(queue, a, b, results, is_descending)
        if results is not out:
            _device.transform(queue, IDENTITY, [values_of(results)], out)


def places(queue: Queue, values: Values, finders: Sequence[Any]) -> tuple[int, ...]:
    """The place that each of ``numpy.argmin`` or ``argmax`` finds."""
    from pointsman import _opencl

    buffer = _converted(queue, values, computed_type(values.dtype))
    natives = {np.argmin: _opencl.argmin, np.argmax: _opencl.argmax}
    return tuple(natives[find](queue, buffer) for find in finders)


def count_bins(
    queue: Queue, values: Values, edges: NDArray[Any], dtype: DType
) -> NDArray[np.int64]:
    """How many values are between the edges, both converted to ``dtype``."""
    from pointsman import _opencl

    counts = queue.empty(edges.size - 1, np.int64)
    counted = _converted(queue, values, computed_type(values.dtype))
    _opencl.count_bins(queue, counted, queue.buffer(edges.astype(dtype)), counts)
    return queue.read(counts)


def _widened(queue: Queue, buffer: Buffer) -> Buffer:
    """The buffer itself where its values have the 32 bits or 64 that devices sort, else a copy."""
    if buffer.itemsize >= 4:
        return buffer
    return _converted(queue, values_of(buffer), _wide_type(buffer.dtype))


def _wide_type(dtype: DType) -> DType:
    """One of 32 bits that holds a number of fewer, or a bool."""
    return np.dtype({"i": np.int32, "f": np.float32}.get(dtype.kind, np.uint32))


def _converted(queue: Queue, values: Values, dtype: DType) -> Buffer:
    """The values on the device, as of the type; those of bool may be bytes."""
    if C_TYPES[values.dtype] == C_TYPES[dtype] and values.dtype != HALF:
        return values.on(queue)
    converted = queue.empty(values.shape, dtype)
    _device.transform(queue, IDENTITY, [values], converted)
    return converted
