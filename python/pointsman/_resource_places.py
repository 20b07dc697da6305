# SPDX-License-Identifier: Apache-2.0
# Work refuses a full resource like an unsuitable one, so every policy chooses among the others.
"""The places of each resource under ``with_options(max_outstanding_per_resource=...)``."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

from pointsman import _core
from pointsman.error import (
    NoHealthyResourceError,
    SubmitTimeoutError,
    UnsuitableResourcesError,
    WorkCancelledError,
)

LONGEST_PAUSE = 0.05  # seconds; nothing is notified when a quarantine ends

Submit = Callable[["WorkInPlace", "float | None"], Any]
PlaceState = Literal["open", "taken", "given back", "refused"]


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

    def settle(self, work: WorkInPlace, resource: Any, if_full: PlaceState) -> PlaceState:
        """Take a place for work whose place is open, or set it to ``if_full``; return the state.

        if_full: "taken" exceeds the bound.
        """
        with self._freed:
            if work.place == "open":
                work.place = "taken" if self.has_room(resource) else if_full
                if work.place == "taken":
                    work.resource = resource
                    self._taken[id(resource)] += 1
            return work.place

    def refuse(self, work: WorkInPlace) -> None:
        """Let work that has no place not run any more."""
        with self._freed:
            work.place = "refused"

    def give_back(self, work: WorkInPlace) -> None:
        """Make the place of the work free if it has one."""
        if os.getpid() != self._process:
            return
        with self._freed:
            if work.place == "taken":
                self._taken[id(work.resource)] -= 1
                self._times_freed += 1
                self._freed.notify_all()
            if work.place != "refused":
                work.place = "given back"

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
                if self._is_placed(work, begun):
                    return begun
                continue
            self._wait(seen, left)

    def _wait(self, seen: int, left: float | None) -> None:
        if left == 0:
            raise SubmitTimeoutError
        pause = LONGEST_PAUSE if left is None else min(left, LONGEST_PAUSE)
        with self._freed:
            self._freed.wait_for(lambda: self._times_freed != seen, pause)

    def _is_placed(self, work: WorkInPlace, begun: Any) -> bool:
        """Return False if another thread has taken the last place, so that the work does not run.

        A backend may call the work later, in another thread, or never. It takes its place when it
        is called or when the backend's ``submit`` returns, whichever comes first.
        """
        if isinstance(begun, tuple):
            self.give_back(work)
            return work.place != "refused"
        if self.settle(work, begun.resource, "open") == "open":
            if begun.cancel():
                self.refuse(work)
            else:  # it may run already
                self.settle(work, begun.resource, "taken")
        if work.place == "refused":
            begun._ignore_failure()
            return False
        begun.add_done_callback(lambda _submission: self.give_back(work))
        return True


class WorkInPlace:
    """Work that refuses full resources and takes a place of the one that it gets."""

    __slots__ = (
        "__wrapped__",
        "_needs_run",
        "_places",
        "_tried",
        "met_full_resource",
        "place",
        "resource",
    )

    def __init__(
        self, work: Callable[..., Any], places: ResourcePlaces, tried: list[Any], needs_run: bool
    ) -> None:
        self.__wrapped__ = work
        self._places = places
        self._tried = tried
        self._needs_run = needs_run
        self.met_full_resource = False
        self.place: PlaceState = "open"
        self.resource: Any = None

    def __call__(self, resource: Any, /, *args: Any, **kwargs: Any) -> Any:
        if self._places.settle(self, resource, "refused") == "refused":
            raise WorkCancelledError(
                f"the last place of {resource!r} was taken meanwhile: the work is placed again"
            )
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
