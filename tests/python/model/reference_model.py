# SPDX-License-Identifier: Apache-2.0
# The expected state of policies: plain records of each task, without threads.
"""The reference model with which random operations on policies are compared."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pointsman as pm


class Place:
    """A resource of the model: the set it belongs to and its index there."""

    made: ClassVar[list[weakref.ref[Place]]] = []  # Ctrl-C might interrupt a __del__
    current: ClassVar[Place | None] = None

    def __init__(self, owner: ReferenceSet, index: int) -> None:
        self.owner = owner
        self.index = index
        Place.made.append(weakref.ref(self))

    @classmethod
    def is_any_alive(cls) -> bool:
        """Drop dead references; return True if a resource is still alive."""
        cls.made = [place for place in cls.made if place() is not None]
        return bool(cls.made)

    def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run the function at once in this thread; a task sees where it runs."""
        Place.current = self
        try:
            return function(*args)
        finally:
            Place.current = None


class ReferenceSet:
    """One set of resources, published by one construction or ``initialize``."""

    def __init__(self, size: int) -> None:
        self.size = size

    def places(self) -> list[Place]:
        return [Place(self, index) for index in range(self.size)]


class PassingBackend(pm.Backend):
    """A user-defined backend that does what the engine does by itself."""

    def submit(self, selection: Any, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return super().submit(selection, work, *args, **kwargs)


@dataclass
class ReferencePolicy:
    """A policy: its set, and the arguments that a rule received."""

    current: ReferenceSet
    offset: int = 0
    tokens: int = 1
    turns: int = 0
    knows_turns: bool = True  # false after a choice that may not have been made


class WorkFailed(Exception):
    """The error of work that fails."""


class Polled:
    """Work that can be polled, and waited for once it has completed."""

    def __init__(self) -> None:
        self.future: Future[int] = Future()

    def done(self) -> bool:
        return self.future.done()

    def result(self) -> int:
        return self.future.result(60)


class Waited:
    """Work that has only a ``wait``."""

    def __init__(self) -> None:
        self.future: Future[int] = Future()

    def wait(self) -> None:
        self.future.result(60)


@dataclass(eq=False)
class Task:
    """One task: the records of its function, and its expected state."""

    kind: str
    policy: ReferencePolicy
    fails: bool = False
    calls: int = 0
    place: Place | None = None
    work: Any = None
    has_ended: bool = False
    is_seen: bool = False  # somebody has waited for it or polled it since it completed
    is_dropped: bool = False
    is_lost: bool = False  # an interruption was raised from its submission
    notified: int = 0
    callbacks: int = 0
    set: ReferenceSet = field(init=False)

    def __post_init__(self) -> None:
        self.set = self.policy.current

    def __call__(self, place: Place | None = None) -> Any:
        self.calls += 1
        self.place = Place.current if place is None else place
        if self.kind == "raising":
            raise WorkFailed
        if self.kind == "value":
            return 7
        self.work = {"future": Future, "polled": Polled, "waited": Waited}[self.kind]()
        return self.work

    @property
    def is_open(self) -> bool:
        """True if there is work that the test has not completed."""
        return self.work is not None and not self.has_ended

    @property
    def future(self) -> Future[int]:
        return self.work if self.kind == "future" else self.work.future  # type: ignore[no-any-return]

    def end(self) -> None:
        """Complete the work."""
        self.has_ended = True
        if self.fails:
            self.future.set_exception(WorkFailed())
        else:
            self.future.set_result(7)

    def may_load(self) -> bool:
        """Return True if the task may still count as load of its resource."""
        if self.kind == "selection":
            return self.place is not None
        if self.work is None or self.is_seen:
            return False
        if self.kind == "future":
            return not self.has_ended
        return self.kind == "polled" or self.callbacks > 0 or not self.is_dropped

    def must_load(self) -> bool:
        """Return True if the task certainly counts as load of its resource."""
        is_watched = self.kind == "polled" or self.callbacks > 0  # by a thread that sees it end
        return self.may_load() and not self.is_lost and not (is_watched and self.has_ended)


def expected_loads(tasks: list[Task], current: ReferenceSet) -> list[tuple[int, int]]:
    """Return the smallest and the largest possible load of each resource."""
    bounds = [(0, 0)] * current.size
    for task in tasks:
        if task.set is current and task.place is not None:
            least, most = bounds[task.place.index]
            bounds[task.place.index] = (least + task.must_load(), most + task.may_load())
    return bounds
