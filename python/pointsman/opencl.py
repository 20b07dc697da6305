# SPDX-License-Identifier: Apache-2.0
# OpenCL queues as resources; importable on machines without OpenCL.
"""OpenCL command queues as resources::

    import numpy as np
    import pointsman as pm

    queue = pm.opencl.Queue()
    program = queue.build("kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }")
    x = queue.buffer(np.arange(4, dtype=np.float32))
    queue.enqueue(program.twice, x.shape, x).wait()
    queue.read(x)  # array([0., 2., 4., 6.], dtype=float32)

Queues of pyopencl may stand in a policy's list as they are: the submitted function receives
that queue, and a ``pyopencl.Event`` that it returns is watched as an ``Event`` is. The time of its
work is an upper bound, off by what the function did between the enqueue and its return, and
closest where the queue has profiling.

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
