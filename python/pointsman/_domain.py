# SPDX-License-Identifier: Apache-2.0
"""Which hardware a resource uses: resources that share it are not independent."""

from __future__ import annotations

from typing import Any, NamedTuple


class Domain(NamedTuple):
    """Hardware that several resources use: the cores of a NUMA node, one GPU.

    A user-defined resource states its domain in an attribute ``domain``. Without it, a resource
    has hardware of its own and runs one task at a time.

    id: equal for resources that share hardware; 0 for hardware of the resource's own.
    capacity: how many threads of the domain advance at full speed.
    slots: how many tasks the resource runs at a time.
    threads_each: how many threads of the domain each of its tasks has.
    """

    id: int = 0
    capacity: float = 1.0
    slots: int = 1
    threads_each: float = 1.0


def domain_of(resource: Any) -> Domain:
    """Return the domain that a resource uses, also that of a queue of pyopencl."""
    stated = getattr(resource, "domain", None)
    if isinstance(stated, Domain):
        return stated
    if type(resource).__module__.startswith("pyopencl"):
        from pointsman import _core

        device = resource.device
        if device.type & 2:  # CL_DEVICE_TYPE_CPU
            cores = _core.Arena(1).domain
            return cores._replace(slots=1, threads_each=float(device.max_compute_units))
        return Domain(id=device.int_ptr)
    return Domain()
