# SPDX-License-Identifier: Apache-2.0
# The engine calls `note` when submitted work has failed, and `Failure.log` if nobody looked at it.
"""Failures of submissions: the log of those that nobody looks at."""

from __future__ import annotations

import logging
import weakref
from typing import Any

_logger = logging.getLogger("pointsman")


class Failure:
    """The failure of one submission, whose exception its user has not seen yet."""

    __slots__ = ("__weakref__", "error", "function", "policy", "resource")

    def __init__(self, policy: Any, resource: Any, function: str, error: BaseException) -> None:
        self.policy = "a policy" if policy is None else type(policy).__qualname__
        self.resource = resource
        self.function = function
        self.error = error

    def log(self) -> None:
        """Log the exception: the submission was dropped, so that nobody can look at it any more."""
        _logger.error(
            "%s, placed by %s on %r, failed, and nobody looked at it: keep the submission, and "
            "call its result() or await it",
            self.function,
            self.policy,
            self.resource,
            exc_info=self.error,
        )


def note(policy: Any, resource: Any, function: str, error: BaseException) -> Failure:
    """Return the failure of a submission whose ``function`` ran on ``resource``.

    policy: the policy, or a weak reference to it if the submission was dropped.
    """
    if isinstance(policy, weakref.ref):
        policy = policy()
    return Failure(policy, resource, function, error)
