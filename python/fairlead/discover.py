# SPDX-License-Identifier: Apache-2.0
# Lists the resources of this machine.
"""What this machine offers to run work on."""

from __future__ import annotations

from typing import Any

from fairlead import _core, opencl


def discover() -> list[Any]:
    """Return the resources of this machine.

    The list holds one ``Arena`` for each NUMA node and one ``opencl.Queue`` for each distinct
    OpenCL device, GPUs before CPUs. Without an OpenCL loader or driver it holds the arenas alone.
    A driver that is broken is passed over with a DriverWarning.
    """
    return [*_core._default_arenas(), *opencl.default_queues()]
