# SPDX-License-Identifier: Apache-2.0
# Completion of a submission wakes the asyncio or Trio task that awaits it.
"""Implements ``await submission`` without polling: completion calls into the event loop."""

from __future__ import annotations

import sys
import threading
import weakref
from asyncio import CancelledError, get_running_loop
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pointsman._core import Submission

Wake = Callable[[], None]


def wait_for(submission: Submission) -> Generator[Any, None, Any]:
    """Return the iterator of ``submission.__await__()``; it ends with the result or the error.

    Cancelling the awaiting task cancels the submission, as it would a concurrent future.
    """
    if not submission.done():
        yield from (_in_trio if _library() == "trio" else _in_asyncio)(submission)
    return submission.result()


def _library() -> str:
    """Return the async library of the current task. Trio imports sniffio; without it, only asyncio
    can run the task."""
    sniffio = sys.modules.get("sniffio")
    if sniffio is None:
        return "asyncio"
    try:
        return str(sniffio.current_async_library())
    except sniffio.AsyncLibraryNotFoundError:
        return "asyncio"


def _in_asyncio(submission: Submission) -> Generator[Any, None, None]:
    loop = get_running_loop()
    completion = loop.create_future()

    def wake() -> None:
        if not completion.done():
            completion.set_result(None)

    def tell() -> None:
        try:
            loop.call_soon_threadsafe(wake)
        except RuntimeError:
            if not loop.is_closed():
                raise

    bell = _bell_of(submission)
    bell.add(tell)
    try:
        yield from completion.__await__()
    except CancelledError:
        submission.cancel()
        raise
    finally:
        bell.remove(tell)


def _in_trio(submission: Submission) -> Generator[Any, None, None]:
    from trio import Cancelled, RunFinishedError, lowlevel

    task = lowlevel.current_task()
    token = lowlevel.current_trio_token()
    is_waiting = True

    def wake() -> None:
        nonlocal is_waiting
        if is_waiting:
            is_waiting = False
            lowlevel.reschedule(task)

    def tell() -> None:
        try:
            token.run_sync_soon(wake)
        except RunFinishedError:
            pass

    def abort(_raise_cancel: object) -> lowlevel.Abort:
        nonlocal is_waiting
        is_waiting = False
        return lowlevel.Abort.SUCCEEDED

    bell = _bell_of(submission)
    bell.add(tell)
    try:
        yield from lowlevel.wait_task_rescheduled(abort).__await__()
    except Cancelled:
        submission.cancel()
        raise
    finally:
        bell.remove(tell)


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
