# SPDX-License-Identifier: Apache-2.0
# The part of a policy's interface that `map` and executors use.
"""How many functions a policy runs at a time."""

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
    """Return how many functions the resources run at a time; 1 for a resource that does not say."""
    resources = policy.get_resources()
    runners = [resource for resource in resources if _core._runs_functions(resource)]
    return sum(
        getattr(resource, "concurrency", None) or getattr(resource, "_max_workers", None) or 1
        for resource in runners or resources
    )
