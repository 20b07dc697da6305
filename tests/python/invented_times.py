# SPDX-License-Identifier: Apache-2.0
"""A policy that has measured invented times, for pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pointsman as pm


class Timed(pm.Backend):
    """Reports ``seconds(resource, size of the argument)`` as the time of each task."""

    def __init__(self, resources: Iterable[Any], seconds: Callable[[Any, int], float]) -> None:
        super().__init__(resources)
        self.seconds = seconds

    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> None:
        selection.report("task_time", self.seconds(selection.resource, len(args[0])))


def blur(resource: Any, image: bytes) -> None:
    """A task by name only: the backend never calls it."""


def by_size(resource: str, size: int) -> float:
    """The device is faster than the host from 2^10 bytes on."""
    return size**0.5 * 32e-6 if resource == "device" else size * 1e-6


def measured(
    resources: Iterable[Any], seconds: Callable[[Any, int], float], sizes: Iterable[int]
) -> pm.AutoTune[Any]:
    """Returns a policy that has run 50 tasks of every size."""
    policy: pm.AutoTune[Any] = pm.AutoTune(backend=Timed(resources, seconds))
    for size in sizes:
        for _ in range(50):
            policy.submit(blur, bytes(size))
    return policy
