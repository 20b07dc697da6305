# SPDX-License-Identifier: Apache-2.0
# Dask's future is wrapped because it never ends when the only worker for it has left.
"""A call on a worker, which the engine waits for."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Any, Final

from pointsman.dask._errors import ClusterError
from pointsman.dask._fetcher import Fetcher
from pointsman.dask._times import TimeSums

SMALL: Final = 65_536  # bytes of a value that is fetched before somebody asks for it


class Call:
    """A call on a worker: the object that ``Worker.run`` and ``submission.unwrap()`` return.

    future: Dask's own future, to be passed to other work on the cluster; the value then goes from
    worker to worker. The call ends with it, or with a WorkerLostError once the worker has left.
    A value of at most 64 KiB comes to the client before the call ends, and so outlives the worker.

    >>> from distributed import Client
    >>> with Client(processes=False, dashboard_address=":0") as client:
    ...     policy = pm.RoundRobin(pm.dask.workers(client))
    ...     square = policy.run(pow, 7, 2).unwrap()
    ...     policy.run(pow, square.future, 2).result()
    2401
    """

    def __init__(self, name: str, place: str, key: str, sums: TimeSums) -> None:
        self.name = name
        self.place = place
        self.key = key
        self.sums = sums
        self.future: Any = None
        self.begin: float = time.monotonic()
        self.compute: float | None = None
        self.size_bytes: float = math.inf  # of the value; set before the end if it is known
        self.choices: tuple[str, ...] = ()
        self._error: BaseException | None = None
        self._is_cancelled = False
        self._callbacks: list[Callable[[Call], object]] = []
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._value: Future[list[Any]] | None = None

    def __repr__(self) -> str:
        return f"<Call of {self.name} on {self.place}>"

    @property
    def __pointsman_time__(self) -> float | None:
        """The worker's own seconds for the function, from which policies learn."""
        return self.compute

    @property
    def __pointsman_choices__(self) -> tuple[str, ...]:
        """What the function told by ``tell_choice``, for the explanation of the submission."""
        return self.choices

    def start(self, future: Any, fetcher: Fetcher, is_awaited: bool) -> None:
        """Take over the future of the call, which has been submitted.

        fetcher: fetches the value as soon as it is ready, if it is small.
        is_awaited: True if somebody surely asks for the value; then it is fetched in any case.
        """
        self.future = future
        if self._error is not None:
            future.release()
        else:
            future.add_done_callback(lambda _: self._ended_with(fetcher, is_awaited))

    def lose(self, error: BaseException) -> None:
        """End the call with ``error`` unless its value is here; Dask then drops its work."""
        with self._lock:
            is_here = self._value is not None and self._value.done() and self._value.result()
            if self._error is not None or is_here:
                return
            self._error = error
        if self.future is not None:
            self.future.release()
        self._ended()

    def done(self) -> bool:
        """Return True if the call is complete. Never blocks."""
        return self._end.is_set()

    def cancelled(self) -> bool:
        """Return True if ``cancel()`` has ended the call."""
        return self._is_cancelled and self._status() == "cancelled"

    def cancel(self) -> bool:
        """Drop the call if it is not complete. Return True; work that runs goes on unnoticed."""
        with self._lock:
            if self.done():
                return self._is_cancelled
            self._is_cancelled = True
        self.future.cancel()
        return True

    def wait(self, timeout: float | None = None) -> bool:
        """Block for at most ``timeout`` seconds; return True if the call is complete."""
        return self._end.wait(timeout)

    def exception(self) -> BaseException | None:
        """Wait; return the error of the call, or None if it succeeded."""
        self.wait()
        status = self._status()
        if self._error is None and status == "error":
            self._error = _explained(self.future.exception(), self.place)
        elif self._error is None and status == "cancelled":
            self._error = self._dropped()
        return self._error

    def result(self, timeout: float | None = None) -> Any:
        """Wait, fetch the value from its worker and return it; raise the error of the call."""
        if not self.wait(timeout):
            raise TimeoutError(f"{self!r} was not complete within {timeout} s")
        error = self.exception()
        if error is None:
            try:
                if self._value is not None and self._value.result(timeout):
                    return self._value.result()[0]
                return self.future.result(timeout)
            except CancelledError:  # the worker has left with the value
                error = self._error or self._dropped()
        raise error

    def add_done_callback(self, callback: Callable[[Call], object]) -> None:
        """Call ``callback(self)`` on completion, from any thread."""
        with self._lock:
            if not self.done():
                self._callbacks.append(callback)
                return
        callback(self)

    def _ended_with(self, fetcher: Fetcher, is_awaited: bool) -> None:
        """End the call once its value is here, if that is to be fetched."""
        value = None
        try:
            if self._status() == "finished" and (is_awaited or self.size_bytes <= SMALL):
                value = self._value = fetcher.fetch(self.key, self.future)
        finally:  # even if the interpreter shuts down
            if value is None:
                self._ended()
            else:
                value.add_done_callback(lambda _: self._ended())

    def _ended(self) -> None:
        with self._lock:
            self._end.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)

    def _status(self) -> str:
        return "cancelled" if self.future is None else str(self.future.status)

    def _dropped(self) -> BaseException:
        if self._is_cancelled:
            return CancelledError()
        return ClusterError(
            f"{self.name}, placed on {self.place}, was dropped: its Dask client was closed, lost "
            "the scheduler, or cancelled the future; keep the client open until results are fetched"
        )


def _explained(error: BaseException, place: str) -> BaseException:
    """Return the error of a call; for a missing pointsman an error that says what to install."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ModuleNotFoundError) and cause.name == "pointsman":
            found = ClusterError(
                f"{place} lacks the package pointsman, which the work imports, as local_policy() "
                "does: pip install pointsman in the worker's environment"
            )
            found.__cause__ = error
            return found
        cause = cause.__cause__
    return error
