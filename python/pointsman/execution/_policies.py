# SPDX-License-Identifier: Apache-2.0
# A call of an algorithm can go to the host's threads or to a queue; the policy says which.
"""The policies of the host and of devices, and the calls that they run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final

from pointsman.opencl import Queue


@dataclass(frozen=True)
class Call:
    """An algorithm with its arguments.

    kind: the algorithm and everything else that its cost depends on, except the size.
    size_bytes: total size of the inputs, or of the outputs if there are no inputs.
    on_host, on_device: functions that run the algorithm; None if it cannot run there.
    obstacle: why it cannot run on the host or on a device.
    context: identifies the OpenCL context of the buffers among its values, which a device must
        have to use them; None without buffers.

    >>> class Logged(pm.execution.ExecutionPolicy):
    ...     def run(self, call):
    ...         print(call.size_bytes, "bytes")
    ...         return pm.par.run(call)
    >>> pm.count_if(Logged(), "x > 2", np.arange(8.0))
    64 bytes
    5
    """

    kind: Hashable
    size_bytes: int
    on_host: Callable[[HostPolicy], Any] | None
    on_device: Callable[[Queue], Any] | None
    obstacle: str = ""
    context: int | None = None

    def suits(self, policy: ExecutionPolicy) -> bool:
        """Return whether it can run under ``policy``, one of the host or of a device."""
        if not isinstance(policy, DevicePolicy):
            return self.on_host is not None
        if self.on_device is None or self.context is None:
            return self.on_device is not None
        from pointsman import _opencl  # where there is a buffer, there is the module

        return _opencl.context_of(policy.queue) == self.context

    @property
    def task_key(self) -> Hashable:
        """Equal for calls that are expected to take equally long."""
        return self.kind, self.size_bytes.bit_length()


class ExecutionPolicy(ABC):
    """How an algorithm may run: the first argument of every algorithm.

    >>> for policy in (pm.seq, pm.par):
    ...     print(policy, pm.count_if(policy, "x % 2 == 0", np.arange(9)))
    pm.seq 5
    pm.par 5
    """

    @abstractmethod
    def run(self, call: Call) -> Any:
        """Run ``call`` to completion and return its result."""


class HostPolicy(ExecutionPolicy):
    """Runs algorithms on the host: ``pm.seq``, ``pm.unseq``, ``pm.par`` or ``pm.par_unseq``.

    NumPy uses vector instructions under all four. ``pm.par`` and ``pm.par_unseq``
    also divide an array into parts for the threads of an arena.

    >>> pm.transform(pm.par, "2*x + y", np.arange(4), np.ones(4))
    array([1., 3., 5., 7.])
    """

    def __init__(self, name: str, *, is_parallel: bool) -> None:
        self.name = name
        self.is_parallel = is_parallel

    def __repr__(self) -> str:
        return f"pm.{self.name}"

    def run(self, call: Call) -> Any:
        """Run ``call``. Raises TypeError if it cannot run on the host."""
        if call.on_host is None:
            raise TypeError(f"{self!r} cannot run this: {call.obstacle}")
        return call.on_host(self)


class DevicePolicy(ExecutionPolicy):
    """Runs algorithms on the device of an OpenCL queue; made by ``pm.device_policy``.

    >>> device = pm.device_policy(pm.opencl.Queue())
    >>> pm.transform(device, "2*x", np.arange(4))
    array([0, 2, 4, 6])
    """

    def __init__(self, queue: Queue) -> None:
        self.queue = queue

    def __repr__(self) -> str:
        return f"pm.device_policy({self.queue!r})"

    def run(self, call: Call) -> Any:
        """Run ``call``. Raises TypeError if it cannot run on a device."""
        if call.on_device is None:
            raise TypeError(f"{self!r} cannot run this: {call.obstacle}")
        return call.on_device(self.queue)


seq: Final = HostPolicy("seq", is_parallel=False)
unseq: Final = HostPolicy("unseq", is_parallel=False)
par: Final = HostPolicy("par", is_parallel=True)
par_unseq: Final = HostPolicy("par_unseq", is_parallel=True)


def device_policy(queue: Queue | None = None) -> DevicePolicy:
    """Return a policy that runs algorithms on ``queue``, by default one on the first device.

    Values are integers of 8 to 64 bits, bool, float16, float32 or float64; float16 needs no
    ``cl_khr_fp16``. Arrays are copied to the device and back; a ``pm.opencl.Buffer`` stays there.

    Raises OpenCLError (a RuntimeError) without a device, TypeError if ``queue`` is not a ``Queue``.
    """
    if queue is None:
        return DevicePolicy(Queue())
    if not isinstance(queue, Queue):
        raise TypeError(f"device_policy() was given {queue!r}: pass a pm.opencl.Queue")
    return DevicePolicy(queue)
