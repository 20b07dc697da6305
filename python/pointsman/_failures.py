# SPDX-License-Identifier: Apache-2.0
# The engine calls `note` when submitted work has failed, and `Failure.log` if nobody looked at it.
"""Logs the failures that nobody looks at, and keeps failures until a group raises them."""

from __future__ import annotations

import copy
import logging
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, TypeVar

from pointsman.error import SeveralFailuresError

T = TypeVar("T")

MOST_LOGGED = 16  # exceptions that a policy keeps for its group after they were logged

_logger = logging.getLogger("pointsman")
_numbers = count()


class Failure:
    """The failure of one submission, whose exception its user has not seen yet."""

    __slots__ = ("__weakref__", "error", "failures", "function", "number", "policy", "resource")

    def __init__(
        self,
        failures: Failures | None,
        policy: str,
        resource: Any,
        function: str,
        error: BaseException,
    ) -> None:
        self.number = next(_numbers)
        self.failures = failures
        self.policy = policy
        self.resource = resource
        self.function = function
        self.error: BaseException | None = error

    def log(self) -> None:
        """Log the exception: the submission was dropped, so that nobody can look at it any more.

        Does nothing if a group has raised it. A group that waits for it gets it instead of the log.
        """
        if self.failures is None:
            self.write()
        elif self.error is not None and not self.failures.hold(self):
            self.write()
            self.failures.keep(self)

    def write(self) -> None:
        """Write the record."""
        _logger.error(
            "%s, placed by %s on %r, failed, and nobody looked at it: keep the submission, and "
            "call its result() or await it, or wait for the policy's group with raise_errors=True",
            self.function,
            self.policy,
            self.resource,
            exc_info=self.error,
        )

    def take(self) -> tuple[int, BaseException] | None:
        """Return the exception with its number, once."""
        error, self.error = self.error, None
        return None if error is None else (self.number, error)


class Failures:
    """What the group of one policy cannot get from the engine: its failures that no wait has raised
    yet, and its work that may run again.

    Refers weakly to failures whose submissions exist, and keeps the most recent of the others,
    without their tracebacks.
    """

    def __init__(self) -> None:
        self._unseen: list[weakref.ref[Failure]] = []
        self._held: deque[Failure] = deque()
        self._logged: deque[tuple[int, BaseException]] = deque(maxlen=MOST_LOGGED)
        self._alive = MOST_LOGGED  # about how many of `_unseen` still exist
        self._waits = 0
        self._repeated: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._lock = threading.RLock()  # of `_unseen` and `_waits`

    def add(self, failure: Failure) -> None:
        """Remember a failure as long as its submission does."""
        with self._lock:
            self._unseen.append(weakref.ref(failure))
            if len(self._unseen) > 2 * self._alive:
                self._unseen = [each for each in self._unseen if each() is not None]
                self._alive = max(MOST_LOGGED, len(self._unseen))

    def add_repeated(self, work: Any) -> int:
        """Remember work that may run again until ``remove_repeated`` of the returned number."""
        number = next(_numbers)
        self._repeated[number] = work
        return number

    def remove_repeated(self, number: int) -> None:
        """Forget work that has ended for good."""
        self._repeated.pop(number, None)

    def repeated_work(self) -> list[Any]:
        """Return the work that may run again."""
        return [work for each in self._repeated.valuerefs() if (work := each()) is not None]

    def hold(self, failure: Failure) -> bool:
        """Keep the failure of a dropped submission for a wait in progress, if there is one."""
        if self._waits > 0:
            self._held.append(failure)
        return self._waits > 0

    def keep(self, failure: Failure) -> None:
        """Keep the exception of a failure that was logged."""
        taken = failure.take()
        if taken is not None:
            self._logged.append((taken[0], _without_traceback(taken[1])))

    def raise_after(self, wait: Callable[[], bool]) -> bool:
        """Return False if ``wait()`` does; else raise the failures so far, or return True."""
        with self._lock:
            self._waits += 1
        is_complete = False
        try:
            is_complete = wait()
        finally:
            with self._lock:
                self._waits -= 1
            if not is_complete:
                for failure in _drained(self._held):
                    failure.log()
        if is_complete:
            self._raise_all()
        return is_complete

    def _raise_all(self) -> None:
        """Raise all failures together, or the first that asks for an exit, and keep the others."""
        with self._lock:
            unseen = [failure for each in self._unseen if (failure := each()) is not None]
            self._unseen.clear()
        logged, held = list(_drained(self._logged)), list(_drained(self._held))
        first = _first_exit([*logged, *((each.number, each.error) for each in (*held, *unseen))])
        if first is not None:
            self._put_back(first[0], logged, held, unseen)
            logged, held, unseen = [first], [], []
        taken = [*logged, *(failure.take() for failure in (*held, *unseen))]
        errors = [error for _, error in sorted(filter(None, taken))]
        try:
            if len(errors) == 1:
                raise errors[0]
            if errors:
                raise SeveralFailuresError(
                    f"{len(errors)} submissions failed",
                    [error for error in errors if isinstance(error, Exception)],
                )
        finally:  # else the traceback would keep this frame alive
            del logged, held, unseen, first, taken, errors

    def _put_back(
        self,
        raised: int,
        logged: list[tuple[int, BaseException]],
        held: list[Failure],
        unseen: list[Failure],
    ) -> None:
        """Keep all failures but the one with the number ``raised`` for the next wait."""
        self._logged.extend(each for each in logged if each[0] != raised)
        for failure in (*held, *unseen):
            if failure.number == raised:
                failure.take()
        for failure in held:
            failure.log()
        for failure in unseen:
            self.add(failure)


def _first_exit(
    failures: list[tuple[int, BaseException | None]],
) -> tuple[int, BaseException] | None:
    """Return the first failure, with its number, that is no Exception, such as SystemExit."""
    exits = [
        (number, error)
        for number, error in failures
        if error is not None and not isinstance(error, Exception)
    ]
    return min(exits, default=None)


def _without_traceback(error: BaseException) -> BaseException:
    """A copy of the exception, or the exception itself if it cannot be copied, without a traceback,
    which would keep the variables of all callers alive."""
    try:
        kept = copy.copy(error)
    except Exception:
        kept = error
    if type(kept) is not type(error):
        kept = error
    return kept.with_traceback(None)


def _drained(items: deque[T]) -> Iterator[T]:
    """Remove the items one by one; other threads may do the same, and add some."""
    while True:
        try:
            yield items.popleft()
        except IndexError:
            return


# By the id of the policy. Without callbacks of weak references, in which a Ctrl-C would be lost.
_of_policies: dict[int, tuple[weakref.ref[Any], Failures]] = {}
_lock_of_policies = threading.RLock()  # a signal handler may submit, too


def of(policy: Any) -> Failures:
    """Return the failures of ``policy``, and forget those of policies that are gone."""
    with _lock_of_policies:
        for gone in [key for key, (other, _) in list(_of_policies.items()) if other() is None]:
            _of_policies.pop(gone, None)
        _, found = _of_policies.setdefault(id(policy), (weakref.ref(policy), Failures()))
    return found


def note(policy: Any, resource: Any, function: str, error: BaseException) -> Failure:
    """Return the failure of a submission whose ``function`` ran on ``resource``.

    policy: the policy, or a weak reference to it if the submission was dropped.
    """
    if isinstance(policy, weakref.ref):
        policy = policy()
    if policy is None:
        return Failure(None, "a policy that is gone", resource, function, error)
    failure = Failure(of(policy), type(policy).__qualname__, resource, function, error)
    of(policy).add(failure)
    return failure
