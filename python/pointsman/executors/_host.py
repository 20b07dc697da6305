# SPDX-License-Identifier: Apache-2.0
# Work runs on the calling thread, in NumPy's loops or on the threads of an arena.
"""The executors of the host: ``inline()``, ``unsequenced()`` and ``arena()``."""

from __future__ import annotations

import functools
import operator
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

import numpy as np

from pointsman._core import Arena, ArenaTask
from pointsman._properties import Property, mapping, occupancy
from pointsman.error import InvalidOptionError, WaitTimeoutError
from pointsman.executors._executor import Executor, checked_resource


def _checked(shape: SupportsIndex) -> int:
    try:
        number = operator.index(shape)
    except TypeError:
        raise TypeError(f"the shape is {shape!r}: pass an int, the number of calls") from None
    if number < 0:
        raise InvalidOptionError(f"the shape is {number}: pass the number of calls, 0 or more")
    return number


class _Inline(Executor):
    """Runs work on the calling thread, in the order of the indices."""

    name = "inline"

    def execute(self, f: Callable[[], Any]) -> None:
        f()

    def bulk_execute(self, f: Callable[[int], Any], shape: SupportsIndex) -> None:
        for index in range(_checked(shape)):
            f(index)


class _Unsequenced(_Inline):
    """Calls a function once with the array of all indices: NumPy's loops are the vector lanes."""

    name = "unsequenced"

    def _answers(self) -> dict[Property, Any]:
        return {**super()._answers(), mapping: "other"}

    def bulk_execute(self, f: Callable[[Any], Any], shape: SupportsIndex) -> None:
        number = _checked(shape)
        if number > 0:
            f(np.arange(number))


@dataclass(frozen=True)
class BulkHandle:
    """Handle of bulk work that continues after the call: one task for each part of the indices.

    >>> executor = pm.executors.arena(pm.Arena(1)).require(pm.executors.blocking.never)
    >>> squares = np.zeros(4)
    >>> handle = executor.bulk_execute(lambda i: squares.put(i, i * i), 4)
    >>> handle.result(timeout=60)
    >>> squares
    array([0., 1., 4., 9.])
    """

    tasks: Sequence[ArenaTask]

    def wait(self, timeout: float | None = None) -> bool:
        """Block until all parts are finished; return True if they are.

        timeout: seconds; None for no limit. ``result()`` raises the exceptions of the parts.
        """
        if timeout is None:
            return all(task.wait() for task in self.tasks)
        deadline = time.monotonic() + timeout
        return all(task.wait(max(deadline - time.monotonic(), 0.0)) for task in self.tasks)

    def done(self) -> bool:
        """Return True if all parts are finished. Never blocks."""
        return all(task.done() for task in self.tasks)

    def result(self, timeout: float | None = None) -> None:
        """Block until all parts are finished; raise the exception of the first part that failed,
        in the order of the indices.

        timeout: seconds; None for no limit. Raises WaitTimeoutError (a TimeoutError) after it.
        """
        if not self.wait(timeout):
            raise WaitTimeoutError(
                f"the parts were not all finished within {timeout} s: wait again, or longer"
            )
        for task in self.tasks:
            task.result()


def _run_part(f: Callable[[int], Any], indices: range) -> None:
    for index in indices:
        f(index)


@functools.cache
def _shared_arena() -> Arena:
    return Arena()


@dataclass(frozen=True)
class _Arena(Executor):
    """Runs work on the threads of an ``Arena``, in parallel while the work releases the GIL."""

    name = "arena"
    allowed = ("always", "never", "possibly")
    context: Arena = field(default_factory=_shared_arena)

    def _answers(self) -> dict[Property, Any]:
        return {**super()._answers(), occupancy: self.context.concurrency}

    def execute(self, f: Callable[[], Any]) -> ArenaTask | None:
        task = self.context.run(f)
        if self.blocks != "always":
            return task
        task.result()
        return None

    def bulk_execute(self, f: Callable[[int], Any], shape: SupportsIndex) -> BulkHandle | None:
        number = _checked(shape)
        parts = min(number, 4 * self.context.concurrency)
        bounds = [number * part // parts for part in range(parts)] + [number] if parts > 0 else []
        pairs = zip(bounds, bounds[1:], strict=False)
        handle = BulkHandle([self.context.run(_run_part, f, range(*pair)) for pair in pairs])
        if self.blocks != "always":
            return handle
        handle.result()
        return None


def inline() -> Executor:
    """Return the executor that runs work on the calling thread."""
    return _Inline()


def unsequenced() -> Executor:
    """Return the executor that passes the array of all indices to one call of the function."""
    return _Unsequenced()


def arena(where: Arena | None = None) -> Executor:
    """Return the executor of ``where``, by default of an arena that these executors share."""
    return _Arena() if where is None else _Arena(context=checked_resource(where, Arena))
