# SPDX-License-Identifier: Apache-2.0
# Filters and groups the workers of a cluster; keeps a policy's set up to date.
"""``workers`` lists the workers of a cluster; ``follow`` tells of that list and its changes."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from pointsman.dask._cluster import Cluster, Member
from pointsman.dask._worker import Worker
from pointsman.error import InvalidOptionError


def workers(
    client: Any,
    *,
    host: str | None = None,
    resources: Mapping[str, float] | None = None,
    threads: int | None = None,
    each: Literal["worker", "host"] = "worker",
) -> list[Worker]:
    """Return the workers of the cluster of ``client`` as resources of a policy.

    client: a ``dask.distributed.Client`` that is not asynchronous.
    host: only workers of this host, as the scheduler writes it, such as ``"10.0.0.7"``.
    resources: what each call takes of a worker's Dask resources, such as ``{"GPU": 1}``; only
        workers that have as much.
    threads: only workers with this number of threads.
    each: ``"host"`` for one resource for all workers of a host, among which Dask chooses.

    Raises TypeError for another object, InvalidOptionError (a ValueError) for an asynchronous
    client or an unknown ``each``, ClusterError for a closed client, for a scheduler that cannot
    report, or if the cluster runs another Python.

    >>> from distributed import Client
    >>> with Client(n_workers=2, processes=False, dashboard_address=":0") as client:
    ...     policy = pm.DynamicLoad(pm.dask.workers(client))
    ...     list(policy.map(str.upper, ["points", "man"]))
    ['POINTS', 'MAN']
    """
    if each not in ("worker", "host"):
        raise InvalidOptionError(f'each is {each!r}: pass "worker" or "host"')
    needs = dict(resources or {})
    fitting = [
        member
        for member in Cluster.of(client).members()
        if host in (None, member.host)
        and threads in (None, member.threads)
        and all(member.resources.get(label, 0) >= amount for label, amount in needs.items())
    ]
    groups = [[member] for member in fitting] if each == "worker" else _by_host(fitting)
    return [Worker(client, group, needs) for group in groups]


def _by_host(members: Iterable[Member]) -> list[list[Member]]:
    hosts: dict[str, list[Member]] = {}
    for member in members:
        hosts.setdefault(member.host, []).append(member)
    return list(hosts.values())


class Following:
    """Ends with ``close()`` or a ``with`` block; made by ``follow``.

    >>> from distributed import Client
    >>> policy = pm.DynamicLoad(pm.deferred_initialization)
    >>> with Client(n_workers=1, processes=False, dashboard_address=":0") as client:
    ...     with pm.dask.follow(client, policy.initialize):
    ...         policy.run(pow, 2, 3).result()
    8
    """

    def __init__(self, cluster: Cluster, listener: Callable[[], None]) -> None:
        self._cluster = cluster
        self._listener = listener
        cluster.listeners.append(listener)

    def __enter__(self) -> Following:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop following. May be called again."""
        if self._listener in self._cluster.listeners:
            self._cluster.listeners.remove(self._listener)


def follow(client: Any, initialize: Callable[[list[Worker]], object], **filters: Any) -> Following:
    """Call ``initialize(workers(client, **filters))`` now and after every change of that list.

    initialize: most often ``policy.initialize``; a function of your own can add other resources or
        options. After a change it is called on another thread. It is not called for an empty list:
        until a worker joins, submissions to the last workers raise WorkerLostError.
    filters: those of ``workers``.

    Submissions in flight keep their worker. A policy that is initialised again counts its loads
    from zero; ``AutoTune`` and ``EarliestFinish`` keep what they have learnt of the workers that
    stay. ``Worker.times`` goes on. Raises what ``workers`` and ``initialize`` raise.

    >>> from distributed import Client
    >>> policy = pm.EarliestFinish(pm.deferred_initialization)
    >>> with Client(n_workers=1, processes=False, dashboard_address=":0") as client:
    ...     following = pm.dask.follow(client, policy.initialize)
    ...     following.close()
    """
    reference = weakref.ref(client)
    lock = threading.Lock()
    known: list[Worker] = []

    def update() -> None:
        client = reference()
        if client is None or client.status != "running":
            return
        with lock:
            present = workers(client, **filters)
            if present and present != known:
                initialize(present)
                known[:] = present

    following = Following(Cluster.of(client), update)
    try:
        update()
    except BaseException:
        following.close()
        raise
    return following
