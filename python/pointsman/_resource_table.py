# SPDX-License-Identifier: Apache-2.0
# The columns that the command `devices` prints and Jupyter shows.
"""Describes each resource of this machine as a row of text."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pointsman._core import Arena

DEVICE_HEADINGS: Final = ("name", "type", "units", "memory", "driver")
HEADINGS: Final = ("resource", *DEVICE_HEADINGS)


def describe(resource: Any) -> tuple[str, ...]:
    """Return the row of a resource: its kind, label, type, compute units, memory and driver."""
    if isinstance(resource, Arena):
        node = resource.numa_node
        name = "all cores" if node is None else f"NUMA node {node}"
        memory = _size(memory_of(resource))
        return ("arena", name, "cpu", str(resource.concurrency), memory, "oneTBB")
    return ("queue", *describe_device(resource.device))


def describe_device(device: Any) -> tuple[str, ...]:
    """Return the row of an OpenCL device: its label, type, compute units, memory and driver."""
    driver = f"{device.platform}, {device.driver_version}"
    memory = _size(device.global_memory_bytes)
    return (device.label, device.type, str(device.compute_units), memory, driver)


def memory_of(resource: Any) -> int | None:
    """Return the bytes of memory of an arena's NUMA node or of a queue's device, if known."""
    if isinstance(resource, Arena):
        return _memory_of_node(resource.numa_node)
    return int(resource.device.global_memory_bytes)


def _memory_of_node(node: int | None) -> int | None:
    """Return the bytes of memory of a NUMA node, or of the machine for None; None if unknown."""
    path = Path("/proc/meminfo" if node is None else f"/sys/devices/system/node/node{node}/meminfo")
    try:
        for line in path.read_text().splitlines():
            if "MemTotal:" in line:
                return int(line.split()[-2]) * 1024
    except OSError:
        pass
    return None


def _size(size_bytes: int | None) -> str:
    return "unknown" if size_bytes is None else f"{size_bytes / 2**30:.1f} GiB"
