# SPDX-License-Identifier: Apache-2.0
# The users' side of work that may run again; it has the members of the engine's Submission.
"""The submission of work that may run again after a failure, or has a time limit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar

from pointsman import _core
from pointsman._attempt import Attempt
from pointsman._awaiting import wait_for
from pointsman._repeated_work import CANCELLED, RepeatedWork
from pointsman.error import ForkedProcessError, WaitTimeoutError, WorkCancelledError

if TYPE_CHECKING:
    from pointsman._core import Submission
    from pointsman._explanation import Explanation

V = TypeVar("V")


class RecoveringSubmission(RepeatedWork[V]):
    """The submission of ``policy.with_options(on_failure=..., time_limit=...)``.

    It has the methods of a ``Submission``. ``resource`` is where the work ran in the end, and
    ``attempts`` lists all runs.
    """

    @property  # type: ignore[misc]  # mypy wants a setter
    def __class__(self) -> type:
        """The engine's type, so that ``isinstance(submission, pm.Submission)`` is true."""
        return _core.Submission

    def wait(self, timeout: float | None = None) -> bool:
        """Block until the work has ended for good; return False if not so after ``timeout``."""
        _core._checked_timeout(timeout)
        if self._is_inherited():
            return self._wait_in_child(timeout)
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            with self._changed:
                running = [submission for _, submission in self._running]
            for submission in running if timeout is None else ():
                submission._help()
            with self._changed:
                if self._is_complete:
                    return True
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    return False
                if running == [submission for _, submission in self._running]:
                    self._changed.wait(None if left is None else min(left, threading.TIMEOUT_MAX))

    def _wait_in_child(self, timeout: float | None) -> bool:
        if self._is_complete:
            return True
        for _, submission in self._running:
            submission.wait(timeout)  # raises, as it does for any submission of the parent
        raise ForkedProcessError(
            "the work was pending when this process was forked, and the threads that end it are "
            "not in the child: wait for it in the parent, or submit it again here"
        )

    def result(self, timeout: float | None = None) -> V:
        """Block until the work has ended for good and return its value, or raise its error."""
        if not self.wait(timeout):
            raise WaitTimeoutError(
                f"the work was not complete within {timeout:g} s: it continues; wait again, or "
                "cancel it"
            )
        self._ignore_failure()
        if self._error is not None:
            raise self._error
        assert self._last is not None
        return self._last.result()

    def unwrap(self) -> Any:
        """Return the object that the submitted callable returned in the last attempt.

        If it raised in each attempt so far, raise its exception.
        """
        self._ignore_failure()
        return self._last_placed().unwrap()

    def done(self) -> bool:
        """Return True if the work has ended for good. Never blocks."""
        with self._locked():
            running = [submission for _, submission in self._running]
        for submission in running:
            submission.done()  # polls work that can only be polled
        return self._is_complete

    def cancel(self) -> bool:
        """Drop work that has not begun, and do not run it again; return True if it was dropped."""
        with self._locked():
            self._is_cancelled = True
            running = [submission for _, submission in self._running]
            waits = not self._is_complete and not running
        dropped = [submission.cancel() for submission in running]
        if waits:
            self._finish(None, WorkCancelledError(CANCELLED))
        return waits or (bool(dropped) and all(dropped))

    def add_done_callback(self, callback: Callable[[Any], object]) -> None:
        """Call ``callback(submission)`` when the work has ended for good, at once if it has."""
        if not callable(callback):
            raise TypeError("pass a callable, which will receive the submission")
        with self._locked():
            if not self._is_complete:
                self._callbacks.append(callback)
                return
        self._call(callback)

    def explain(self) -> Explanation:
        """Return why the policy chose the resource of the last attempt.

        If the callable raised in each attempt so far, raise its exception.
        """
        return self._last_placed().explain()

    def _last_placed(self) -> Submission[V]:
        """Return the last attempt whose callable returned; else raise what it raised."""
        if self._last is None:
            error = self._attempts[-1].error
            assert error is not None
            raise error
        return self._last

    @property
    def attempts(self) -> list[Attempt]:
        """The runs of the work, in the order in which they began."""
        with self._locked():
            return list(self._attempts)

    @property
    def elapsed(self) -> float | None:
        """Seconds that the last attempt took; None while it is pending, or not timed."""
        return None if self._last is None else self._last.elapsed

    def __await__(self) -> Generator[Any, None, V]:
        self_: Any = self
        return wait_for(self_)

    def __repr__(self) -> str:
        runs = len(self._attempts)
        tail = "" if runs == 1 else f", attempt {runs}"
        return f"<Submission {self._state()} on {self.resource!r}{tail}>"

    def __del__(self) -> None:
        failure, self._failure = getattr(self, "_failure", None), None
        if failure is not None:
            failure.log()

    def _repr_html_(self) -> str:
        return "" if self._last is None else self._last._repr_html_()

    def _state(self) -> str:
        if not self._is_complete:
            return "pending"
        if self._error is None:
            return "done"
        return "cancelled" if isinstance(self._error, WorkCancelledError) else "failed"

    def _ignore_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            failure.take()

    def _help(self) -> None:
        with self._changed:
            running = [submission for _, submission in self._running]
        for submission in running:
            submission._help()
