# SPDX-License-Identifier: Apache-2.0
# The free functions of dynamic selection, for any policy.
"""Free functions: each calls the method of the same name of a policy, selection or submission."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, overload

if TYPE_CHECKING:
    from pointsman._core import Selection, Submission, SubmissionGroup
    from pointsman._policy import P, Pending, Policy, R, V


def select(policy: Policy[R], /, *task: Any) -> Selection[R]:
    """Return the selection of a resource for ``task``, a callable and its arguments."""
    return policy.select(*task)


def report(selection: Selection, info: str, seconds: float | None = None) -> None:
    """Report an event of the task to the policy of ``selection``."""
    selection.report(info, seconds)


@overload
def submit(
    policy: Policy[R] | Selection[R],
    work: Callable[Concatenate[R, P], Pending[V]],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> Submission[V]: ...
@overload
def submit(
    policy: Policy[R] | Selection[R],
    work: Callable[Concatenate[R, P], V],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> Submission[V]: ...
def submit(
    policy: Policy | Selection, work: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> Submission[Any]:
    """Call ``work(resource, *args, **kwargs)`` on the resource that ``policy`` chooses.

    If the first argument is a selection instead, call ``work`` on the selected resource.
    """
    return policy.submit(work, *args, **kwargs)


@overload
def try_submit(
    policy: Policy[R],
    work: Callable[Concatenate[R, P], Pending[V]],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> Submission[V] | None: ...
@overload
def try_submit(
    policy: Policy[R],
    work: Callable[Concatenate[R, P], V],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> Submission[V] | None: ...
def try_submit(
    policy: Policy, work: Callable[..., Any], /, *args: Any, **kwargs: Any
) -> Submission[Any] | None:
    """Like ``submit``, but return ``None`` at once if no resource is free."""
    return policy.try_submit(work, *args, **kwargs)


@overload
def submit_and_wait(
    policy: Policy[R],
    work: Callable[Concatenate[R, P], Pending[V]],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> V: ...
@overload
def submit_and_wait(
    policy: Policy[R],
    work: Callable[Concatenate[R, P], V],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> V: ...
def submit_and_wait(policy: Policy, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Submit, wait, and return the result."""
    return policy.submit_and_wait(work, *args, **kwargs)


def run(
    policy: Policy, func: Callable[P, V], /, *args: P.args, **kwargs: P.kwargs
) -> Submission[V]:
    """Run ``func(*args, **kwargs)`` on the resource that ``policy`` chooses."""
    return policy.run(func, *args, **kwargs)


def get_resources(policy: Policy[R]) -> list[R]:
    """Return the resources from which ``policy`` chooses."""
    return list(policy.get_resources())


def get_submission_group(policy: Policy) -> SubmissionGroup:
    """Return an object whose ``wait()`` blocks until all submissions so far are complete.

    Named after the C++ function; ``submission_group``, named after the method, is the same.
    """
    return policy.submission_group()


submission_group = get_submission_group


def wait(waitable: Any, timeout: float | None = None) -> bool:
    """Call ``waitable.wait()`` and return True if the work is complete.

    timeout: seconds, passed on to the method; None for no limit.

    An object without a method ``wait`` counts as complete.
    """
    method = getattr(waitable, "wait", None)
    if method is None:
        return True
    return (method() if timeout is None else method(timeout)) is not False


def unwrap(wrapped: Any) -> Any:
    """Return ``wrapped.unwrap()``, or the object itself if it has no such method."""
    method = getattr(wrapped, "unwrap", None)
    return wrapped if method is None else method()
