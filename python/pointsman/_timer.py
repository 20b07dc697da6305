# SPDX-License-Identifier: Apache-2.0
# One timer for all policies; its threads are started when they are needed.
"""Calls functions at a later time on background threads."""

from __future__ import annotations

import heapq
import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count

_MOST_WAITING = 2  # threads

_logger = logging.getLogger("pointsman")


class TimedCall:
    """A call that is due at ``time``, on ``time.monotonic()``."""

    __slots__ = ("function", "number", "time")

    def __init__(self, time: float, number: int, function: Callable[[], object]) -> None:
        self.time = time
        self.number = number
        self.function: Callable[[], object] | None = function

    def __lt__(self, other: TimedCall) -> bool:
        return (self.time, self.number) < (other.time, other.number)


class Timer:
    """Calls functions, each at its time, on a thread that is not blocked by an earlier one.

    An exception of a function is logged. At the end of the interpreter, calls that are not due are
    dropped.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.RLock())  # a collected object may call, too
        self._due: list[TimedCall] = []
        self._cancelled = 0
        self._numbers = count()
        self._threads = 0
        self._waiting = 0  # threads that wait for the next call

    def call_after(self, seconds: float, function: Callable[[], object]) -> TimedCall:
        """Call ``function()`` after so many seconds, 0 for soon."""
        with self._changed:
            call = TimedCall(time.monotonic() + seconds, next(self._numbers), function)
            if self._threads == 0:
                self._start_thread()
            heapq.heappush(self._due, call)
            if self._due[0] is call:
                self._changed.notify()
        return call

    def cancel(self, call: TimedCall) -> None:
        """Drop a call that is not due yet, and what it refers to."""
        with self._changed:
            call.function = None
            self._cancelled += 1
            if self._cancelled > 64 and 2 * self._cancelled > len(self._due):
                self._due[:] = [each for each in self._due if each.function is not None]
                heapq.heapify(self._due)
                self._cancelled = 0

    def forget(self) -> None:
        """Drop all calls, in a forked child, which lacks the thread."""
        self.__init__()  # type: ignore[misc]

    def _start_thread(self) -> None:
        threading.Thread(target=self._run, name="pointsman timer", daemon=True).start()
        self._threads += 1

    def _run(self) -> None:
        while (function := self._next()) is not None:
            try:
                function()
            except BaseException:
                _logger.exception("%r failed", function)
            del function  # what it refers to may be released now

    def _next(self) -> Callable[[], object] | None:
        """Return the next call when it is due; None if enough other threads wait for it.

        Another thread then waits, so that a function that blocks delays no other one.
        """
        with self._changed:
            if self._waiting == _MOST_WAITING:
                self._threads -= 1
                return None
            self._waiting += 1
            while True:
                left = self._due[0].time - time.monotonic() if self._due else None
                if left is None or left > 0:
                    self._changed.wait(None if left is None else min(left, threading.TIMEOUT_MAX))
                elif (function := heapq.heappop(self._due).function) is not None:
                    self._waiting -= 1
                    if self._waiting == 0:
                        with suppress(RuntimeError):  # no more threads: this one comes back
                            self._start_thread()
                    return function
                else:
                    self._cancelled -= 1


timer = Timer()
os.register_at_fork(after_in_child=timer.forget)
