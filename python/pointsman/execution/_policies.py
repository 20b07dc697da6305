# SPDX-License-Identifier: Apache-2.0
# A call of an algorithm can go to the host's threads or to a queue; the policy says which.
"""Policies that say where an algorithm runs, and the calls that they are given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from pointsman.opencl import Queue


@dataclass(frozen=True)
class Call:
    """An algorithm with its arguments.

    kind: the algorithm and everything else that its cost depends on, except the size.
    size_bytes: of its inputs, or of its outputs if it reads nothing.
    on_host, on_device: run it; None if it cannot run there, which ``obstacle`` explains.
    """

    kind: Hashable
    size_bytes: int
    on_host: Callable[[HostPolicy], Any] | None
    on_device: Callable[[Queue], Any] | None
    obstacle: str = ""

    @property
    def task_key(self) -> Hashable:
        """Calls with the same key should take about as long as each other."""
        return self.kind, self.size_bytes.bit_length()


class ExecutionPolicy(ABC):
    """How an algorithm may run: the first argument of every algorithm."""

    @abstractmethod
    def run(self, call: Call) -> Any:
        """Run ``call`` to completion and return its result."""


class HostPolicy(ExecutionPolicy):
    """Runs algorithms on the host: ``pm.seq``, ``pm.unseq``, ``pm.par`` or ``pm.par_unseq``.

    NumPy computes each part of an array in the lanes of vector registers under all four; the two
    with ``par`` in their name have the threads of an arena take parts.
    """

    def __init__(self, name: str, *, is_parallel: bool) -> None:
        self.name = name
        self.is_parallel = is_parallel

    def __repr__(self) -> str:
        return f"pm.{self.name}"

    def run(self, call: Call) -> Any:
        """Run ``call``; TypeError if its values are on a device."""
        if call.on_host is None:
            raise TypeError(f"{self!r} cannot run this: {call.obstacle}")
        return call.on_host(self)


class DevicePolicy(ExecutionPolicy):
    """Runs algorithms on the device of an OpenCL queue; made by ``pm.device_policy``."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue

    def __repr__(self) -> str:
        return f"pm.device_policy({self.queue!r})"

    def run(self, call: Call) -> Any:
        """Run ``call``; TypeError if a device cannot."""
        if call.on_device is None:
            raise TypeError(f"{self!r} cannot run this: {call.obstacle}")
        return call.on_device(self.queue)


seq = HostPolicy("seq", is_parallel=False)
unseq = HostPolicy("unseq", is_parallel=False)
par = HostPolicy("par", is_parallel=True)
par_unseq = HostPolicy("par_unseq", is_parallel=True)


def device_policy(queue: Queue | None = None) -> DevicePolicy:
    """Return a policy that runs algorithms on ``queue``, by default one on the first device.

    Values of 8- to 64-bit integers, bool, float16, float32 and float64 in arrays travel to the
    device and back; those in an ``pm.opencl.Buffer`` stay there. float16 needs no ``cl_khr_fp16``.
    OpenCLError where there is no device.
    """
    if queue is None:
        return DevicePolicy(Queue())
    if not isinstance(queue, Queue):
        raise TypeError(f"device_policy() was given {queue!r}: pass an pm.opencl.Queue")
    return DevicePolicy(queue)
