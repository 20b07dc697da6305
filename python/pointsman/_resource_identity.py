# SPDX-License-Identifier: Apache-2.0
# Texts by which another process recognises a resource, and which change when its times do.
"""The identity of each resource of a policy in a history."""

from __future__ import annotations

import platform
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from pointsman._core import Arena, __version__
from pointsman.error import InvalidOptionError


def identities_of(
    resources: Iterable[Any], identity: Callable[[Any], str | None] | None = None
) -> list[str]:
    """Return the identity of each resource: ``identity(resource)``, or the default for None.

    The second resource with one text gets " #2", the third " #3".
    """
    times: Counter[str] = Counter()
    found = []
    for resource in resources:
        text = None if identity is None else identity(resource)
        if text is None:
            text = _default_identity(resource)
        elif not isinstance(text, str) or not text:
            raise InvalidOptionError(
                f"identity({resource!r}) returned {text!r}: return a text, or None for the default"
            )
        text = f"{text}, pointsman {__version__}"
        times[text] += 1
        found.append(text if times[text] == 1 else f"{text} #{times[text]}")
    return found


def is_of_hardware(identity: str) -> bool:
    """Return True for a default identity, False for one from the user's ``identity``."""
    return re.search(r" (units|threads), pointsman [^,]*$", identity) is not None


def hardware_of(resource: Any) -> str:
    """Return the part of the default identity that names the device or the CPU."""
    device = getattr(resource, "device", None)
    return _identity_of_device(device) if hasattr(device, "driver_version") else cpu()


def _default_identity(resource: Any) -> str:
    if hasattr(getattr(resource, "device", None), "driver_version"):
        return hardware_of(resource)
    if isinstance(resource, Arena):
        node = "" if resource.numa_node is None else f" of NUMA node {resource.numa_node}"
        threads = "1 thread" if resource.concurrency == 1 else f"{resource.concurrency} threads"
        return f"{threads}{node} of {cpu()}"
    kind = type(resource)
    if kind in (str, int):
        return f"{resource!r} on {cpu()}"
    return f"{kind.__module__}.{kind.__qualname__} on {cpu()}"


def _identity_of_device(device: Any) -> str:
    """Return the identity of an OpenCL device, of ``pointsman.opencl`` or of pyopencl."""
    name = getattr(device.platform, "name", device.platform)
    units = getattr(device, "compute_units", None) or getattr(device, "max_compute_units", None)
    return f"{device.name.strip()}, {name.strip()} {device.driver_version.strip()}, {units} units"


@cache
def cpu() -> str:
    """Return the model of the CPU and the number of its threads."""
    try:
        text = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        text = ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    model = found[1].strip() if found else platform.processor() or platform.machine()
    threads = len(re.findall(r"^processor\s*:", text, re.MULTILINE))
    return f"{model} with {threads} threads" if threads else model
