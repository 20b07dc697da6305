# SPDX-License-Identifier: Apache-2.0
# OpenCL queues as resources; importable on machines without OpenCL.
"""OpenCL command queues as resources.

>>> queue = pm.opencl.Queue()
>>> program = queue.build("kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }")
>>> x = queue.buffer(np.arange(4, dtype=np.float32))
>>> event = queue.enqueue(program.twice, x.shape, x)
>>> queue.read(x)
array([0., 2., 4., 6.], dtype=float32)

A policy also accepts pyopencl queues: the submitted function receives the queue, and the engine
watches a ``pyopencl.Event`` that it returns as it watches an ``Event``. The measured time of that
work is an upper bound, too long by at most the time from the enqueue to the return of the function.
It is most accurate if the queue has profiling.

The module needs an OpenCL loader (``libOpenCL.so.1``) and a driver only when a queue is made.
Without them, and in a build without OpenCL, ``devices()`` and ``default_queues()`` are empty and
``Queue()`` raises OpenCLError.
"""

import typing as _typing

from pointsman.error import BuildError
from pointsman.error import OpenCLError as Error

if _typing.TYPE_CHECKING:
    from pointsman._opencl import (
        Buffer,
        Device,
        Event,
        Kernel,
        LocalMemory,
        Program,
        Queue,
        default_queues,
        devices,
        share_context,
    )
else:
    try:
        from pointsman._opencl import (
            Buffer,
            Device,
            Event,
            Kernel,
            LocalMemory,
            Program,
            Queue,
            default_queues,
            devices,
            share_context,
        )
    except ImportError as _missing:
        from pointsman._no_opencl import (
            Buffer,
            Device,
            Event,
            Kernel,
            LocalMemory,
            Program,
            Queue,
            default_queues,
            devices,
            share_context,
        )

        Queue.reason = _missing

__all__ = [
    "Buffer",
    "BuildError",
    "Device",
    "Error",
    "Event",
    "Kernel",
    "LocalMemory",
    "Program",
    "Queue",
    "default_queues",
    "devices",
    "share_context",
]
