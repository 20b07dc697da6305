# SPDX-License-Identifier: Apache-2.0
# What a device can do with any task: how soon it starts one, and how fast it moves memory.
"""``measure_speeds``, for arenas and OpenCL queues."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from pointsman import opencl
from pointsman._core import Arena
from pointsman._discover import discover
from pointsman._histories import DeviceSpeed, History
from pointsman._resource_identity import identities_of

_RUNS: Final = 5
_LAUNCHES: Final = 101
_LARGEST: Final = 1 << 26  # bytes of a copy


def measure_speeds(
    resources: Iterable[Any] | None = None, *, history: History | None = None
) -> list[DeviceSpeed | None]:
    """Measure each resource, and keep its speed in the history, if one is given.

    resources: default ``pointsman.discover()``. Takes less than a second for each ``Arena`` and
    ``opencl.Queue``; other resources are not measured: their entry is None. A policy that begins
    with the history tries unknown kinds of tasks in the order of the speeds.

    >>> (speed,) = pm.measure_speeds([pm.Arena(1)])
    >>> speed.launch < 1 and speed.bandwidth > 1e6 and speed.upload is None
    True
    """
    found = discover() if resources is None else list(resources)
    speeds = list(map(_speed_of, found))
    if history is not None:
        identities = identities_of(found, history._identity)
        for identity, speed in zip(identities, speeds, strict=True):
            if speed is not None:
                history.set_speed(identity, speed)
    return speeds


def _speed_of(resource: Any) -> DeviceSpeed | None:
    if isinstance(resource, Arena):
        return _speed_of_arena(resource)
    return _speed_of_queue(resource) if isinstance(resource, opencl.Queue) else None


def _seconds(work: Callable[[], Any], runs: int) -> list[float]:
    """Return what ``work`` took, the first run left out, which warms up."""
    times = []
    for _ in range(runs + 1):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return times[1:]


def _launch(work: Callable[[], Any]) -> float:
    return statistics.median(_seconds(work, _LAUNCHES))


def _rate(size_bytes: int, work: Callable[[], Any]) -> float:
    return size_bytes / min(_seconds(work, _RUNS))


def _speed_of_arena(arena: Arena) -> DeviceSpeed:
    source = np.ones(_LARGEST, np.uint8)  # zeros would be one page that the caches keep
    into = np.empty_like(source)
    parts = list(
        zip(
            np.array_split(into, arena.concurrency),
            np.array_split(source, arena.concurrency),
            strict=True,
        )
    )

    def copy() -> None:
        tasks = [arena.run(np.copyto, *part) for part in parts]
        for task in tasks:
            task.wait()

    launch = _launch(lambda: arena.run(int).wait())
    return DeviceSpeed(launch, _rate(2 * source.nbytes, copy), None, None)


def _speed_of_queue(queue: opencl.Queue) -> DeviceSpeed:
    size = min(_LARGEST, queue.device.global_memory_bytes // 8)
    host = np.ones(size, np.uint8)
    source, into = queue.buffer(host), queue.empty(host.shape, host.dtype)
    nothing = queue.build("kernel void nothing() {}").kernel("nothing")
    return DeviceSpeed(
        _launch(lambda: queue.enqueue(nothing, (1,)).wait()),
        _rate(2 * size, lambda: queue.enqueue_copy(source, into).wait()),
        _rate(size, lambda: queue.write(source, host)),
        _rate(size, lambda: queue.read(source, host)),
    )
