# SPDX-License-Identifier: Apache-2.0
"""The cost of submitting empty work under each policy, compared with hand-written Python."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pointsman as pm

COMPARED_WITH = "python_round_robin"
RESOURCES = [0, 1, 2, 3]


def work(resource: int, value: int) -> int:
    return value


class Handle:
    """A minimal submission, as a user would write it."""

    __slots__ = ("resource", "value")

    def __init__(self, resource: Any, value: Any) -> None:
        self.resource = resource
        self.value = value


class RoundRobin:
    """Minimal code that takes resources in turn."""

    def __init__(self, resources: list[Any]) -> None:
        self.resources = resources
        self.next = 0

    def submit(self, work: Callable[..., Any], *args: Any) -> Handle:
        index = self.next
        self.next = (index + 1) % len(self.resources)
        resource = self.resources[index]
        return Handle(resource, work(resource, *args))


class LockedRoundRobin(RoundRobin):
    """Minimal code that takes resources in turn on several threads."""

    def __init__(self, resources: list[Any]) -> None:
        super().__init__(resources)
        self.lock = threading.Lock()

    def submit(self, work: Callable[..., Any], *args: Any) -> Handle:
        with self.lock:
            index = self.next
            self.next = (index + 1) % len(self.resources)
        resource = self.resources[index]
        return Handle(resource, work(resource, *args))


class LeastLoaded:
    """Minimal code that counts outstanding work."""

    def __init__(self, resources: list[Any]) -> None:
        self.resources = resources
        self.loads = [0] * len(resources)

    def submit(self, work: Callable[..., Any], *args: Any) -> Handle:
        index = self.loads.index(min(self.loads))
        self.loads[index] += 1
        try:
            resource = self.resources[index]
            return Handle(resource, work(resource, *args))
        finally:
            self.loads[index] -= 1


def submit_with(policy: Any) -> Callable[[], object]:
    submit = policy.submit
    return lambda: submit(work, 7)


def bench_direct_call() -> Callable[[], object]:
    return lambda: work(0, 7)


def bench_python_round_robin() -> Callable[[], object]:
    return submit_with(RoundRobin(RESOURCES))


def bench_python_round_robin_with_a_lock() -> Callable[[], object]:
    return submit_with(LockedRoundRobin(RESOURCES))


def bench_python_least_loaded() -> Callable[[], object]:
    return submit_with(LeastLoaded(RESOURCES))


def bench_submit_fixed_resource() -> Callable[[], object]:
    return submit_with(pm.FixedResource(RESOURCES))


def bench_submit_round_robin() -> Callable[[], object]:
    return submit_with(pm.RoundRobin(RESOURCES))


def bench_submit_dynamic_load() -> Callable[[], object]:
    return submit_with(pm.DynamicLoad(RESOURCES))


def bench_submit_auto_tune() -> Callable[[], object]:
    return submit_with(pm.AutoTune(RESOURCES))
