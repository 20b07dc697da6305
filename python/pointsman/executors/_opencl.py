# SPDX-License-Identifier: Apache-2.0
# The functions that it runs enqueue kernels themselves, so it works for any program.
"""The executor of an OpenCL queue: ``opencl()``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pointsman._properties import Property, mapping, occupancy
from pointsman.executors._executor import Executor, checked_resource
from pointsman.opencl import Event, Queue


@functools.cache
def _shared_queue() -> Queue:
    return Queue()


@dataclass(frozen=True)
class _OpenCL(Executor):
    """Calls functions with a queue and a shape; each enqueues kernels and returns an event."""

    name = "opencl"
    allowed = ("always", "never", "possibly")
    context: Queue = field(default_factory=_shared_queue)

    def _answers(self) -> dict[Property, Any]:
        units = self.context.device.compute_units
        return {**super()._answers(), mapping: "other", occupancy: units}

    def execute(self, f: Callable[[Queue, Any], Event]) -> Event | None:
        return self.bulk_execute(f, 1)

    def bulk_execute(
        self, f: Callable[[Queue, Any], Event], shape: int | Sequence[int]
    ) -> Event | None:
        event = f(self.context, shape)
        if self.blocks != "always":
            return event
        event.wait()
        return None


def opencl(where: Queue | None = None) -> Executor:
    """Return the executor of ``where``, by default of a queue on the first device.

    A function that it runs enqueues a kernel and returns the event:
    ``lambda queue, shape: queue.enqueue(kernel, shape, buffer)``.

    Raises OpenCLError (a RuntimeError) without a device.
    """
    return _OpenCL() if where is None else _OpenCL(context=checked_resource(where, Queue))
