# SPDX-License-Identifier: Apache-2.0
# Values of `on_failure`, `time_limit` and `max_outstanding` in `with_options`, and their checks.
"""What may be done with work that fails, and how long it may take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from pointsman.error import InvalidOptionError


@dataclass(frozen=True)
class Retry:
    """Value of ``on_failure``: failed work runs again, so many times at most.

    Where it runs is the policy's choice, as for other work. Work that failed for a lack of device
    memory first waits until another submission on that resource has ended, or none is left.

    times: at least 1. Raises InvalidOptionError (a ValueError) otherwise.

    >>> from itertools import count
    >>> tries = count()
    >>> def flaky(resource):
    ...     if next(tries) < 2:
    ...         raise OSError("busy")
    ...     return "done"
    >>> policy = pm.RoundRobin(["a", "b"]).with_options(on_failure=pm.Retry(3))
    >>> submission = policy.submit(flaky)
    >>> submission.result(), len(submission.attempts)
    ('done', 3)
    """

    times: int

    def __post_init__(self) -> None:
        if not isinstance(self.times, int) or self.times < 1:
            raise InvalidOptionError(f"times is {self.times!r}: pass an int, 1 or more")


@dataclass(frozen=True)
class TimesExpected:
    """Value of ``time_limit``: so many times what the policy expects the work to take.

    factor: more than 1. Raises InvalidOptionError (a ValueError) otherwise.

    Only for policies that measure (``AutoTune``, ``EarliestFinish``). What they expect of the
    slowest resource counts; work without an estimate has no limit.

    >>> policy = pm.AutoTune(["a", "b"]).with_options(time_limit=pm.TimesExpected(20))
    """

    factor: float

    def __post_init__(self) -> None:
        if not isinstance(self.factor, (int, float)) or not 1 < self.factor < math.inf:
            raise InvalidOptionError(f"factor is {self.factor!r}: pass a number greater than 1")


OnFailure = Literal["raise", "fallback"] | Retry
TimeLimit = float | TimesExpected


def is_needed(
    on_failure: OnFailure,
    time_limit: TimeLimit | None,
    max_outstanding: int | None,
    max_outstanding_per_resource: int | None,
) -> bool:
    """Return True if these options need a ``RecoveringPolicy``.

    Raises InvalidOptionError for a value that is not one of those that ``with_options`` lists.
    """
    if on_failure not in ("raise", "fallback") and not isinstance(on_failure, Retry):
        raise InvalidOptionError(
            f"on_failure is {on_failure!r}: pass 'raise', 'fallback' or pointsman.Retry(times)"
        )
    if isinstance(time_limit, (int, float)):
        if not 0 < time_limit < math.inf:
            raise InvalidOptionError(
                f"time_limit is {time_limit!r}: pass a positive number of seconds, or None"
            )
    elif time_limit is not None and not isinstance(time_limit, TimesExpected):
        raise InvalidOptionError(
            f"time_limit is {time_limit!r}: pass seconds, pointsman.TimesExpected(factor), or None"
        )
    bounds = {
        "max_outstanding": max_outstanding,
        "max_outstanding_per_resource": max_outstanding_per_resource,
    }
    for name, bound in bounds.items():
        if bound is not None and (not isinstance(bound, int) or bound < 1):
            raise InvalidOptionError(f"{name} is {bound!r}: pass an int, 1 or more, or None")
    return (
        on_failure != "raise"
        or time_limit is not None
        or any(bound is not None for bound in bounds.values())
    )
