# SPDX-License-Identifier: Apache-2.0
# Replaces sleeps in tests: calls become due only when the test advances the time.
"""A clock that stands still until a test advances it."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable
from itertools import count

from pointsman.error import InvalidOptionError


class ManualClock:
    """Stands still until ``advance`` is called. May be used from any thread.

    start: the initial time, in seconds.

    >>> from pointsman.testing import ManualClock
    >>> clock = ManualClock()
    >>> clock.call_at(1.5, lambda: print("due at", clock.now()))
    >>> clock.advance(2.0)
    due at 1.5
    """

    def __init__(self, start: float = 0.0) -> None:
        self._now = start
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._order = count()
        self._lock = threading.Lock()

    def now(self) -> float:
        """Return the time in seconds."""
        return self._now

    def call_at(self, when: float, call: Callable[[], object]) -> None:
        """Schedule ``call()`` for the ``advance`` that reaches the time ``when``."""
        with self._lock:
            heapq.heappush(self._due, (when, next(self._order), call))

    def advance(self, seconds: float) -> None:
        """Advance by ``seconds`` and make all calls that become due, each at its due time.

        Raises InvalidOptionError (a ValueError) for a negative number.
        """
        if not seconds >= 0:
            raise InvalidOptionError(f"seconds is {seconds}: pass 0 or more, time does not go back")
        end = self._now + seconds
        while (call := self._next_until(end)) is not None:
            call()
        self._now = end

    def _next_until(self, end: float) -> Callable[[], object] | None:
        with self._lock:
            if not self._due or self._due[0][0] > end:
                return None
            when, _, call = heapq.heappop(self._due)
            self._now = max(self._now, when)
            return call
