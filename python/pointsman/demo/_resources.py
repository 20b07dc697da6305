# SPDX-License-Identifier: Apache-2.0
# Short names for columns and rows, and which of the resources share hardware.
"""The resources that the demo runs on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import pointsman as pm
from pointsman._text_table import printable

_SHORT_DRIVERS: Final = {"Portable Computing Language": "PoCL"}


@dataclass(frozen=True)
class NamedResource:
    """A resource with its name in the demo's output.

    about: what it is, for the list at the beginning.
    hardware: equal for resources that share cores or a device.
    """

    resource: Any
    name: str
    about: str
    hardware: int


def find() -> list[NamedResource]:
    """Return what ``discover()`` finds, or two arenas if there is no OpenCL device."""
    found = pm.discover()
    if all(isinstance(resource, pm.Arena) for resource in found):
        print("no OpenCL device was found: running over arenas of different widths")
        widest = max(2, sum(arena.concurrency for arena in found))
        return described([pm.Arena(1), pm.Arena(widest)])
    return described(found)


def described(resources: Sequence[Any]) -> list[NamedResource]:
    """Return the resources with distinct names."""
    several_arenas = sum(isinstance(resource, pm.Arena) for resource in resources) > 1
    names = [_name(resource, with_node=several_arenas) for resource in resources]
    times = Counter(names)
    result = []
    for number, (resource, name) in enumerate(zip(resources, names, strict=True), 1):
        distinct = f"{name} #{number}" if times[name] > 1 else name
        # 0 stands for hardware of the resource's own; -number differs from every id.
        hardware = pm.domain_of(resource).id or -number
        result.append(NamedResource(resource, distinct, _about(resource), hardware))
    return result


def listing(resources: Sequence[NamedResource]) -> str:
    """Return a line for each resource: its name, what it is and what it shares."""
    width = max(len(each.name) for each in resources)
    lines = []
    for each in resources:
        others = [c.name for c in resources if shares(c, each) and c is not each]
        shared = f"; shares its cores with {' and '.join(others)}" if others else ""
        lines.append(f"  {each.name:{width}}  {each.about}{shared}")
    return "\n".join(lines)


def shares(one: NamedResource, other: NamedResource) -> bool:
    """Return True if both use the same cores or the same device."""
    return one.hardware == other.hardware


def _name(resource: Any, with_node: bool) -> str:
    if isinstance(resource, pm.Arena):
        node = resource.numa_node if with_node else None
        return f"arena of {resource.concurrency}" + ("" if node is None else f", node {node}")
    device = resource.device
    if device.type == "cpu":  # the driver tells more than the name of the processor
        return printable(_SHORT_DRIVERS.get(device.platform, device.platform))
    return printable(device.label)


def _about(resource: Any) -> str:
    if isinstance(resource, pm.Arena):
        return "threads of oneTBB"
    device = resource.device
    return f"OpenCL on {printable(device.label)}"
