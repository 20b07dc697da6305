# SPDX-License-Identifier: Apache-2.0
# `map` and executors keep so many calls in flight, and chunks of such a length.
"""How many functions a policy can run at a time, and how long a chunk of them should take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pointsman import _core

if TYPE_CHECKING:
    from pointsman._policy import Policy

CHUNK_SECONDS: Final = 0.002  # long compared with a submission, too short for a person to notice


def threads_of(policy: Policy) -> int:
    """Return how many functions the resources of ``policy`` run at a time.

    A resource that states no number counts as 1. Resources that cannot run functions count only if
    no other resource can.
    """
    resources = policy.get_resources()
    runners = [resource for resource in resources if _core._runs_functions(resource)]
    return sum(
        int(getattr(resource, "concurrency", None) or getattr(resource, "_max_workers", None) or 1)
        for resource in runners or resources
    )


def chunk_seconds_of(policy: Policy) -> float:
    """Return how long a chunk of ``map`` should take: what a resource states as ``chunk_seconds``
    because submissions to it take long, and otherwise 2 ms."""
    stated = (getattr(resource, "chunk_seconds", 0.0) for resource in policy.get_resources())
    return max(CHUNK_SECONDS, *stated)
