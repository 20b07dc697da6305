# SPDX-License-Identifier: Apache-2.0
# Completion of a submission wakes the asyncio or Trio task that awaits it.
"""Implements ``await submission`` without polling: completion calls into the event loop."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from pointsman._suspension import suspension

if TYPE_CHECKING:
    from pointsman._core import Submission

Wake = Callable[[], None]


def wait_for(submission: Submission) -> Generator[Any, None, Any]:
    """Return the iterator of ``submission.__await__()``; it ends with the result or the error.

    Cancelling the awaiting task cancels the submission, as it would a concurrent future.
    """
    if not submission.done():
        yield from _completion_of(submission)
    return submission.result()


def _completion_of(submission: Submission) -> Generator[Any, None, None]:
    suspended = suspension()
    bell = _bell_of(submission)
    bell.add(suspended.resume)
    try:
        yield from suspended.wait()
    except suspended.cancelled:
        submission.cancel()
        raise
    finally:
        bell.remove(suspended.resume)


class _Bell:
    """Wakes all tasks that await a submission. It registers one callback for all of them, as a
    submission keeps its callbacks until it completes, while cancelled tasks must be forgotten."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[Wake] = []
        self._has_rung = False

    def add(self, wake: Wake) -> None:
        """Call ``wake`` once on completion; immediately if the submission has completed."""
        with self._lock:
            if not self._has_rung:
                self._waiting.append(wake)
                return
        wake()

    def remove(self, wake: Wake) -> None:
        """Unregister ``wake``."""
        with self._lock:
            if wake in self._waiting:
                self._waiting.remove(wake)

    def ring(self, _submission: Submission) -> None:
        """Wake all waiters: the submission has completed."""
        with self._lock:
            self._has_rung = True
            waiting, self._waiting = self._waiting, []
        for wake in waiting:
            wake()


_bells: weakref.WeakKeyDictionary[Submission, _Bell] = weakref.WeakKeyDictionary()
_bells_lock = threading.Lock()


def _bell_of(submission: Submission) -> _Bell:
    with _bells_lock:
        bell = _bells.get(submission)
        if bell is None:
            bell = _Bell()
            submission.add_done_callback(bell.ring)  # first: Ctrl-C may skip the next line
            _bells[submission] = bell
        return bell
