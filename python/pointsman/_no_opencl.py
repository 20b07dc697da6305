# SPDX-License-Identifier: Apache-2.0
# Stands in for the extension module pointsman._opencl where it cannot be loaded.
"""The names of ``pointsman.opencl`` where the extension module is missing or does not load."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from pointsman._device_list import DeviceList
from pointsman.error import OpenCLError


class Queue:
    """Raises OpenCLError when it is constructed: OpenCL is not available."""

    reason: ClassVar[ImportError | None] = None

    def __init__(self, *_args: Any, **_settings: Any) -> None:
        _refuse()


class Buffer:
    """Has no instances: OpenCL is not available."""


class Device:
    """Has no instances: OpenCL is not available."""


class Event:
    """Has no instances: OpenCL is not available."""


class Kernel:
    """Has no instances: OpenCL is not available."""


class LocalMemory:
    """Has no instances: OpenCL is not available."""


class Program:
    """Has no instances: OpenCL is not available."""


def devices() -> list[Device]:
    """Return an empty list: no device can be reached."""
    return DeviceList()


def default_queues() -> list[Queue]:
    """Return an empty list: no device can be reached."""
    return []


def share_context(_devices: Any) -> NoReturn:
    """Raise OpenCLError: there are no devices."""
    _refuse()


def remedy() -> str:
    """Return why OpenCL is not available here and how to get it, as one clause."""
    if isinstance(Queue.reason, ModuleNotFoundError):
        return (
            "pointsman was built without OpenCL: install its headers and loader (on Debian, "
            "ocl-icd-opencl-dev and opencl-clhpp-headers) and build pointsman again"
        )
    return (
        f"pointsman's OpenCL module cannot be loaded ({Queue.reason}): install an OpenCL loader "
        "and a driver (on Debian, ocl-icd-libopencl1 and pocl-opencl-icd)"
    )


def _refuse() -> NoReturn:
    raise OpenCLError(f"OpenCL cannot be used here: {remedy()}") from Queue.reason
