# SPDX-License-Identifier: Apache-2.0
# Needs dask.distributed only once a client is passed: the package imports without it.
"""Policies over the workers of a Dask cluster.

Each worker is a resource. A policy chooses one for every submission, and Dask runs the work there:

>>> from distributed import Client
>>> client = Client(n_workers=2, processes=False, dashboard_address=":0")
>>> policy = pm.EarliestFinish(pm.dask.workers(client))
>>> policy.run(pow, 2, 10).result()
1024
>>> client.close()
"""

from pointsman.dask._call import Call
from pointsman.dask._errors import ClusterError, SerializationError, WorkerLostError
from pointsman.dask._local import local_policy, tell_choice
from pointsman.dask._times import WorkerTimes
from pointsman.dask._worker import Worker
from pointsman.dask._workers import Following, follow, workers

__all__ = [
    "Call",
    "ClusterError",
    "Following",
    "SerializationError",
    "Worker",
    "WorkerLostError",
    "WorkerTimes",
    "follow",
    "local_policy",
    "tell_choice",
    "workers",
]


def __dir__() -> list[str]:
    return __all__
