# SPDX-License-Identifier: Apache-2.0
# Resources of one domain share hardware, so work on one slows down work on the others.
"""The hardware that a resource uses, as the resource states it or as its type implies."""

from __future__ import annotations

from typing import Any, NamedTuple


class Domain(NamedTuple):
    """Hardware that several resources can share, such as the cores of a NUMA node or one GPU.

    A user-defined resource states its domain in an attribute ``domain``. A resource without that
    attribute is assumed to share no hardware and to run one task at a time.

    id: equal for resources that share hardware; 0 if the resource shares none.
    capacity: how many threads of the domain run at full speed at the same time.
    slots: how many tasks the resource runs at a time.
    threads_each: how many threads of the domain each of the resource's tasks uses.

    >>> class Gpu:
    ...     domain = pm.Domain(id=7, slots=2)  # every Gpu uses the same hardware
    >>> pm.domain_of(Gpu()).slots
    2
    """

    id: int = 0
    capacity: float = 1.0
    slots: int = 1
    threads_each: float = 1.0


def domain_of(resource: Any) -> Domain:
    """Return the domain of a resource, such as a pyopencl queue; ``Domain()`` if it is unknown."""
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
