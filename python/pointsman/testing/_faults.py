# SPDX-License-Identifier: Apache-2.0
# A FakeResource takes one of these from its script for each piece of work that it starts.
"""What a resource under a test's control does with the work that it starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from math import inf

from pointsman.error import InvalidOptionError


@dataclass(frozen=True)
class Works:
    """The next ``count`` pieces of work run as they would without a script.

    >>> from pointsman.testing import Fails, FakeResource, Works
    >>> resource = FakeResource(script=[Works(2), Fails(OSError("full"))])
    >>> [resource.start().done() for _ in range(3)]
    [False, False, True]
    """

    count: int = 1


@dataclass(frozen=True)
class Fails:
    """The next ``count`` pieces of work end with ``error``.

    >>> from pointsman.testing import Fails, FakeResource
    >>> FakeResource(script=[Fails(OSError("full"))]).start().exception()
    OSError('full')
    """

    error: Exception
    count: int = 1


@dataclass(frozen=True)
class Hangs:
    """The next ``count`` pieces of work do not end until the test calls ``finish`` or ``fail``.

    >>> from pointsman.testing import FakeResource, Hangs, ManualClock
    >>> clock = ManualClock()
    >>> work = FakeResource("r", clock, script=[Hangs()]).start(seconds=1.0)
    >>> clock.advance(1000.0)
    >>> work.done()
    False
    """

    count: int = 1


@dataclass(frozen=True)
class Slows:
    """The next ``count`` pieces of work take ``factor`` times as long.

    >>> from pointsman.testing import FakeResource, ManualClock, Slows
    >>> clock = ManualClock()
    >>> work = FakeResource("r", clock, script=[Slows(50)]).start(seconds=1.0)
    >>> clock.advance(49.0)
    >>> work.done()
    False
    """

    factor: float
    count: int = 1


@dataclass(frozen=True)
class Dies:
    """From now on no work starts, and ``error`` is raised, until the test calls ``revive``.

    >>> from pointsman.testing import Dies, FakeResource
    >>> resource = FakeResource(script=[Dies(ConnectionError("lost"))])
    >>> resource.start()
    Traceback (most recent call last):
        ...
    ConnectionError: lost
    >>> resource.revive()
    >>> resource.start().done()
    False
    """

    error: Exception


Fault = Works | Fails | Hangs | Slows | Dies


def one_by_one(script: Iterable[Fault]) -> Iterator[Fault]:
    """Return the fault of each piece of work in turn; the last one, if it is ``Dies``, for ever.

    Raises InvalidOptionError (a ValueError) for a count below 1 and a factor that is not positive.
    """
    faults = list(script)
    for fault in faults:
        if isinstance(fault, Slows) and not 0 < fault.factor < inf:
            raise InvalidOptionError(f"factor is {fault.factor}: pass a positive number")
        if not isinstance(fault, Dies) and fault.count < 1:
            raise InvalidOptionError(f"count is {fault.count} in {fault!r}: pass 1 or more")
    return _repeated(faults)


def _repeated(faults: list[Fault]) -> Iterator[Fault]:
    for fault in faults:
        if isinstance(fault, Dies):
            yield from repeat(fault)
        else:
            yield from repeat(fault, fault.count)
