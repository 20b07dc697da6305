# SPDX-License-Identifier: Apache-2.0
# Workers measure computing and transfer; the wait is what remains of the time seen by the client.
"""Where the time of calls on a worker went."""

from __future__ import annotations

import threading
from typing import NamedTuple


class WorkerTimes(NamedTuple):
    """Where the time of the calls on a worker went, in mean seconds per successful call.

    compute: the worker's own time for the function.
    transfer: the worker's time to fetch arguments from other workers.
    wait: the rest, from the submission to the client's notice of the end: queues and messages.

    The means are None before the first call has ended.

    >>> from distributed import Client
    >>> with Client(processes=False, dashboard_address=":0") as client:
    ...     policy = pm.RoundRobin(pm.dask.workers(client))
    ...     policy.run(pow, 2, 3).wait()
    ...     [entry.resource.times.completed for entry in policy.statistics()]
    True
    [1]
    """

    completed: int = 0
    compute: float | None = None
    transfer: float | None = None
    wait: float | None = None


class TimeSums:
    """Sums up the times of calls. **Thread safety**: any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._completed = 0
        self._compute = self._transfer = self._wait = 0.0

    def add(self, compute: float, transfer: float, elapsed: float) -> None:
        """Count a call that took ``elapsed`` seconds from its submission to its end."""
        with self._lock:
            self._completed += 1
            self._compute += compute
            self._transfer += transfer
            self._wait += max(elapsed - compute - transfer, 0.0)

    def read(self) -> WorkerTimes:
        """Return the means so far."""
        with self._lock:
            if not self._completed:
                return WorkerTimes()
            sums = (self._compute, self._transfer, self._wait)
            return WorkerTimes(self._completed, *(total / self._completed for total in sums))
