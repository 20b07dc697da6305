# SPDX-License-Identifier: Apache-2.0
# The policy inside the view that `with_options(on_failure=..., ...)` returns.
"""Submissions that survive failures, end in time, and are bounded in number."""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal

from pointsman import _failures, _search
from pointsman._attempt import Attempt
from pointsman._health import lacks_device_memory
from pointsman._places import Places
from pointsman._recovering_submission import RecoveringSubmission
from pointsman._recovery_options import OnFailure, Retry, TimeLimit, TimesExpected
from pointsman._representation import text_of
from pointsman._resource_places import ResourcePlaces, WorkInPlace
from pointsman._task import OnResource
from pointsman.error import Error, InvalidOptionError, SubmitTimeoutError

if TYPE_CHECKING:
    from pointsman._core import Submission, SubmissionGroup, _Policy

Verb = Literal["_submit_excluding", "_run_excluding"]

_logger = logging.getLogger("pointsman")


class RecoveringPolicy:
    """The methods of a policy that its views use, with the options of ``with_options``."""

    def __init__(
        self,
        policy: _Policy[Any],
        on_failure: OnFailure,
        time_limit: TimeLimit | None,
        max_outstanding: int | None,
        max_outstanding_per_resource: int | None,
    ) -> None:
        if isinstance(time_limit, TimesExpected) and not hasattr(policy, "estimates"):
            raise InvalidOptionError(
                f"time_limit is {time_limit!r}, and {policy!r} does not measure: pass seconds, or "
                "use AutoTune or EarliestFinish"
            )
        self.policy = policy
        self.on_failure: Final = on_failure
        self.time_limit: Final = time_limit
        self.places = None if max_outstanding is None else Places(max_outstanding)
        self.resource_places = (
            None
            if max_outstanding_per_resource is None
            else ResourcePlaces(max_outstanding_per_resource)
        )
        self.failures: Final = _failures.of(policy)
        self._warned: dict[int, object] = {}  # by the identity of the resource
        self._group: SubmissionGroup | None = None

    def __getattr__(self, name: str) -> Any:
        """Return a member of the policy that the options do not affect."""
        return getattr(self.policy, name)

    def __repr__(self) -> str:
        return repr(self.policy)

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Submit without a limit of the search."""
        return self._begin("_submit_excluding", None, work, args, kwargs)

    def run(self, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Run without a limit of the search."""
        return self._begin("_run_excluding", None, func, args, kwargs)

    def try_submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Return None if no resource or no place is free."""
        return self._try("_submit_excluding", work, args, kwargs)

    def _try_run(self, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return self._try("_run_excluding", func, args, kwargs)

    def _submit_within(
        self, timeout: float | None, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Any:
        return self._begin("_submit_excluding", timeout, work, args, kwargs)

    def _run_within(
        self, timeout: float | None, func: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Any:
        return self._begin("_run_excluding", timeout, func, args, kwargs)

    def _try(self, verb: Verb, work: Any, args: Any, kwargs: Any) -> Any:
        try:
            return self._begin(verb, 0.0, work, args, kwargs)
        except SubmitTimeoutError:
            return None

    def _begin(
        self, verb: Verb, timeout: float | None, work: Any, args: Any, kwargs: Any
    ) -> RecoveringSubmission[Any]:
        deadline = None if timeout is None else time.monotonic() + timeout
        if self.places is not None and not self.places.take(0.0):
            if timeout != 0:
                _search.warn_if_blocking()
            if timeout == 0 or not self.places.take(timeout):
                raise SubmitTimeoutError
        try:
            plan = _Plan(self, verb, work, args, kwargs)
            submission: RecoveringSubmission[Any] = RecoveringSubmission(plan)
        except BaseException:
            self.leave()
            raise
        submission.start(deadline)
        return submission

    def group(self) -> SubmissionGroup:
        """Return the group of the policy, which stays the same when its resources are replaced."""
        if self._group is None:
            self._group = self.policy.submission_group()
        return self._group

    def leave(self) -> None:
        """Make the place of a submission free."""
        if self.places is not None:
            self.places.give_back()

    def warn_once(self, attempt: Attempt) -> None:
        """Log that the work of a failed attempt runs elsewhere, once for each resource."""
        mark = object()
        if self._warned.setdefault(id(attempt.resource), mark) is not mark:
            return
        try:
            _logger.warning(
                "work failed on %s with %s: %s; it runs again, as on_failure allows",
                text_of(attempt.resource),
                type(attempt.error).__name__,
                attempt.error,
            )
        except Exception:  # of a handler of the log; the work runs
            sys.excepthook(*sys.exc_info())


class _Plan:
    """One piece of work and the options of its policy."""

    def __init__(
        self, recovering: RecoveringPolicy, verb: Verb, work: Any, args: Any, kwargs: Any
    ) -> None:
        self.policy: Any = recovering.policy
        self.function = getattr(work, "__qualname__", None) or type(work).__qualname__
        self._recovering = recovering
        self._is_run = verb == "_run_excluding"
        self._submit = getattr(self.policy, verb)
        self._task = (work, *args)
        self._kwargs = kwargs
        self._hold: Any = None
        self._number = -1  # among the work that may run again
        self.time_limit = self._limit()

    def _limit(self) -> float | None:
        limit = self._recovering.time_limit
        if not isinstance(limit, TimesExpected):
            return limit
        known = [
            seconds
            for seconds in self.policy.estimates(*self._task, **self._kwargs)
            if seconds is not None
        ]
        return limit.factor * max(known) if known else None

    def submit(self, tried: list[Any], timeout: float | None) -> Submission[Any] | tuple[Any, Any]:
        excluded = tuple(tried) if self._recovering.on_failure == "fallback" else ()
        begun: Submission[Any] | tuple[Any, Any]
        places = self._recovering.resource_places
        if places is None:
            begun = self._submit(excluded, timeout, *self._task, **self._kwargs)
            return begun
        work, *args = self._task
        work = OnResource(work) if self._is_run else work
        needs_run = self._is_run and self.policy._setting()[0] is None  # else its backend runs it
        begun = places.submit(
            lambda: WorkInPlace(work, places, list(excluded), needs_run),
            lambda placed, left: self.policy._submit_excluding(
                excluded, left, placed, *args, **self._kwargs
            ),
            timeout,
        )
        return begun

    def hold(self, work: Any) -> None:
        if self._hold is None:
            self._hold = self._recovering.group()._hold()
            self._number = self._recovering.failures.add_repeated(work)

    def runs_again(self, failures: int) -> bool:
        setting = self._recovering.on_failure
        return failures <= setting.times if isinstance(setting, Retry) else setting == "fallback"

    def waits_for_memory(self, attempt: Attempt) -> bool:
        """With ``fallback`` the work goes elsewhere instead."""
        error = attempt.error
        is_retry = isinstance(self._recovering.on_failure, Retry)
        return is_retry and error is not None and lacks_device_memory(error)

    def work_on(self, resource: Any) -> tuple[int, int]:
        with contextlib.suppress(Error):  # it has no resources any more
            for entry in self.policy.statistics():
                if entry.resource is resource:
                    return entry.submissions - entry.load, entry.load
        return 0, 0  # it was replaced

    def ran_again(self, failed: Attempt) -> None:
        self._recovering.warn_once(failed)

    def released(self) -> None:
        if self._hold is not None:
            self._hold.release()
            self._recovering.failures.remove_repeated(self._number)
        self._recovering.leave()
