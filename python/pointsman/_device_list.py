# SPDX-License-Identifier: Apache-2.0
# How OpenCL devices and queues look in a notebook.
"""The list that ``opencl.devices()`` returns, and tables of a device and of a queue for Jupyter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pointsman._html import html_table
from pointsman._resource_table import DEVICE_HEADINGS, describe_device

if TYPE_CHECKING:
    from pointsman._opencl import Device, Queue

_Device = TypeVar("_Device")


class DeviceList(list[_Device]):
    """A list of devices that shows as a table in Jupyter."""

    def _repr_html_(self) -> str:
        return html_table("OpenCL devices", DEVICE_HEADINGS, map(describe_device, self))


def html_of_device(device: Device) -> str:
    """Return a table of one row."""
    return html_table("OpenCL device", DEVICE_HEADINGS, [describe_device(device)])


def html_of_queue(queue: Queue) -> str:
    """Return a table of one row: the device and the options of the queue."""
    options: list[Any] = [_word(queue.profiling), _word(queue.out_of_order)]
    headings = [*DEVICE_HEADINGS, "profiling", "out of order"]
    return html_table("OpenCL queue", headings, [[*describe_device(queue.device), *options]])


def _word(is_on: bool) -> str:
    return "yes" if is_on else "no"
