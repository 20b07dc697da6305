# SPDX-License-Identifier: Apache-2.0
# Where a call of an algorithm can run.
"""``call_of`` makes what a policy runs, and ``run_under`` has a policy run it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from pointsman.algorithm._arrays import Values
from pointsman.algorithm._device import obstacle
from pointsman.algorithm._expression import Expression
from pointsman.execution import Call, ExecutionPolicy, HostPolicy, seq
from pointsman.opencl import Buffer, Queue


def call_of(
    kind: Hashable,
    expression: Expression,
    inputs: Sequence[Values],
    on_host: Callable[[HostPolicy], Any],
    on_device: Callable[[Queue], Any],
    out: Any = None,
) -> Call:
    """An algorithm that computes ``expression`` of ``inputs``: on the host unless some values are
    in a buffer, on a device if that knows the types and operations. No values never travel."""
    refused = obstacle(expression, inputs)
    in_buffer = isinstance(out, Buffer) or any(each.buffer is not None for each in inputs)
    reason = refused or ("values are in an OpenCL buffer: use a device policy" if in_buffer else "")
    has_values = any(each.size > 0 for each in inputs)

    def on_device_if_any(queue: Queue) -> Any:
        return on_device(queue) if has_values else on_host(seq)

    return Call(
        (kind, *(each.dtype.char for each in inputs)),
        sum(each.nbytes for each in inputs),
        None if in_buffer else on_host,
        None if refused else on_device_if_any,
        reason,
    )


def run_under(policy: ExecutionPolicy, call: Call) -> Any:
    """Have ``policy`` run ``call`` and return its result; TypeError for anything else."""
    if not isinstance(policy, ExecutionPolicy):
        raise TypeError(
            f"the first argument is {policy!r}: pass pm.seq, pm.unseq, pm.par, pm.par_unseq, "
            "pm.auto or pm.device_policy(queue)"
        )
    return policy.run(call)
