# SPDX-License-Identifier: Apache-2.0
# The engine calls `only_attempt` for a submission whose work runs once.
"""The runs of a piece of work on its resources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pointsman._core import Submission


@dataclass(frozen=True)
class Attempt:
    """One run of submitted work; ``submission.attempts`` lists all, in the order of their begin.

    resource: where it ran.
    error: the exception with which it failed; None if it succeeded, was cancelled or is running.

    >>> submission = pm.RoundRobin(["a", "b"]).submit(lambda resource: resource)
    >>> submission.attempts
    [Attempt(resource='a', error=None)]
    """

    resource: Any
    error: BaseException | None = None


def only_attempt(submission: Submission[Any]) -> list[Attempt]:
    """Return the only run of the work of ``submission``."""
    return [Attempt(submission.resource, submission._failure())]
