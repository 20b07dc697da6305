# SPDX-License-Identifier: Apache-2.0
# The states of parts are scanned level by level, with the kernels that C++ uses too.
"""Algorithms by segment under ``pm.device_policy``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from pointsman.algorithm import _device, _device_native
from pointsman.algorithm._arrays import Values, device_type, share_memory, values_of
from pointsman.algorithm._device import computed_type
from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import IDENTITY, DType
from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.algorithm._operation import Operation
from pointsman.opencl import Buffer, Queue

# A work group has GROUP items with EACH values each, or EACH_WIDE if some take 8 bytes.
GROUP = 128
EACH = 9
EACH_WIDE = 5
STATES_OF_ITEM = 32
PARTS_OF_UNIT = 8  # where work items work alone
WORTH_AN_ITEM = 1_024  # values or states, where work items work alone


def scan(
    queue: Queue,
    operation: Operation,
    keys: Values,
    values: Values,
    out: Buffer,
    dtype: DType,
    initial: Any,
) -> None:
    """Write the fold of the values up to each index in its segment, as values of type ``dtype``;
    exclusively, and after ``initial``, unless that is None."""
    segments = _Segments(queue, operation, keys, values, dtype, initial is not None)
    first = np.asarray(0 if initial is None else initial).astype(segments.type)[()]
    overlaps = share_memory(out, keys.buffer) or share_memory(out, values.buffer)
    is_written = out.dtype == segments.type and not overlaps
    results = out if is_written else queue.empty(out.shape, segments.type)
    segments.run("scan_parts", segments.folds, first, results, np.uint64(0))
    if results is not out:
        _device.transform(queue, IDENTITY, [values_of(results)], out)
    opencl.await_commands(queue)


def reduce(
    queue: Queue, operation: Operation, keys: Values, values: Values, dtype: DType
) -> tuple[Buffer, Buffer]:
    """The first key of each segment and the fold of its values, of the types in which devices
    compute with those of the keys and with ``dtype``."""
    segments = _Segments(queue, operation, keys, values, dtype, is_exclusive=False)
    count = segments.count()
    firsts = queue.empty(count, segments.keys.dtype)
    folds = queue.empty(count, segments.type)
    outputs = firsts, np.uint64(0), folds, np.uint64(0)
    segments.run("reduce_parts", segments.folds, segments.begun, *outputs)
    opencl.await_commands(queue)
    return firsts, folds


class _Segments:
    """The states after parts of the values: the fold of the segment that is then open, and the
    number of segments that have begun."""

    def __init__(
        self,
        queue: Queue,
        operation: Operation,
        keys: Values,
        values: Values,
        dtype: DType,
        is_exclusive: bool,
    ) -> None:
        self.queue = queue
        computed = computed_type(dtype)
        self.type = device_type(computed)
        self.keys = _device_native.converted(queue, keys, device_type(computed_type(keys.dtype)))
        self.values = _device_native.converted(queue, values, computed_type(values.dtype))
        types = self.keys.dtype, self.values.dtype, computed
        self.group = min(GROUP, _device.group_size(queue))
        each = EACH_WIDE if any(each.itemsize == 8 for each in types) else EACH
        self.text = _text(operation, *types, is_exclusive, each, self.group)
        self.file = "segment" if _work_alone(queue) else "segment_groups"
        self.n = values.size
        self.part, self.parts = _divided(queue, self.n, each * self.group)
        self.folds: Buffer = queue.empty(self.parts, self.type)
        self.begun: Buffer = queue.empty(self.parts, np.uint64)
        self.in_use: list[Any] = []  # a driver may wait for a kernel when its buffers are freed
        self.run("fold_parts", self.folds, self.begun)
        self.total = self._scan_states(self.folds, self.begun, self.parts)

    def count(self) -> int:
        """The number of segments."""
        return int(self.queue.read(self.total)[0])

    def run(self, kernel: str, *others: Any) -> None:
        """Start a kernel that reads the keys and values."""
        zero = np.uint64(0)
        arrays = self.keys, zero, self.values, zero, np.uint64(self.n), np.uint64(self.part)
        self._start(kernel, self.parts, self.group, *arrays, *others)

    def _scan_states(self, folds: Buffer, begun: Buffer, n: int) -> Buffer:
        """Replace the states of each part alone by those after all parts before, too. Returns a
        buffer with the number of all segments."""
        part, parts = _divided(self.queue, n, STATES_OF_ITEM)
        sums = self.queue.empty(parts, self.type), self.queue.empty(parts, np.uint64)
        self.in_use.append(sums)
        arguments = folds, begun, np.uint64(n), np.uint64(part), *sums
        self._start("fold_states", parts, 0, *arguments)
        total = sums[1] if parts == 1 else self._scan_states(*sums, parts)
        self._start("scan_states", parts, 0, *arguments)
        return total

    def _start(self, name: str, parts: int, group: int, *arguments: Any) -> None:
        """Start a kernel with work groups of ``group`` work items for each part; with one work item
        if that is 0, or if work items work alone."""
        kernel = _device.kernel_of(self.queue, self.file, name, self.text)
        group = 1 if _work_alone(self.queue) else group
        if group == 0:
            _device.start(self.queue, kernel, parts, *arguments)
        else:
            opencl.start(self.queue, kernel, parts * group, group, *arguments)


def _work_alone(queue: Queue) -> bool:
    return opencl.items_work_alone(queue)


def _divided(queue: Queue, n: int, size: int) -> tuple[int, int]:
    """The size and number of the parts into which ``n`` values are divided; the size is ``size``
    unless work items work alone."""
    if _work_alone(queue):
        size = max(WORTH_AN_ITEM, -(-n // (PARTS_OF_UNIT * queue.device.compute_units)))
    return size, -(-n // size)


@lru_cache(maxsize=256)
def _text(
    operation: Operation,
    keys: DType,
    values: DType,
    dtype: DType,
    is_exclusive: bool,
    each: int,
    items: int,
) -> str:
    """What the kernels' file needs before its text."""
    macros = {
        "POINTSMAN_KERNEL": "1",
        "key_t": C_TYPES[keys],
        "key_out_t": C_TYPES[keys],
        "value_t": C_TYPES[values],
        "fold_t": C_TYPES[dtype],
        "out_t": C_TYPES[dtype],
        "SAME(a, b)": "((a) == (b))",
        "COMBINE": "folded",
        "IS_EXCLUSIVE": str(int(is_exclusive)),
        "EACH": str(each),
        "ITEMS": str(items),
    }
    lines = [f"#define {name} {text}\n" for name, text in macros.items()]
    return "".join(lines) + _device.function_of(operation, dtype)
