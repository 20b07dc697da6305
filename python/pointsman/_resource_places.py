# SPDX-License-Identifier: Apache-2.0
# Work refuses a full resource like an unsuitable one, so every policy chooses among the others.
"""The places of each resource under ``with_options(max_outstanding_per_resource=...)``."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from pointsman import _core
from pointsman.error import (
    NoHealthyResourceError,
    SubmitTimeoutError,
    UnsuitableResourcesError,
)

LONGEST_PAUSE = 0.05  # seconds; nothing is notified when a quarantine ends

Submit = Callable[["WorkInPlace", "float | None"], Any]


class _PlaceLost(BaseException):
    """Another thread has taken the last place; no Exception, so that no health counts it."""


class ResourcePlaces:
    """The places of each resource, by its identity; a forked child begins with all."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._process = os.getpid()
        self._taken: Counter[int] = Counter()
        self._freed = threading.Condition(threading.RLock())  # a signal handler may submit, too
        self._times_freed = 0

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            self.__init__(self._number)  # type: ignore[misc]

    def has_room(self, resource: Any) -> bool:
        """Return True if the resource has a free place."""
        return self._taken[id(resource)] < self._number

    def take(self, resource: Any) -> None:
        """Take a place; raise _PlaceLost if none is free."""
        with self._freed:
            if not self.has_room(resource):
                raise _PlaceLost
            self._taken[id(resource)] += 1

    def give_back(self, resource: Any) -> None:
        """Make a place free."""
        if os.getpid() != self._process:
            return
        with self._freed:
            self._taken[id(resource)] -= 1
            self._times_freed += 1
            self._freed.notify_all()

    def submit(self, make: Callable[[], WorkInPlace], submit: Submit, timeout: float | None) -> Any:
        """Return ``submit(make(), left)``, repeated while all resources for the work are full.

        Raises SubmitTimeoutError if none has room within ``timeout`` seconds.
        """
        self._check_process()
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            seen = self._times_freed
            left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
            work = make()
            try:
                begun = submit(work, left)
            except (NoHealthyResourceError, UnsuitableResourcesError):
                if not work.met_full_resource:
                    raise
            else:
                if not (isinstance(begun, tuple) and isinstance(begun[1], _PlaceLost)):
                    self._give_back_after(begun, work)
                    return begun
                continue
            self._wait(seen, left)

    def _wait(self, seen: int, left: float | None) -> None:
        if left == 0:
            raise SubmitTimeoutError
        pause = LONGEST_PAUSE if left is None else min(left, LONGEST_PAUSE)
        with self._freed:
            self._freed.wait_for(lambda: self._times_freed != seen, pause)

    def _give_back_after(self, begun: Any, work: WorkInPlace) -> None:
        if isinstance(begun, tuple):
            self.give_back(begun[0])
        else:
            begun.add_done_callback(lambda _submission: self.give_back(work.resource))


class WorkInPlace:
    """Work that refuses full resources and takes a place of the one that it gets."""

    __slots__ = ("__wrapped__", "_needs_run", "_places", "_tried", "met_full_resource", "resource")

    def __init__(
        self, work: Callable[..., Any], places: ResourcePlaces, tried: list[Any], needs_run: bool
    ) -> None:
        self.__wrapped__ = work
        self._places = places
        self._tried = tried
        self._needs_run = needs_run
        self.met_full_resource = False
        self.resource: Any = None

    def __call__(self, resource: Any, /, *args: Any, **kwargs: Any) -> Any:
        self._places.take(resource)
        self.resource = resource
        return self.__wrapped__(resource, *args, **kwargs)

    def __pointsman_refusal__(self, resource: Any) -> str | None:
        """Return why the work does not run on ``resource``, or None."""
        refuses = getattr(type(self.__wrapped__), "__pointsman_refusal__", None)
        reason: str | None = refuses(self.__wrapped__, resource) if refuses is not None else None
        if self._needs_run:
            try:
                _core._runner_of(resource)
            except UnsuitableResourcesError as refused:
                reason = str(refused)
        if reason is None and not self._places.has_room(resource):
            self.met_full_resource |= all(resource is not each for each in self._tried)
            reason = f"{resource!r} is full: raise max_outstanding_per_resource, or wait"
        return reason
