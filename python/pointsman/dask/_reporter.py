# SPDX-License-Identifier: Apache-2.0
# Sent to the scheduler by value, so that the scheduler needs no pointsman.
"""What runs in the scheduler: it reports workers that join and leave, work that is stuck because
its worker has left, and the times of work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def installer(topic: str, mark: str, client_id: str) -> Callable[..., list[dict[str, Any]]]:
    """Return the function for ``client.run_on_scheduler`` that starts reports to the subscribers of
    ``topic`` and returns the workers of that moment.

    mark: part of the keys of the tasks to report. The reports end when the client leaves.
    """
    from distributed.diagnostics.plugin import SchedulerPlugin

    # Classes and functions within a function are pickled by value.
    def described(worker: Any) -> dict[str, Any]:
        return {
            "address": worker.address,
            "name": worker.name if isinstance(worker.name, (int, str)) else str(worker.name),
            "host": worker.host,
            "threads": worker.nthreads,
            "resources": dict(worker.resources),
        }

    class Reporter(SchedulerPlugin):  # type: ignore[misc]
        name = topic

        def __init__(self, scheduler: Any) -> None:
            self.scheduler = scheduler

        def report(self, *message: Any) -> None:
            self.scheduler.log_event(topic, message)

        def report_if_stuck(self, task: Any) -> None:
            workers = self.scheduler.workers
            if mark in str(task.key) and workers.keys().isdisjoint(task.worker_restrictions or ()):
                self.report("stuck", task.key)

        def add_worker(self, scheduler: Any, worker: str, **_: Any) -> None:
            self.report("joined", described(scheduler.workers[worker]))

        def remove_worker(self, scheduler: Any, worker: str, **_: Any) -> None:
            self.report("left", worker)
            for task in list(scheduler.unrunnable):
                self.report_if_stuck(task)

        def transition(self, key: Any, start: str, finish: str, *_: Any, **kwargs: Any) -> None:
            if finish == "no-worker":
                self.report_if_stuck(self.scheduler.tasks[key])
            elif start == "processing" and finish == "memory" and mark in str(key):
                seconds: dict[str, float] = {}
                for part in kwargs.get("startstops") or ():
                    action = part["action"]
                    seconds[action] = seconds.get(action, 0.0) + part["stop"] - part["start"]
                place = (kwargs.get("nbytes") or 0, kwargs["worker"], self.scheduler.bandwidth)
                self.report("took", key, seconds.get("compute"), seconds.get("transfer"), *place)

        def remove_client(self, scheduler: Any, client: str) -> None:
            if client == client_id:
                scheduler.remove_plugin(name=topic)

    def install(dask_scheduler: Any) -> list[dict[str, Any]]:
        dask_scheduler.add_plugin(Reporter(dask_scheduler), name=topic)
        dask_scheduler.subscribe_topic(topic, client_id)
        return [described(worker) for worker in dask_scheduler.workers.values()]

    return install
