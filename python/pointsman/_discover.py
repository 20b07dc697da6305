# SPDX-License-Identifier: Apache-2.0
# Arenas by NUMA node and OpenCL queues by device.
"""Lists the resources of this machine."""

from __future__ import annotations

from typing import Any

from pointsman import _core, opencl
from pointsman._html import html_table
from pointsman._resource_table import HEADINGS, describe


class ResourceList(list[Any]):
    """A list of resources that shows as a table in Jupyter."""

    def _repr_html_(self) -> str:
        return html_table("Resources of this machine", HEADINGS, map(describe, self))


def discover() -> ResourceList:
    """Return the resources of this machine.

    The list holds one ``Arena`` for each NUMA node and one ``opencl.Queue`` for each distinct
    OpenCL device, GPUs before CPUs. Without an OpenCL loader or driver it holds only arenas.
    A broken driver is skipped with a DriverWarning. Jupyter shows the list as a table.
    """
    return ResourceList([*_core._default_arenas(), *opencl.default_queues()])
