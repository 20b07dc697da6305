# SPDX-License-Identifier: Apache-2.0
# Wraps a policy and passes a submit timeout to each of its calls.
"""The view of a policy that ``policy.with_options`` returns."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Concatenate, Generic, cast, overload

from pointsman import _async_verbs, _core, _map, _search
from pointsman._policy import P, Pending, R, V
from pointsman._policy_executor import PolicyExecutor
from pointsman._recovery import RecoveringPolicy
from pointsman._recovery_options import OnFailure, TimeLimit, is_needed

if TYPE_CHECKING:
    from pointsman._core import (
        Selection,
        Submission,
        SubmissionGroup,
        _Policy,
    )
    from pointsman._health import ResourceHealth
    from pointsman._measured import Estimates
    from pointsman._statistics import PolicyStatistics


class PolicyWithOptions(Generic[R]):
    """A policy whose submissions have limits, and survive failures.

    timeout: seconds that a submission may wait for a free resource, or for a place; 0 for a single
    attempt, None for no limit. When they are over, it raises SubmitTimeoutError.
    on_failure: ``"raise"``, ``"fallback"`` or a ``Retry``: what happens when work fails.
    time_limit: seconds that work may take, or a ``TimesExpected``; None for no limit.
    max_outstanding: how many submissions of this view may be outstanding; None for no limit.
    max_outstanding_per_resource: how many runs of this view may be outstanding on each resource.
    If one is full, the policy chooses among the others.

    A value out of range raises InvalidOptionError (a ValueError). Shares resources, loads and
    measurements with the policy that it was made from.

    >>> policy = pm.DynamicLoad([pm.Arena(1)]).with_options(on_failure="fallback", time_limit=60)
    >>> policy.run(pow, 2, 10).result()
    1024
    """

    def __init__(
        self,
        policy: _Policy[R],
        *,
        timeout: float | None = None,
        on_failure: OnFailure = "raise",
        time_limit: TimeLimit | None = None,
        max_outstanding: int | None = None,
        max_outstanding_per_resource: int | None = None,
    ) -> None:
        self._plain: _Policy[R] = policy
        self._timeout = _core._checked_timeout(timeout)
        self._options: dict[str, Any] = {
            "timeout": timeout,
            "on_failure": on_failure,
            "time_limit": time_limit,
            "max_outstanding": max_outstanding,
            "max_outstanding_per_resource": max_outstanding_per_resource,
        }
        self._policy = policy
        settings = (on_failure, time_limit, max_outstanding, max_outstanding_per_resource)
        if is_needed(*settings):
            recovering = RecoveringPolicy(policy, *settings)  # it has the methods used here
            self._policy = cast("_Policy[R]", recovering)

    @property
    def _runs_again(self) -> bool:
        """True if failed work may run again."""
        return bool(self._options["on_failure"] != "raise")

    @property
    def _searched_policy(self) -> _Policy[R]:
        """The policy whose resources are searched."""
        return self._policy

    def __repr__(self) -> str:
        usual = {
            "timeout": None,
            "on_failure": "raise",
            "time_limit": None,
            "max_outstanding": None,
            "max_outstanding_per_resource": None,
        }
        set_ones = (f"{key}={v!r}" for key, v in self._options.items() if v != usual[key])
        return f"{self._plain!r}.with_options({', '.join(set_ones)})"

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

    def _run_within(
        self, timeout: float, func: Callable[P, V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V]:
        """Run ``func`` as ``run`` does; the shorter one of the two timeouts applies."""
        shorter = timeout if self._timeout is None else min(timeout, self._timeout)
        return self._policy._run_within(shorter, func, *args, **kwargs)

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
        """Return the selection of a resource for ``task``; see ``policy.select``.

        Of the options, only ``timeout`` applies: you submit the work yourself.
        """
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

    def with_options(self, **options: Any) -> PolicyWithOptions[R]:
        """Return a view with the options of this one, except for those that are passed.

        Without bounds of its own it shares the places of this one.
        """
        view = PolicyWithOptions(self._plain, **{**self._options, **options})
        mine: Any = self._policy
        its: Any = view._policy
        if isinstance(mine, RecoveringPolicy) and isinstance(its, RecoveringPolicy):
            if "max_outstanding" not in options:
                its.places = mine.places
            if "max_outstanding_per_resource" not in options:
                its.resource_places = mine.resource_places
        return view

    def get_resources(self) -> list[R]:
        """Return the resources from which the policy chooses."""
        return self._policy.get_resources()

    def loads(self) -> list[int]:
        """Return the number of outstanding submissions and selections of each resource."""
        return self._policy.loads()

    def statistics(self) -> PolicyStatistics:
        """Return a ``ResourceStatistics`` for each resource, and what was learnt of tasks."""
        return self._policy.statistics()

    def health(self) -> list[ResourceHealth]:
        """Return a ``ResourceHealth`` for each resource, in the order of the set."""
        return self._plain.health()

    def submission_group(self) -> SubmissionGroup:
        """Return an object whose ``wait()`` waits for all submissions of the policy so far."""
        return self._policy.submission_group()
