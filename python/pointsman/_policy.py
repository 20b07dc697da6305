# SPDX-License-Identifier: Apache-2.0
# The protocol names the verbs of every policy; `R` is the type of a policy's resources.
"""``pm.Policy``, the type of any policy, and the type variables of the policies."""

from __future__ import annotations

from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Sequence,
)
from concurrent.futures import Executor
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    overload,
    runtime_checkable,
)

if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault

    from pointsman._core import Selection, Submission, SubmissionGroup
    from pointsman._statistics import PolicyStatistics

    R = TypeVarWithDefault("R", default=Any)
    R_co = TypeVarWithDefault("R_co", covariant=True, default=Any)
else:
    R = TypeVar("R")
    R_co = TypeVar("R_co", covariant=True)

P = ParamSpec("P")
V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)


class Completion(Protocol[V_co]):
    """Work in progress, such as a future, an event or an ``ArenaTask``."""

    def done(self) -> bool:
        """Return True if the work is complete."""

    def result(self, timeout: float | None = None) -> V_co:
        """Return the value of the work once it is complete."""


# What a submitted callable may return so that the result of the submission is of type V.
Pending: TypeAlias = Completion[V] | Awaitable[V]


@runtime_checkable
class Policy(Protocol[R_co]):
    """Any policy: those of the package, with options or without, and those based on
    ``PolicyBase``.

    For annotations and ``isinstance``. ``pm.Policy[pm.Arena]`` is a policy that chooses among
    arenas: the callables that it is given to ``submit`` receive one. To write a policy of your own,
    derive a class from ``pm.PolicyBase``.

    >>> def total(policy: pm.Policy, numbers: list[float]) -> float:
    ...     return policy.run(sum, numbers).result()
    >>> total(pm.DynamicLoad([pm.Arena(1)]), [1, 2, 3])
    6
    >>> isinstance(pm.RoundRobin(["a", "b"]), pm.Policy), isinstance(["a", "b"], pm.Policy)
    (True, False)
    """

    @overload
    def submit(
        self, work: Callable[Concatenate[R_co, P], Pending[V]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V]: ...
    @overload
    def submit(
        self, work: Callable[Concatenate[R_co, P], V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V]: ...
    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Submission[Any]:
        """Call ``work(resource, *args, **kwargs)`` on the resource that the policy chooses."""

    @overload
    def try_submit(
        self, work: Callable[Concatenate[R_co, P], Pending[V]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V] | None: ...
    @overload
    def try_submit(
        self, work: Callable[Concatenate[R_co, P], V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Submission[V] | None: ...
    def try_submit(
        self, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission[Any] | None:
        """Like ``submit``, but return ``None`` at once when no resource is free."""

    @overload
    def submit_and_wait(
        self, work: Callable[Concatenate[R_co, P], Pending[V]], /, *args: P.args, **kwargs: P.kwargs
    ) -> V: ...
    @overload
    def submit_and_wait(
        self, work: Callable[Concatenate[R_co, P], V], /, *args: P.args, **kwargs: P.kwargs
    ) -> V: ...
    def submit_and_wait(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Submit, wait, and return the result."""

    def run(self, func: Callable[P, V], /, *args: P.args, **kwargs: P.kwargs) -> Submission[V]:
        """Run ``func(*args, **kwargs)`` on the resource that the policy chooses."""

    def select(self, /, *task: Any) -> Selection[R_co]:
        """Return the selection of a resource for ``task``, a callable and its arguments."""

    def map(
        self,
        func: Callable[..., V],
        /,
        *iterables: Iterable[Any],
        chunksize: int | None = None,
        ordered: bool = True,
        timeout: float | None = None,
        in_flight: int | None = None,
        progress: bool = False,
    ) -> Iterator[V]:
        """Run ``func`` on the items; see ``pointsman.map``."""

    @overload
    def submit_async(
        self, work: Callable[Concatenate[R_co, P], Pending[V]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Coroutine[Any, Any, Submission[V]]: ...
    @overload
    def submit_async(
        self, work: Callable[Concatenate[R_co, P], V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Coroutine[Any, Any, Submission[V]]: ...
    def submit_async(
        self, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Coroutine[Any, Any, Submission[Any]]:
        """Like ``submit``; while no resource is free, only the coroutine waits."""

    def run_async(
        self, func: Callable[P, V], /, *args: P.args, **kwargs: P.kwargs
    ) -> Coroutine[Any, Any, Submission[V]]:
        """Like ``run``; while no resource is free, only the coroutine waits."""

    def map_async(
        self,
        func: Callable[..., V],
        /,
        *iterables: Iterable[Any],
        chunksize: int | None = None,
        ordered: bool = True,
        in_flight: int | None = None,
    ) -> AsyncIterator[V]:
        """Run ``func`` on the items; see ``pointsman.map_async``."""

    def as_executor(self) -> Executor:
        """Return a ``concurrent.futures.Executor`` that runs its calls on the resources."""

    def with_options(self, *, timeout: float | None = None) -> Policy[R_co]:
        """Return the policy with a timeout for its submissions to find a free resource."""

    def get_resources(self) -> Sequence[R_co]:
        """Return the resources from which the policy chooses."""

    def submission_group(self) -> SubmissionGroup:
        """Return an object whose ``wait()`` waits for all submissions of the policy so far."""

    def loads(self) -> list[int]:
        """Return the number of outstanding submissions and selections of each resource."""

    def statistics(self) -> PolicyStatistics:
        """Return a ``ResourceStatistics`` for each resource, and what was learnt of tasks."""
