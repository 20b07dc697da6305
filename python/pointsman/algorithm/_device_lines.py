# SPDX-License-Identifier: Apache-2.0
# Lines are divided into parts, whose folds are scanned first, by the same kernels.
"""Scans of the lines along an axis under ``pm.device_policy``."""

from __future__ import annotations

from typing import Any

import numpy as np

from pointsman.algorithm import _device, _device_axis, _device_native
from pointsman.algorithm._arrays import Values, device_type, values_of
from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import IDENTITY, DType
from pointsman.algorithm._operation import Operation
from pointsman.opencl import Buffer, Queue

Lengths = tuple[int, int, int]  # of an array of the shape (outer, n, inner): lines have n values


def scan(
    queue: Queue,
    operation: Operation,
    values: Values,
    out: Buffer,
    lengths: Lengths,
    dtype: DType,
    initial: Any,
    is_exclusive: bool,
) -> None:
    """Write the fold of all values up to each index in its line to ``out``, as type ``dtype``."""
    computed = _device.computed_type(dtype)
    source = _device_native.converted(queue, values, computed)
    is_written = out.dtype == device_type(computed)
    results = out if is_written else queue.empty(values.shape, device_type(computed))
    scans = _Scans(queue, _device_axis.fold_text(operation, computed), computed, initial)
    scans.run(source, results, lengths, is_exclusive)
    if results is not out:
        _device.transform(queue, IDENTITY, [values_of(results)], out)
    opencl.await_commands(queue)


class _Scans:
    """The scans of the values, of the folds of their parts, and so on."""

    def __init__(self, queue: Queue, text: str, dtype: DType, initial: Any) -> None:
        self.queue = queue
        self.text = text
        self.type = device_type(dtype)
        first = np.asarray(0 if initial is None else initial).astype(self.type)[()]
        self.initial = first, int(initial is not None)
        self.in_use: list[Buffer] = []  # a driver may wait for a kernel when its buffers are freed

    def run(self, values: Buffer, out: Buffer, lengths: Lengths, is_exclusive: bool) -> None:
        """Start to scan the lines of ``values`` to ``out``, which may be ``values``."""
        outer, n, inner = lengths
        part = _part(n, outer * inner)
        parts = -(-n // part)
        count = outer * parts * inner
        arguments = values, n, inner, part, parts, count
        folds = None
        if parts > 1:
            folds = self.queue.empty(count, self.type)
            self.in_use.append(folds)
            self._start("fold_parts", count, *arguments, folds)
            self.run(folds, folds, (outer, parts, inner), is_exclusive=False)
        self._start("scan_parts", count, *arguments, folds, *self.initial, int(is_exclusive), out)

    def _start(self, name: str, count: int, *arguments: Any) -> None:
        kernel = _device.kernel_of(self.queue, "scan_axis", name, self.text)
        _device.start(self.queue, kernel, count, *arguments)


def _part(n: int, lines: int) -> int:
    """The number of values in each part of ``lines`` lines of ``n`` values."""
    if n <= _device_axis.FEW:
        return n
    wanted = n * lines // _device_axis.ITEMS
    return min(max(wanted, _device_axis.FEW // 2), _device_axis.MOST_IN_A_ROW)
