# SPDX-License-Identifier: Apache-2.0
# The engine calls these functions for its policies' methods of the same names.
"""Verbs that work with any policy that has ``run``, user-defined ones included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pointsman._async_verbs import map_async, run_async, submit_async
from pointsman._map import map
from pointsman._options import PolicyWithOptions
from pointsman._policy_executor import PolicyExecutor

if TYPE_CHECKING:
    from pointsman._core import _Policy
    from pointsman._policy import R

__all__ = ["as_executor", "map", "map_async", "run_async", "submit_async", "with_options"]


def as_executor(policy: _Policy) -> PolicyExecutor:
    """Return a ``concurrent.futures.Executor`` that runs its calls with ``policy.run``."""
    return PolicyExecutor(policy)


def with_options(policy: _Policy[R], **options: Any) -> PolicyWithOptions[R]:
    """Return ``policy`` with limits on its submissions, as its method of the same name."""
    return PolicyWithOptions(policy, **options)
