# SPDX-License-Identifier: Apache-2.0
# A wake that comes between the check of a condition and the wait ends the wait.
"""Suspends a coroutine under asyncio or Trio until another thread resumes it, without polling."""

from __future__ import annotations

import sys
from asyncio import CancelledError, Future, get_running_loop
from collections.abc import Generator
from contextlib import nullcontext
from typing import Any, Protocol


class Suspension(Protocol):
    """Lets the current task wait. Only ``resume`` may be called by others than this task."""

    cancelled: type[BaseException]
    """What ``wait`` raises when the task is cancelled."""
    loop: object
    """Identifies the event loop of the task."""

    def resume(self) -> None:
        """End the wait, or the next one if the task has not returned to its event loop yet. May be
        called from any thread. An earlier call can also end a wait, so the task must check the
        condition for which it waits.
        """

    def wait(self, seconds: float | None = None) -> Generator[Any, None, None]:
        """Return an iterator for ``__await__`` that ends at ``resume``, or after ``seconds``."""


class Pause:
    """Awaitable form of ``suspension.wait(seconds)``."""

    def __init__(self, suspension: Suspension, seconds: float | None = None) -> None:
        self._suspension = suspension
        self._seconds = seconds

    def __await__(self) -> Generator[Any, None, None]:
        return self._suspension.wait(self._seconds)


def suspension() -> Suspension:
    """Return a new suspension for the current task."""
    return _InTrio() if _library() == "trio" else _InAsyncio()


def is_in_event_loop() -> bool:
    """Return True if this thread runs an event loop."""
    try:
        get_running_loop()
    except RuntimeError:
        return _runs_trio()
    return True


def _runs_trio() -> bool:
    """Return True if this thread runs a Trio task; a context copied from one does not suffice."""
    trio = sys.modules.get("trio")
    if trio is None:
        return False
    try:
        trio.lowlevel.current_task()
    except RuntimeError:
        return False
    return True


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


class _InAsyncio:
    cancelled: type[BaseException] = CancelledError

    def __init__(self) -> None:
        self.loop = get_running_loop()
        self._future: Future[None] | None = None

    def resume(self) -> None:
        try:
            self.loop.call_soon_threadsafe(self._end)
        except RuntimeError:
            if not self.loop.is_closed():
                raise

    def wait(self, seconds: float | None = None) -> Generator[Any, None, None]:
        self._future = self.loop.create_future()
        timer = None if seconds is None else self.loop.call_later(seconds, self._end)
        try:
            yield from self._future.__await__()
        finally:
            self._future = None
            if timer is not None:
                timer.cancel()

    def _end(self) -> None:
        if self._future is not None and not self._future.done():
            self._future.set_result(None)


class _InTrio:
    def __init__(self) -> None:
        import trio

        self._trio = trio
        self.cancelled: type[BaseException] = trio.Cancelled
        self._task = trio.lowlevel.current_task()
        self.loop = trio.lowlevel.current_trio_token()
        self._is_waiting = False

    def resume(self) -> None:
        try:
            self.loop.run_sync_soon(self._end)
        except self._trio.RunFinishedError:
            pass

    def wait(self, seconds: float | None = None) -> Generator[Any, None, None]:
        # A scope must be left in its task: without a limit, the iterator can be dropped anywhere.
        with nullcontext() if seconds is None else self._trio.move_on_after(seconds):
            self._is_waiting = True
            yield from self._trio.lowlevel.wait_task_rescheduled(self._abort).__await__()

    def _end(self) -> None:
        if self._is_waiting:
            self._is_waiting = False
            self._trio.lowlevel.reschedule(self._task)

    def _abort(self, _raise_cancel: object) -> Any:
        self._is_waiting = False
        return self._trio.lowlevel.Abort.SUCCEEDED
