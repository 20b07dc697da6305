# SPDX-License-Identifier: Apache-2.0
# Wraps a policy and passes a submit timeout to each of its calls.
"""The policy with a submit timeout that ``policy.with_options`` returns."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Concatenate, Generic, overload

from pointsman import _async_verbs, _core, _map, _search
from pointsman._policy import P, Pending, R, V
from pointsman._policy_executor import PolicyExecutor

if TYPE_CHECKING:
    from pointsman._core import (
        ResourceStatistics,
        Selection,
        Submission,
        SubmissionGroup,
        _Policy,
    )
    from pointsman._measured import Estimates


class PolicyWithOptions(Generic[R]):
    """A policy whose submissions raise SubmitTimeoutError when no resource is free in time.

    timeout: seconds that a submission may wait for a free resource; 0 for a single attempt, None
    for no limit. Raises InvalidOptionError (a ValueError) if it is negative.

    Shares resources, loads and measurements with the policy that it was made from.
    """

    def __init__(self, policy: _Policy[R], *, timeout: float | None = None) -> None:
        self._policy = policy
        self._timeout = _core._checked_timeout(timeout)

    @property
    def _searched_policy(self) -> _Policy[R]:
        """The policy whose resources are searched."""
        return self._policy

    def __repr__(self) -> str:
        return f"{self._policy!r}.with_options(timeout={self._timeout})"

    @overload
    def submit(
        self, work: Callable[Concatenate[R, P], Pending[V]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V]: ...
    @overload
    def submit(
        self, work: Callable[Concatenate[R, P], V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V]: ...
    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Submission[Any]:
        """Call ``work(resource, *args, **kwargs)`` as the policy's ``submit`` does."""
        return self._policy._submit_within(self._timeout, work, *args, **kwargs)

    @overload
    def try_submit(
        self, work: Callable[Concatenate[R, P], Pending[V]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V] | None: ...
    @overload
    def try_submit(
        self, work: Callable[Concatenate[R, P], V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V] | None: ...
    def try_submit(
        self, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission[Any] | None:
        """Like ``submit``, but return ``None`` at once when no resource is free."""
        return self._policy.try_submit(work, *args, **kwargs)

    @overload
    def submit_and_wait(
        self, work: Callable[Concatenate[R, P], Pending[V]], /, *args: P.args, **kwargs: P.kwargs
    ) -> V: ...
    @overload
    def submit_and_wait(
        self, work: Callable[Concatenate[R, P], V], /, *args: P.args, **kwargs: P.kwargs
    ) -> V: ...
    def submit_and_wait(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Submit, wait, and return the result. The timeout does not limit the work itself."""
        return self.submit(work, *args, **kwargs).result()

    def run(self, func: Callable[P, V], /, *args: P.args, **kwargs: P.kwargs) -> Submission[V]:
        """Run ``func(*args, **kwargs)`` on the resource that the policy chooses."""
        return self._policy._run_within(self._timeout, func, *args, **kwargs)

    @overload
    async def submit_async(
        self, work: Callable[Concatenate[R, P], Pending[V]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V]: ...
    @overload
    async def submit_async(
        self, work: Callable[Concatenate[R, P], V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V]: ...
    async def submit_async(
        self, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission[Any]:
        """Like ``submit``; while no resource is free, only the coroutine waits."""
        return await _search.find(
            self._policy, lambda: self._policy.try_submit(work, *args, **kwargs), self._timeout
        )

    async def run_async(
        self, func: Callable[P, V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V]:
        """Like ``run``; while no resource is free, only the coroutine waits."""
        return await _search.find(
            self._policy, lambda: self._try_run(func, *args, **kwargs), self._timeout
        )

    def _try_run(
        self, func: Callable[P, V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V] | None:
        return self._policy._try_run(func, *args, **kwargs)

    def select(self, /, *task: Any) -> Selection[R]:
        """Return the selection of a resource for ``task``; see ``policy.select``."""
        return self._policy._select_within(self._timeout, *task)

    def estimates(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Estimates:
        """Return the expected seconds of a task on each resource, from a policy that measures."""
        measuring: Any = self._policy
        estimates: Estimates = measuring.estimates(work, *args, **kwargs)
        return estimates

    def map(
        self, func: Callable[..., V], /, *iterables: Iterable[Any], **options: Any
    ) -> Iterator[V]:
        """Run ``func`` on the items; see ``pointsman.map``."""
        return _map.map(self, func, *iterables, **options)

    def map_async(
        self, func: Callable[..., V], /, *iterables: Iterable[Any], **options: Any
    ) -> AsyncIterator[V]:
        """Run ``func`` on the items; see ``pointsman.map_async``."""
        return _async_verbs.map_async(self, func, *iterables, **options)

    def as_executor(self) -> PolicyExecutor:
        """Return a ``concurrent.futures.Executor`` whose submissions have this timeout."""
        return PolicyExecutor(self, self._policy, self._timeout)

    def with_options(self, *, timeout: float | None = None) -> PolicyWithOptions[R]:
        """Return the same policy with another timeout."""
        return PolicyWithOptions(self._policy, timeout=timeout)

    def get_resources(self) -> list[R]:
        """Return the resources from which the policy chooses."""
        return self._policy.get_resources()

    def loads(self) -> list[int]:
        """Return the number of outstanding submissions and selections of each resource."""
        return self._policy.loads()

    def statistics(self) -> list[ResourceStatistics]:
        """Return a ``ResourceStatistics`` for each resource, in the order of the set."""
        return self._policy.statistics()

    def submission_group(self) -> SubmissionGroup:
        """Return an object whose ``wait()`` waits for all submissions of the policy so far."""
        return self._policy.submission_group()
