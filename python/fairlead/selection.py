# SPDX-License-Identifier: Apache-2.0
# The free functions of dynamic selection, for any policy.
"""Free functions: each does what the policy's method of the same name does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairlead._core import Policy, Selection, Submission, SubmissionGroup


def select(policy: Policy, /, *task: Any) -> Selection:
    """Return the selection of a resource for ``task``, a callable and its arguments."""
    return policy.select(*task)


def report(selection: Selection, info: str, seconds: float | None = None) -> None:
    """Tell the policy behind ``selection`` of an event in the life of its task."""
    selection.report(info, seconds)


def submit(
    policy: Policy | Selection, work: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> Submission:
    """Call ``work(resource, *args, **kwargs)`` on the resource that ``policy`` chooses.

    With a selection in its place, on the selected resource.
    """
    return policy.submit(work, *args, **kwargs)


def try_submit(
    policy: Policy, work: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> Submission | None:
    """Like ``submit``, but return ``None`` when no resource is free."""
    return policy.try_submit(work, *args, **kwargs)


def submit_and_wait(policy: Policy, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Submit, wait, and return the result."""
    return policy.submit_and_wait(work, *args, **kwargs)


def run(policy: Policy, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Submission:
    """Run ``func(*args, **kwargs)`` on the resource that ``policy`` chooses."""
    return policy.run(func, *args, **kwargs)


def get_resources(policy: Policy) -> list[Any]:
    """Return the resources from which ``policy`` chooses."""
    return policy.get_resources()


def get_submission_group(policy: Policy) -> SubmissionGroup:
    """Return an object whose ``wait()`` blocks until all submissions so far are complete."""
    return policy.submission_group()


def wait(waitable: Any) -> None:
    """Call ``waitable.wait()`` when there is one; otherwise there is nothing to wait for."""
    method = getattr(waitable, "wait", None)
    if method is not None:
        method()


def unwrap(wrapped: Any) -> Any:
    """Return ``wrapped.unwrap()`` when there is one, else the object itself."""
    method = getattr(wrapped, "unwrap", None)
    return wrapped if method is None else method()
