# SPDX-License-Identifier: Apache-2.0
# Executors: one interface to run work on threads, vector lanes or devices.
"""Executors run one function (``execute``) or a function for each index (``bulk_execute``):

>>> x, y = np.ones(1000), np.zeros(1000)
>>> def body(i):
...     y[i] += 2 * x[i]
>>> arena = pm.executors.arena()
>>> arena.bulk_execute(body, 1000)
>>> work = arena.require(pm.executors.blocking.never).bulk_execute(body, 1000)
>>> work.result()
>>> float(y.sum())
4000.0

An executor that always blocks returns ``None`` and raises the first exception of its work, once
all of the work has stopped. One that never blocks returns a handle with ``wait()``, ``done()`` and
``result()``.
"""

from pointsman._properties import Property, blocking, mapping, occupancy, outstanding_work
from pointsman.executors._best_fit import NoExecutorFitsError, best_fit
from pointsman.executors._executor import Executor, bulk_execute, execute, prefer, query, require
from pointsman.executors._host import BulkHandle, arena, inline, unsequenced
from pointsman.executors._opencl import opencl

__all__ = [
    "BulkHandle",
    "Executor",
    "NoExecutorFitsError",
    "Property",
    "arena",
    "best_fit",
    "blocking",
    "bulk_execute",
    "execute",
    "inline",
    "mapping",
    "occupancy",
    "opencl",
    "outstanding_work",
    "prefer",
    "query",
    "require",
    "unsequenced",
]
