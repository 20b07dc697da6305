# SPDX-License-Identifier: Apache-2.0
# Each attempt is a submission of the engine; its end decides about the next one.
"""Work that may run again after a failure, or has a time limit."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pointsman import _failures
from pointsman._attempt import Attempt
from pointsman._core import _trace_retry
from pointsman._representation import text_of
from pointsman._timer import TimedCall, timer
from pointsman.error import (
    NoHealthyResourceError,
    SubmitTimeoutError,
    TimeLimitError,
    UnsuitableResourcesError,
    WorkCancelledError,
)

if TYPE_CHECKING:
    from pointsman._core import Submission

V = TypeVar("V")

SHORTEST_PAUSE = 0.005  # seconds between searches for a resource on which to run again
LONGEST_PAUSE = 0.1
CANCELLED = "the work was cancelled before it was complete: submit it again if it is still needed"


class Plan(Protocol):
    """How to run a piece of work, once or several times."""

    policy: Any
    function: str
    time_limit: float | None

    def submit(self, tried: list[Any], timeout: float | None) -> Any:
        """Return a submission, or resource and exception if the work raised; ``tried`` are the
        resources on which it has failed."""

    def hold(self, work: Any) -> None:
        """Called before ``submit`` returns: the policy's group waits for ``work``, and finds it."""

    def runs_again(self, failures: int) -> bool:
        """Return True if the work may run once more after so many failures."""

    def waits_for_memory(self, attempt: Attempt) -> bool:
        """Return True if the work is to run again when other work on the resource has ended."""

    def work_on(self, resource: Any) -> tuple[int, int]:
        """Return how many submissions have ended on the resource, and how many have not."""

    def ran_again(self, failed: Attempt) -> None:
        """Called when the work has begun again after ``failed``. Raises interrupts only."""

    def released(self) -> None:
        """Called once, when the work has ended for good."""


class RepeatedWork(Generic[V]):
    """A piece of work with its attempts; the base of its submission."""

    def __init__(self, plan: Plan) -> None:
        self._changed = threading.Condition(threading.RLock())
        self._process = os.getpid()
        self._plan: Plan | None = plan
        self._attempts: list[Attempt] = []
        self._running: list[tuple[int, Submission[V]]] = []  # with the index of the attempt
        self._last: Submission[V] | None = None
        self._error: BaseException | None = None  # with which it failed for good
        self._failure: _failures.Failure | None = None
        self._is_complete = False
        self._is_cancelled = False
        self._callbacks: list[Callable[[Any], object]] = []
        self._limits: dict[int, TimedCall] = {}  # by the index of the attempt

    @property
    def resource(self) -> Any:
        """The resource of the last attempt: in the end, where the work succeeded."""
        if self._error is None and self._last is not None:
            return self._last.resource
        return self._attempts[-1].resource

    def start(self, deadline: float | None) -> None:
        """Submit the work for the first time. Raises what ``submit`` of the policy raises.

        deadline: of all searches for a resource, in the time of ``time.monotonic()``.
        """
        plan = self._plan
        assert plan is not None
        try:
            while not self._submit(plan, _seconds_until(deadline)):
                failed = self._attempts[-1]
                assert failed.error is not None
                if not self._goes_on(plan, failed.error):
                    raise failed.error
                if plan.waits_for_memory(failed):
                    plan.hold(self)
                    try:
                        self._search_with_memory(plan, None, failed)
                    except RuntimeError:  # no thread can be started
                        raise failed.error from None
                    return
        except SubmitTimeoutError:
            if not self._attempts:
                self._give_up(plan)
                raise
            # It has run once: search on, so that the caller does not submit it again.
            error = self._attempts[-1].error
            assert error is not None
            plan.hold(self)
            self._search_later(plan, None, error, SHORTEST_PAUSE)
        except (NoHealthyResourceError, UnsuitableResourcesError):
            self._give_up(plan)
            if self._attempts and self._attempts[-1].error is not None:
                raise self._attempts[-1].error from None
            raise
        except BaseException:
            self._give_up(plan)
            raise

    def _give_up(self, plan: Plan) -> None:
        self._plan = None
        plan.released()

    def _is_inherited(self) -> bool:
        """Return True in a forked child, in which nothing runs the work again or ends it."""
        return os.getpid() != self._process

    def _locked(self) -> AbstractContextManager[Any]:
        """Return the lock; nothing in a forked child: a thread of the parent may have held it."""
        return nullcontext() if self._is_inherited() else self._changed

    def _submit(self, plan: Plan, timeout: float | None) -> bool:
        """Begin an attempt; return False if the work raised at once."""
        if self._attempts:
            _trace_retry(plan.function)
        begun = plan.submit([attempt.resource for attempt in self._attempts], timeout)
        if self._attempts:  # told before the end is
            plan.ran_again(self._attempts[-1])
        if isinstance(begun, tuple):
            self._attempts.append(Attempt(*begun))
            return False
        submission: Submission[V] = begun
        if submission._state() == "done":
            self._attempts.append(Attempt(submission.resource))
            self._finish(submission, None)
            return True
        submission._ignore_failure()
        plan.hold(self)
        with self._changed:
            index = len(self._attempts)
            self._attempts.append(Attempt(submission.resource))
            is_late = self._is_complete  # ended or cancelled while the callable was called
            if not is_late:
                self._running.append((index, submission))
                self._last = submission
                self._changed.notify_all()
        if is_late:
            submission.cancel()
            return True
        submission.add_done_callback(lambda ended: self._ended(plan, index, ended))
        if plan.time_limit is not None and not submission.done():
            call = timer.call_after(plan.time_limit, lambda: self._took_too_long(plan, index))
            with self._changed:
                has_ended = all(entry[0] != index for entry in self._running)
                if not has_ended:
                    self._limits[index] = call
            if has_ended:
                timer.cancel(call)
        return True

    def _ended(self, plan: Plan, index: int, submission: Submission[V]) -> None:
        with self._changed:
            timed_out = (index, submission) not in self._running
            self._running = [other for other in self._running if other[0] != index]
            limit = self._limits.pop(index, None)
        if limit is not None:
            timer.cancel(limit)
        state = submission._state()
        if state == "done":
            self._finish(submission, None)
        elif timed_out:
            return  # its limit has decided already
        elif state == "cancelled" or (error := submission._failure()) is None:
            self._end_with(submission, WorkCancelledError(CANCELLED))
        else:
            failed = self._attempts[index] = Attempt(submission.resource, error)
            self._decide(plan, submission, failed, error)

    def _took_too_long(self, plan: Plan, index: int) -> None:
        with self._changed:
            self._limits.pop(index, None)
            late = [entry for entry in self._running if entry[0] == index]
            if not late:
                return
            self._running = [other for other in self._running if other[0] != index]
        submission = late[0][1]
        had_begun = not submission.cancel()
        error = TimeLimitError(_text_of_limit(submission.resource, plan.time_limit, had_begun))
        failed = Attempt(submission.resource, error)
        with self._changed:
            if not self._is_complete:
                self._attempts[index] = failed
        try:
            if had_begun:
                plan.policy._blame(submission.resource, f"TimeLimitError: {error}")
        finally:  # a handler of the log may raise
            self._decide(plan, submission, failed, error)

    def _decide(
        self,
        plan: Plan,
        submission: Submission[V] | None,
        failed: Attempt,
        error: BaseException,
    ) -> None:
        """Run the work again after ``failed``, soon, or end with its ``error``."""
        if self._goes_on(plan, error):
            try:
                if plan.waits_for_memory(failed):
                    self._search_with_memory(plan, submission, failed)
                else:
                    self._search_later(plan, submission, error, 0.0)
                return
            except RuntimeError:  # no thread can be started
                pass
        self._end_with(submission, error)

    def _goes_on(self, plan: Plan, error: BaseException | None) -> bool:
        with self._changed:
            failures = sum(attempt.error is not None for attempt in self._attempts)
            stops = self._is_cancelled or self._is_complete
        return not stops and isinstance(error, Exception) and plan.runs_again(failures)

    def _search_later(
        self, plan: Plan, failed: Submission[V] | None, error: BaseException, pause: float
    ) -> None:
        longer = min(max(2 * pause, SHORTEST_PAUSE), LONGEST_PAUSE)
        timer.call_after(pause, lambda: self._run_again(plan, failed, error, longer))

    def _search_with_memory(
        self, plan: Plan, submission: Submission[V] | None, failed: Attempt
    ) -> None:
        """Run the work again when one more submission has ended on the resource of ``failed``, as
        that may have had the memory, or when none is left there."""
        error = failed.error
        assert error is not None
        before, _ = plan.work_on(failed.resource)  # the failed attempt has ended, and counts
        failures = sum(attempt.error is not None for attempt in self._attempts)

        def look(pause: float) -> None:
            ended, outstanding = plan.work_on(failed.resource)
            stops = self._is_complete or self._is_cancelled
            if stops or outstanding == 0 or ended > before:
                self._run_again(plan, submission, error, SHORTEST_PAUSE)
                return
            timer.call_after(pause, lambda: look(min(2 * pause, LONGEST_PAUSE)))

        # Where other processes have the memory, later attempts wait longer.
        first = min(SHORTEST_PAUSE * 2 ** min(failures - 1, 10), LONGEST_PAUSE)
        timer.call_after(first, lambda: look(SHORTEST_PAUSE))

    def _run_again(
        self, plan: Plan, failed: Submission[V] | None, error: BaseException, pause: float
    ) -> None:
        """Run the work after ``error``; if no resource is free, search again after the pause."""
        try:
            if self._is_complete or self._is_cancelled:
                self._end_with(failed, error)
            elif not self._submit(plan, 0.0):  # it raised at once
                last = self._attempts[-1]
                assert last.error is not None
                self._decide(plan, failed, last, last.error)
        except SubmitTimeoutError:
            self._search_later(plan, failed, error, pause)
        except (NoHealthyResourceError, UnsuitableResourcesError):  # no other can run it
            self._end_with(failed, error)
        except BaseException as raised:  # by the rule of the policy
            self._end_with(failed, raised)

    def _end_with(self, submission: Submission[V] | None, error: BaseException) -> None:
        """End with ``error``, unless another attempt still runs."""
        with self._changed:
            if self._running:
                return
        self._finish(submission, error)

    def _finish(self, submission: Submission[V] | None, error: BaseException | None) -> None:
        with self._changed:
            if self._is_complete:
                return
            plan, self._plan = self._plan, None
            self._last = submission or self._last
            self._error = error
            others = [other for _, other in self._running]
            self._running = []
            if error is not None and not isinstance(error, WorkCancelledError) and plan:
                self._failure = _failures.note(plan.policy, self.resource, plan.function, error)
            callbacks, self._callbacks = self._callbacks, []
            self._is_complete = True
            if plan is not None:
                plan.released()
            self._changed.notify_all()
        for other in others:
            other.cancel()  # the slower one of two
        for callback in callbacks:
            self._call(callback)

    def _call(self, callback: Callable[[Any], object]) -> None:
        try:
            callback(self)
        except BaseException:
            sys.excepthook(*sys.exc_info())


def _seconds_until(deadline: float | None) -> float | None:
    return None if deadline is None else max(deadline - time.monotonic(), 0.0)


def _text_of_limit(resource: Any, limit: float | None, had_begun: bool) -> str:
    name = text_of(resource)
    if had_begun:
        return (
            f"the work has run on {name} for more than {limit:g} s: raise time_limit, or look at "
            "what the resource waits for"
        )
    return (
        f"the work had not begun on {name} within {limit:g} s: raise time_limit, or submit less "
        "at a time, as max_outstanding does"
    )
