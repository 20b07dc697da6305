# SPDX-License-Identifier: Apache-2.0
# Of the coroutines that search in one policy the first asks; the others wait in line.
"""The search for a free resource that suspends a coroutine and leaves its event loop running."""

from __future__ import annotations

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

SHORTEST_PAUSE = 0.0005  # seconds
LONGEST_PAUSE = 0.005

Attempt = Callable[[], "Submission | None"]


async def find(policy: Any, attempt: Attempt, timeout: float | None = None) -> Submission:
    """Return the first result of ``attempt()`` that is not None.

    It is called again when a submission that was found in this way completes, and after pauses of
    up to 5 ms, as a resource can also be freed by other threads. Coroutines that search in one
    policy are served in their order. Raises SubmitTimeoutError after ``timeout`` seconds.
    """
    line = _line_of(policy)
    found = attempt() if line.is_empty() else None
    if found is None:
        found = await _wait_in(line, attempt, timeout)
    found.add_done_callback(line.wake_first)
    return found


async def _wait_in(line: _Line, attempt: Attempt, timeout: float | None) -> Submission:
    deadline = None if timeout is None else time.monotonic() + timeout
    pause = SHORTEST_PAUSE
    me = suspension()
    line.join(me)
    try:
        while True:
            is_first = line.is_first(me)
            if is_first and (found := attempt()) is not None:
                return found
            seconds = pause if is_first else None
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise SubmitTimeoutError(
                        "no resource became free within the timeout: raise the timeout of "
                        "with_options(), or add resources"
                    )
                seconds = left if seconds is None else min(seconds, left)
            await Pause(me, seconds)
            if is_first:
                pause = min(2 * pause, LONGEST_PAUSE)
    finally:
        line.leave(me)


def warn_if_blocking() -> None:
    """Warn if this thread, which has to wait for a free resource, runs an event loop."""
    if is_in_event_loop():
        warnings.warn(
            "no resource is free, and waiting for one stops the event loop of this thread: use "
            "'await policy.submit_async(...)' or 'await policy.run_async(...)', or try_submit",
            BlockingSelectionWarning,
            stacklevel=2,
        )


class _Line:
    """The coroutines that search in one policy, in all threads; the first one asks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[Suspension] = deque()

    def is_empty(self) -> bool:
        return not self._waiting

    def is_first(self, suspended: Suspension) -> bool:
        with self._lock:
            return self._waiting[0] is suspended

    def join(self, suspended: Suspension) -> None:
        with self._lock:
            self._waiting.append(suspended)

    def leave(self, suspended: Suspension) -> None:
        """Remove a coroutine; the next one asks at once."""
        with self._lock:
            self._waiting.remove(suspended)
        self.wake_first()

    def wake_first(self, _submission: Submission | None = None) -> None:
        """Let the first coroutine ask: a resource may be free."""
        with self._lock:
            first = self._waiting[0] if self._waiting else None
        if first is not None:
            first.resume()


# By the id of the policy: coroutines and submissions keep a line, and no line keeps a policy.
_lines: weakref.WeakValueDictionary[int, _Line] = weakref.WeakValueDictionary()
_lines_lock = threading.Lock()


def _line_of(policy: Any) -> _Line:
    with _lines_lock:
        line = _lines.get(id(policy))
        if line is None:
            line = _lines[id(policy)] = _Line()
        return line
