# SPDX-License-Identifier: Apache-2.0
# Keeping some values, on the device of an OpenCL queue.
"""How ``pm.device_policy`` runs ``pm.copy_if`` and ``pm.unique``."""

from __future__ import annotations

import numpy as np

from pointsman.algorithm import _device, _device_native
from pointsman.algorithm._arrays import Values, values_of
from pointsman.algorithm._device_parts import parts_of
from pointsman.algorithm._expression import IDENTITY, Expression
from pointsman.algorithm._opencl_kernels import KEEP, PRELUDE, text_of_inputs
from pointsman.algorithm._opencl_memory import loaded, memory_type
from pointsman.algorithm._opencl_text import body_of, helpers_of
from pointsman.algorithm._operation import operation_of
from pointsman.opencl import Buffer, Queue

PART = 32  # values of an item, where neighbours read a cache line each

_COUNT = np.dtype(np.uint64)


class Kept:
    """The values that are kept, counted but not yet written.

    predicate: what holds for them; None keeps the first of each run of equal ones.
    """

    def __init__(self, queue: Queue, values: Values, predicate: Expression | None) -> None:
        self._queue = queue
        self._values = values
        self._source = values.on(queue)
        self._program = _device.program_of(queue, _text(values, predicate))
        self._parts = parts_of(queue, values.size, PART)
        self._counts = queue.empty(self._parts.count, _COUNT)
        self._run("count_kept", self._counts)
        counts = [values_of(self._counts)]
        self.size = int(_device.reduce(queue, _PLUS, IDENTITY, counts, _COUNT))

    def write(self, out: Buffer) -> None:
        """Write them to the first ``size`` places of ``out``, which is elsewhere."""
        starts = self._queue.empty(self._counts.shape, _COUNT)
        counts = values_of(self._counts)
        _device_native.scan(self._queue, _PLUS, counts, starts, 0, is_exclusive=True)
        self._run("write_kept", self._counts, starts, out)

    def _run(self, kernel: str, *arrays: Buffer) -> None:
        self._queue.enqueue(
            self._program.kernel(kernel), self._parts.items, self._source, *arrays,
            np.uint64(self._values.size), np.uint64(self._parts.size),
            local_size=self._parts.group,
        )  # fmt: skip


_PLUS = operation_of("+")


def _text(values: Values, predicate: Expression | None) -> str:
    types = (values.dtype,)
    if predicate is None:
        helpers, body, before = "", "", loaded(values.dtype, "x0[i - 1]")
        is_kept = f"(i == 0 || v0 != {before})"
    else:
        helpers = helpers_of(predicate, types)
        body, value = body_of(predicate, types)
        is_kept = f"({value} != 0)"
    return (
        PRELUDE
        + helpers
        + KEEP.format(
            type=memory_type(values.dtype), body=body, is_kept=is_kept, **text_of_inputs(types)
        )
    )
