# SPDX-License-Identifier: Apache-2.0
# Raised before work reaches a worker, or by `result()` when the cluster has lost it.
"""The exceptions of work on a Dask cluster."""

from __future__ import annotations

from pointsman.error import Error


class ClusterError(Error, RuntimeError):
    """A cluster cannot be used, such as through a closed client.

    >>> from distributed import Client
    >>> client = Client(processes=False, dashboard_address=":0")
    >>> [worker] = pm.dask.workers(client)
    >>> client.close()
    >>> worker.run(pow, 2, 3)
    Traceback (most recent call last):
        ...
    pointsman.dask.ClusterError: the client is closed, so pow cannot be sent to ...
    """


class WorkerLostError(ClusterError):
    """A worker has left the cluster with work, or with results that nobody had fetched.

    Dask keeps such work for a worker of the same address, which may never come; pointsman takes it
    back and raises this error instead. Submit the work again to run it elsewhere.

    >>> issubclass(pm.dask.WorkerLostError, RuntimeError)
    True
    """

    is_resource_failure = True


class SerializationError(Error, TypeError):
    """A callable or an argument cannot be sent to another process.

    >>> import threading
    >>> from distributed import Client
    >>> with Client(processes=False, dashboard_address=":0") as client:
    ...     pm.RoundRobin(pm.dask.workers(client)).run(id, threading.Lock())
    Traceback (most recent call last):
        ...
    pointsman.dask.SerializationError: argument 1 of id, <unlocked ...>, cannot be sent to ...
    """


for _error in (ClusterError, WorkerLostError, SerializationError):
    _error.__module__ = "pointsman.dask"
