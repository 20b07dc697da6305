# SPDX-License-Identifier: Apache-2.0
"""A policy and a backend of one's own; ``test_cache_affinity.py`` tests them.

A worker that keeps the tables it has loaded answers faster if it gets the same key again. The
policy sends equal keys to the same worker, unless that worker is overloaded. The backend adds up
the seconds for which each worker was used, for example to bill them.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any
from zlib import crc32

import pointsman as pm


class Affinity(pm.PolicyBase):
    """Chooses the worker of the key, which is the first argument, or the least loaded worker if the
    worker of the key has ``limit`` outstanding submissions."""

    limit = 4

    def try_select(
        self, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> pm.ResourceStatistics:
        workers = self.statistics()
        key = repr(args[0]) if args else ""
        home = workers[crc32(key.encode()) % len(workers)]
        return home if home.load < self.limit else min(workers, key=lambda worker: worker.load)


class Billing(pm.Backend):
    """Adds up, for each worker, the seconds from the call to the completion of its tasks."""

    def __init__(
        self, resources: Iterable[Any], clock: Callable[[], float] = time.perf_counter
    ) -> None:
        super().__init__(resources)
        self.seconds = dict.fromkeys(map(str, self.get_resources()), 0.0)
        self._clock = clock
        self._lock = Lock()  # tasks may complete on several threads at once

    def submit(
        self, selection: pm.Placement, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Any:
        begin = self._clock()

        def complete(error: BaseException | None) -> None:
            with self._lock:
                self.seconds[str(selection.resource)] += self._clock() - begin

        return pm.completion_of(work(selection.resource, *args, **kwargs), complete)


class Worker:
    """An arena of one thread that keeps the two tables that it used last."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.arena = pm.Arena(1)
        self.tables: OrderedDict[str, list[int]] = OrderedDict()
        self.loaded = 0

    def __str__(self) -> str:
        return self.name

    def look_up(self, key: str, index: int) -> int:
        """Return an entry of the table ``key``, which is loaded first if it is not here."""
        if key not in self.tables:
            self.loaded += 1
            self.tables[key] = [len(key) * i for i in range(100_000)]
        self.tables.move_to_end(key)
        while len(self.tables) > 2:
            self.tables.popitem(last=False)
        return self.tables[key][index]


def look_up(worker: Worker, key: str, index: int) -> pm.ArenaTask:
    return worker.arena.run(worker.look_up, key, index)


def main() -> None:
    backends = [Billing([Worker("left"), Worker("right")]) for _ in range(2)]
    policies = pm.RoundRobin(backend=backends[0]), Affinity(backend=backends[1])
    for policy, backend in zip(policies, backends, strict=True):
        for index in range(200):
            policy.submit_and_wait(look_up, ("ant", "bee", "cat")[index // 3 % 3], index)
        loaded = sum(worker.loaded for worker in policy.get_resources())
        used = ", ".join(f"{name} {1000 * s:.1f} ms" for name, s in backend.seconds.items())
        print(f"{type(policy).__name__:10}  loaded {loaded:3} tables for 200 calls; used {used}")


if __name__ == "__main__":
    main()
