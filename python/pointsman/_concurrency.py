# SPDX-License-Identifier: Apache-2.0
# The part of a policy's interface that `map` and executors use.
"""Counts how many functions a policy can run at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from pointsman import _core

if TYPE_CHECKING:
    from pointsman._core import Submission


class RunsFunctions(Protocol):
    """Any policy, with options or without."""

    def run(self, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Submission:
        """Run ``func(*args, **kwargs)`` on the resource that the policy chooses."""

    def get_resources(self) -> list[Any]:
        """Return the resources from which the policy chooses."""


def threads_of(policy: RunsFunctions) -> int:
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
