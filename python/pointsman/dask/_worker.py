# SPDX-License-Identifier: Apache-2.0
# Calls are bound to the worker: the policy has chosen it, and Dask must not move them.
"""Workers of a cluster as resources."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from pointsman._chunk import Chunk
from pointsman._domain import Domain
from pointsman.dask._batch import task_of
from pointsman.dask._call import Call
from pointsman.dask._cluster import Cluster, Member
from pointsman.dask._errors import ClusterError, SerializationError
from pointsman.dask._holdings import futures_in
from pointsman.dask._times import WorkerTimes

V = TypeVar("V")


class Worker:
    """A worker of a Dask cluster, or all workers of a host, as a resource; made by ``workers``.

    Workers are equal if they have the same addresses, client and ``resources``.

    addresses: those of the workers that it stands for.
    name: the name that the cluster gives the worker; None for a host.
    host: the host's address.
    threads: how many calls run at a time.
    resources: what each call takes of the worker's Dask resources.

    >>> from distributed import Client
    >>> with Client(processes=False, dashboard_address=":0", threads_per_worker=2) as client:
    ...     [worker] = pm.dask.workers(client)
    ...     worker.threads, worker.run(pow, 2, 3).result()
    (2, 8)
    """

    chunk_seconds: Final = 0.05  # of ``map``: a message to a worker takes some milliseconds

    def __init__(self, client: Any, members: Sequence[Member], needs: Mapping[str, float]) -> None:
        self.addresses: tuple[str, ...] = tuple(member.address for member in members)
        self.name: int | str | None = members[0].name if len(members) == 1 else None
        self.host: str = members[0].host
        self.resources: dict[str, float] = dict(needs)
        self.threads: int = sum(_slots(member, needs) for member in members)
        self._client = client
        self._cluster = Cluster.of(client)
        self._sums = self._cluster.times_of(self.addresses)
        self._identity = (client.id, self.addresses, tuple(sorted(needs.items())))

    def __repr__(self) -> str:
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        if self.name is None:
            return f"<host {self.host} with {len(self.addresses)} Dask workers, {threads}>"
        return f"<Dask worker {self.name} at {self.addresses[0]}, {threads}>"

    def __eq__(self, other: object) -> bool:
        return self._identity == other._identity if isinstance(other, Worker) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity)

    def __reduce__(self) -> Any:
        raise TypeError(f"{self!r} belongs to a client of this process: send its addresses instead")

    @property
    def concurrency(self) -> int:
        """How many calls run at a time, for ``map`` and executors."""
        return self.threads

    @property
    def domain(self) -> Domain:
        """Hardware of its own, as Dask assumes: one core for each thread."""
        return Domain(capacity=float(self.threads), slots=self.threads)

    @property
    def times(self) -> WorkerTimes:
        """Where the time of calls went: computing, transfer and the wait apart.

        Counted from the first use of the client's workers; those of all policies.
        """
        return self._sums.read()

    def __pointsman_transfers__(
        self, /, *args: Any, **kwargs: Any
    ) -> Callable[[Any], float] | None:
        """Return what tells of a resource the seconds until the futures among the arguments are
        there; None without futures."""
        keys = self._cluster.keys_held(self._client, args, kwargs)
        if not keys:
            return None
        seconds_to = self._cluster.holdings.seconds_to
        return lambda to: seconds_to(to.addresses, keys) if isinstance(to, Worker) else 0.0

    def reports_exact_times(self) -> bool:
        """Return True: the worker measures the function itself."""
        return True

    def run(self, func: Callable[..., V], /, *args: Any, **kwargs: Any) -> Call:
        """Send ``func(*args, **kwargs)`` to the worker and return the call.

        Futures of the client among the arguments, also within lists, become their values; data
        that the worker holds is not sent. Raises ClusterError if the client is closed,
        SerializationError if ``func`` or an argument cannot be sent.
        """
        from dask.utils import apply, funcname

        name = funcname(inspect.unwrap(func))
        if self._client.status != "running":
            raise ClusterError(
                f"the client is {self._client.status}, so {name} cannot be sent to {self!r}: make "
                "a new client, and pass its workers to policy.initialize()"
            )
        call = self._cluster.new_call(name, repr(self), self._sums)
        task: tuple[Any, ...] = (func, *args)
        if isinstance(func, Chunk):
            task = task_of(func, *args)
        elif kwargs:  # which may have the names of options of ``submit``
            task = (apply, func, list(args), kwargs)
        try:
            future = self._client.submit(
                *task,
                key=call.key,
                pure=False,
                workers=list(self.addresses),
                allow_other_workers=False,
                resources=self.resources or None,
            )
        except Exception as error:
            _raise_for_unsendable(name, func, args, kwargs, error)
            raise
        self._cluster.holdings.sent(futures_in(args, kwargs), self.addresses)
        call.start(future, self._cluster.fetcher, isinstance(func, Chunk))
        return call


def _slots(member: Member, needs: Mapping[str, float]) -> int:
    """Return how many calls with these needs the worker runs at a time."""
    return min([member.threads, *(int(member.resources[label] // n) for label, n in needs.items())])


def _raise_for_unsendable(
    name: str,
    func: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    error: Exception,
) -> None:
    """Raise SerializationError for the first of ``func`` and the arguments that cannot be sent."""
    import cloudpickle

    parts = [(f"{name}, {func!r},", func)]
    parts += [(f"argument {i} of {name}, {each!r},", each) for i, each in enumerate(args, 1)]
    parts += [(f"argument {key} of {name}, {each!r},", each) for key, each in kwargs.items()]
    for description, part in parts:
        try:
            cloudpickle.dumps(part)
        except Exception as reason:
            raise SerializationError(
                f"{description} cannot be sent to another process ({reason}): pass "
                "what it is made from, and make it in the worker"
            ) from error
