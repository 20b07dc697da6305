# SPDX-License-Identifier: Apache-2.0
# Types, operations and the location of the values decide whether a plan can run on a device.
"""Algorithms turn their arguments into a ``Plan``; ``run_under`` runs it under a policy."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from pointsman.algorithm._arrays import Values, context_of
from pointsman.algorithm._device import obstacle
from pointsman.algorithm._expression import Expression
from pointsman.execution import Call, DevicePolicy, ExecutionPolicy, HostPolicy, seq
from pointsman.opencl import Buffer, Queue


@dataclass(slots=True, eq=False)  # not frozen, which would triple the time of each call
class Plan:
    """How an algorithm runs on the host and on a device. Never changed.

    kind: the algorithm and everything else that its cost depends on, except the types and sizes of
        the values.
    expression: computed from ``inputs``; a device has to support its operations.
    out: the caller's array or buffer for the results; None for a new array or buffer.
    refused: why no device can run the plan; empty if devices can.
    """

    kind: Hashable
    expression: Expression
    inputs: Sequence[Values]
    on_host: Callable[[HostPolicy], Any]
    on_device: Callable[[Queue], Any]
    out: Any = None
    refused: str = ""

    def call(self) -> Call:
        """The call that a policy runs. It can run on the host unless some values are in a buffer,
        and on a device if devices support its types and operations. A call without any values runs
        on the host, also under a device policy."""
        refused = self.refused_by_devices()
        buffer = self._buffer()
        in_buffer = buffer is not None
        reason = "values are in an OpenCL buffer: use a device policy" if in_buffer else ""
        return Call(
            (self.kind, *(each.dtype.char for each in self.inputs)),
            sum(each.nbytes for each in self.inputs),
            None if in_buffer else self.on_host,
            None if refused else self.on_device_if_any,
            refused or reason,
            None if buffer is None else context_of(buffer),
        )

    def refused_by_devices(self) -> str:
        """Why no device can run the plan; empty if devices can."""
        return self.refused or obstacle(self.expression, self.inputs)

    def is_in_buffer(self) -> bool:
        """Return True if an input or the output is in a buffer, which the host cannot use."""
        return isinstance(self.out, Buffer) or any(
            [each.buffer is not None for each in self.inputs]
        )

    def _buffer(self) -> Buffer | None:
        """The first buffer among the output and the inputs."""
        buffers = (self.out, *(each.buffer for each in self.inputs))
        return next((each for each in buffers if isinstance(each, Buffer)), None)

    def on_device_if_any(self, queue: Queue) -> Any:
        """Run on a device, or on the host if there are no values."""
        has_values = any(each.size > 0 for each in self.inputs)
        return self.on_device(queue) if has_values else self.on_host(seq)


def run_under(policy: ExecutionPolicy, plan: Plan) -> Any:
    """Run ``plan`` under ``policy`` and return its result; TypeError if that is not a policy."""
    if type(policy) is HostPolicy and not plan.is_in_buffer():
        return plan.on_host(policy)  # making a call takes longer than the work on a small array
    if type(policy) is DevicePolicy and not plan.refused_by_devices():
        return plan.on_device_if_any(policy.queue)
    if not isinstance(policy, ExecutionPolicy):
        raise TypeError(
            f"the first argument is {policy!r}: pass pm.seq, pm.unseq, pm.par, pm.par_unseq, "
            "pm.auto or pm.device_policy(queue)"
        )
    return policy.run(plan.call())
