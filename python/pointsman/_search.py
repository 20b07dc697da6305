# SPDX-License-Identifier: Apache-2.0
# Coroutines of one loop that search in one policy wait in line; the first one asks most often.
"""The search for a free resource that suspends a coroutine and leaves its event loop running."""

from __future__ import annotations

import os
import sys
import threading
import time
import warnings
import weakref
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pointsman._suspension import Pause, Suspension, is_in_event_loop, suspension
from pointsman.error import BlockingSelectionWarning, SubmitTimeoutError

if TYPE_CHECKING:
    from pointsman._core import Submission

SHORTEST_PAUSE = 0.00005  # seconds between the questions of the first coroutine in line
LONGEST_PAUSE = 0.005
PAUSE_BEHIND = 0.05  # of the others: a resource that the first one cannot use may be free

Attempt = Callable[[], "Submission | None"]


async def find(policy: Any, attempt: Attempt, timeout: float | None = None) -> Submission:
    """Return the first result of ``attempt()`` that is not None.

    The first coroutine in line calls ``attempt`` again when a submission that this search found
    completes, and after pauses of up to 5 ms, because other code can also free a resource. The
    coroutines behind it call it every 50 ms. Raises SubmitTimeoutError after ``timeout`` seconds.
    """
    me = suspension()
    line = line_of(policy, me)
    found = find_now(line, attempt)
    if found is None:
        found = await _wait_in(line, me, attempt, timeout)
        found.add_done_callback(line.wake_first)
    return found


def find_now(line: Line, attempt: Attempt) -> Submission | None:
    """Return the result of ``attempt()``, or None if coroutines wait in ``line``."""
    found = attempt() if line.is_empty() else None
    if found is not None:
        found.add_done_callback(line.wake_first)
    return found


async def _wait_in(
    line: Line, me: Suspension, attempt: Attempt, timeout: float | None
) -> Submission:
    deadline = None if timeout is None else time.monotonic() + timeout
    pause = SHORTEST_PAUSE
    may_ask = False
    try:
        line.join(me)
        while True:
            is_first = line.is_first(me)
            left = None if deadline is None else deadline - time.monotonic()
            is_last_chance = left is not None and left <= 0
            if (is_first or may_ask or is_last_chance) and (found := attempt()) is not None:
                return found
            if is_last_chance:
                raise SubmitTimeoutError
            seconds = pause if is_first else PAUSE_BEHIND
            if is_first:
                pause = min(2 * pause, LONGEST_PAUSE)
            await Pause(me, seconds if left is None else min(seconds, left))
            may_ask = True
    finally:
        line.leave(me)


def warn_if_blocking() -> None:
    """Warn if this thread, which has to wait for a free resource, runs an event loop."""
    if not is_in_event_loop():
        return
    level, frame = 1, sys._getframe()
    while frame.f_globals.get("__name__", "").startswith("pointsman.") and frame.f_back is not None:
        level, frame = level + 1, frame.f_back
    warnings.warn(
        "no resource is free, and waiting for one stops the event loop of this thread: use "
        "'await policy.submit_async(...)' or 'await policy.run_async(...)', or try_submit",
        BlockingSelectionWarning,
        stacklevel=level,
    )


class Line:
    """The coroutines of one event loop that search in one policy."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a collected coroutine leaves from anywhere
        self._waiting: deque[Suspension] = deque()

    def is_empty(self) -> bool:
        """Return True if no coroutine waits."""
        return not self._waiting

    def is_first(self, suspended: Suspension) -> bool:
        """Return True if no other coroutine has waited longer."""
        with self._lock:
            return self._waiting[0] is suspended

    def join(self, suspended: Suspension) -> None:
        """Add a coroutine behind the others."""
        with self._lock:
            self._waiting.append(suspended)

    def leave(self, suspended: Suspension) -> None:
        """Remove a coroutine; the next one asks at once."""
        with self._lock:
            if suspended in self._waiting:
                self._waiting.remove(suspended)
        self.wake_first()

    def wake_first(self, _submission: Submission | None = None) -> None:
        """Let the first coroutine ask: a resource may be free."""
        with self._lock:
            first = self._waiting[0] if self._waiting else None
        if first is not None:
            first.resume()


# By the ids of policy and loop: coroutines and submissions keep a line, and no line keeps a policy.
_lines: weakref.WeakValueDictionary[tuple[int, int], Line] = weakref.WeakValueDictionary()
_lines_lock = threading.RLock()


def line_of(policy: Any, me: Suspension) -> Line:
    """Return the line of ``policy`` in the event loop of a task, whose suspension ``me`` is."""
    key = id(policy), id(me.loop)
    with _lines_lock:
        line = _lines.get(key)
        if line is None:
            line = _lines[key] = Line()
        return line


def _forget_lines() -> None:
    """In a forked child, which has no coroutine of its parent: another thread may hold the lock."""
    global _lines_lock
    _lines_lock = threading.RLock()
    _lines.clear()


os.register_at_fork(after_in_child=_forget_lines)
