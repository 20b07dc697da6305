# SPDX-License-Identifier: Apache-2.0
# `map` and executors keep so many calls in flight.
"""Counts how many functions a policy can run at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pointsman import _core

if TYPE_CHECKING:
    from pointsman._policy import Policy


def threads_of(policy: Policy) -> int:
    """Return how many functions the resources of ``policy`` run at a time.

    A resource that states no number counts as 1. Resources that cannot run functions count only if
    no other resource can.
    """
    resources = policy.get_resources()
    runners = [resource for resource in resources if _core._runs_functions(resource)]
    return sum(
        getattr(resource, "concurrency", None) or getattr(resource, "_max_workers", None) or 1
        for resource in runners or resources
    )
