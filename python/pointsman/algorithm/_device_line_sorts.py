# SPDX-License-Identifier: Apache-2.0
# All values are sorted together, and then by the number of their line.
"""Sorts of the lines along an axis under ``pm.device_policy``."""

from __future__ import annotations

from typing import Any

import numpy as np

from pointsman.algorithm import _device, _device_native
from pointsman.algorithm._device_lines import Lengths
from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import DType
from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.opencl import Buffer, Queue


def sort(
    queue: Queue, values: Buffer, lengths: Lengths, is_descending: bool, is_stable: bool
) -> None:
    """Sort each line in place, NaN last."""
    source = queue.empty(values.shape, values.dtype)
    _device.copy(queue, values, source)
    lines = _SortedLines(queue, source, lengths, is_descending, is_stable)
    lines.take("take_values", values, source)
    opencl.await_commands(queue)


def argsort(
    queue: Queue, values: Buffer, out: Buffer, lengths: Lengths, is_descending: bool
) -> None:
    """Write the indices that sort each line stably, NaN last, to ``out``, a buffer of int64."""
    lines = _SortedLines(queue, values, lengths, is_descending, is_stable=True)
    lines.take("take_indices", out)
    opencl.await_commands(queue)


class _SortedLines:
    """Where the values are, counted line by line, when each line is sorted.

    All values are sorted together, and then, stably, by the number of their line.
    """

    def __init__(
        self,
        queue: Queue,
        values: Buffer,
        lengths: Lengths,
        is_descending: bool,
        is_stable: bool,
    ) -> None:
        self.queue = queue
        self.lengths = outer, n, inner = lengths
        self.count = outer * n * inner
        index_type = np.dtype(np.uint32 if self.count < 2**32 else np.uint64)
        keys = queue.empty(self.count, values.dtype)
        self.indices = queue.empty(self.count, index_type)
        self.text = _text(values.dtype, index_type)
        self._run("line_up", values, n, inner, self.count, keys, self.indices)
        _device_native.sort(
            queue, keys, self.indices, is_descending=is_descending, is_stable=is_stable
        )
        lines = queue.empty(self.count, index_type)
        self._run("number_lines", self.indices, n, self.count, lines)
        _device_native.sort(queue, lines, self.indices, is_descending=False, is_stable=True)

    def take(self, kernel: str, out: Buffer, *sources: Buffer) -> None:
        """Run a kernel that writes to ``out`` what is at the indices."""
        _, n, inner = self.lengths
        self._run(kernel, *sources, self.indices, n, inner, self.count, out)

    def _run(self, name: str, *arguments: Any) -> None:
        kernel = _device.kernel_of(self.queue, "sort_axis", name, self.text)
        _device.start(self.queue, kernel, self.count, *arguments)


def _text(values: DType, indices: DType) -> str:
    """What the kernels of sorts need before their text: types of the same sizes."""
    types = {"value_t": np.dtype(f"u{values.itemsize}"), "index_t": indices}
    lines = [f"typedef {C_TYPES[dtype]} {name};\n" for name, dtype in types.items()]
    return "#define TYPES_ARE_DEFINED\n" + "".join(lines)
