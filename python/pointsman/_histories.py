# SPDX-License-Identifier: Apache-2.0
# The file in which policies that measure keep their timings for later processes.
"""``History`` and the records that it contains."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pointsman.error import HistoryWarning, InvalidOptionError

if TYPE_CHECKING:
    from pointsman import _history
    from pointsman._core import _Learnt
else:
    try:
        import pointsman._history as _history
    except ImportError as _error:
        from pointsman import _no_history as _history

        _history.File.reason = _error

_NANOSECONDS: Final = 1e9


@dataclass(frozen=True)
class HistoryRecord:
    """The timings of one kind of task on one resource.

    key: two numbers that identify the kind: its code, and the sizes of its arguments. kind: its
    name, which may be empty. resource: its identity, a text. count: the number of timings. mean:
    seconds. log_mean, log_squares: the mean of the logarithms of the timings in nanoseconds, and
    the sum of the squares of their deviations. is_exact: False if the timings are upper bounds.
    updated: seconds since 1970.

    >>> from tempfile import mkdtemp
    >>> pm.History(mkdtemp() + "/timings.db").records()
    []
    """

    key: tuple[int, int]
    kind: str
    resource: str
    count: int
    mean: float
    log_mean: float
    log_squares: float
    is_exact: bool
    updated: float


@dataclass(frozen=True)
class HistoryPin:
    """The resource to which a kind of task is pinned.

    key: two numbers that identify the kind, as in HistoryRecord. kind: its name, which may be
    empty. resource: its identity, a text.

    >>> from tempfile import mkdtemp
    >>> pm.History(mkdtemp() + "/timings.db").pins()
    []
    """

    key: tuple[int, int]
    kind: str
    resource: str


@dataclass(frozen=True)
class DeviceSpeed:
    """How fast a device starts work and moves memory.

    launch: seconds until an empty task is complete. bandwidth: bytes each second of a copy within
    its memory, which reads and writes each byte. upload, download: bytes each second from and to
    the host's memory, None for a device that works in it.

    >>> pm.DeviceSpeed(launch=1e-6, bandwidth=2e10, upload=None, download=None).bandwidth
    20000000000.0
    """

    launch: float
    bandwidth: float
    upload: float | None
    download: float | None


class History:
    """A file of timings that several processes may use at once, an SQLite database.

    path: default ``POINTSMAN_HISTORY``, or else ``pointsman/history.db`` in ``XDG_CACHE_HOME`` or
    ``~/.cache``. identity: called with each resource of a policy, returns the text by which later
    processes recognise it, or None for the default: device, driver version and compute units of an
    OpenCL queue; CPU and concurrency of an ``Arena``; of a text or a number its value, of another
    object its class, each with the CPU. Resources with one text are numbered.

    A policy that is given the history begins with the timings of earlier processes, and adds its
    own once a minute, when it is deleted, when the process ends, and at ``policy.flush_history()``.
    In a forked child nothing is written. A file that is damaged, of another program or of a newer
    version is renamed to ``set_aside``, with a HistoryWarning, and a new one begun.

    Raises HistoryError (a RuntimeError) if the file cannot be used, and InvalidOptionError (a
    ValueError) without a path where the environment has none, as with ``POINTSMAN_HISTORY=off``.

    >>> from tempfile import mkdtemp
    >>> history = pm.History(mkdtemp() + "/timings.db")
    >>> policy = pm.AutoTune([pm.Arena(1), pm.Arena(1)], history=history)
    >>> [policy.run(sum, range(10)).result() for _ in range(4)]
    [45, 45, 45, 45]
    >>> policy.flush_history()
    >>> {record.kind for record in history.records()}
    {'sum(2^3)'}
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        identity: Callable[[Any], str | None] | None = None,
    ) -> None:
        if identity is not None and not callable(identity):
            raise InvalidOptionError(
                f"identity is {identity!r}: pass a callable, which receives a resource and returns "
                "a text or None"
            )
        found = default_path() if path is None else os.fspath(path)
        if found is None:
            raise InvalidOptionError(
                "the environment has no path for a history: pass one, or set POINTSMAN_HISTORY to "
                "a path other than 'off'"
            )
        self._identity = identity
        self._file = _history.File(found)
        if self.set_aside is not None:
            warnings.warn(
                f"the history {self.path} was unusable (damaged, or of another program or version) "
                f"and is now {self.set_aside}: delete that file if nothing else needs it",
                HistoryWarning,
                stacklevel=2,
            )

    def __repr__(self) -> str:
        return f"<History {self.path}>"

    @property
    def path(self) -> str:
        """The path of the file."""
        return self._file.path

    @property
    def set_aside(self) -> str | None:
        """The path to which an unusable file was renamed; None if there was none."""
        return self._file.set_aside

    def records(self) -> list[HistoryRecord]:
        """Return all records, ordered by kind and resource."""
        return [_from_tuple(*fields) for fields in self._file.records()]

    def add(self, records: Iterable[HistoryRecord]) -> None:
        """Add the timings of ``records``, such as those of another history, all or none.

        They count as updated now. Exact timings replace upper bounds. Raises InvalidOptionError for
        a record with a value that no timings have.
        """
        self._file.write([_to_tuple(record) for record in records], [], time.time())

    def set_speed(self, resource: str, speed: DeviceSpeed) -> None:
        """Keep the speed of a resource, given by its identity, as ``pm.measure_speeds`` does.

        Raises InvalidOptionError for numbers that no measurement has.
        """
        self._file.set_speed(
            resource,
            speed.launch * _NANOSECONDS,
            speed.bandwidth,
            speed.upload or 0,
            speed.download or 0,
        )

    def speed_of(self, resource: str) -> DeviceSpeed | None:
        """Return the speed of a resource, given by its identity; None if it was not measured."""
        kept = self._file.speed_of(resource)
        if kept is None:
            return None
        launch, bandwidth, upload, download = kept
        return DeviceSpeed(launch / _NANOSECONDS, bandwidth, upload or None, download or None)

    def pin(self, key: tuple[int, int], resource: str) -> None:
        """Put a kind of task on one resource, whatever is learnt, until it is unpinned.

        key: that of a record. resource: an identity, that of another record. A policy that has such
        a resource follows at its start, or when it next writes to the history. Raises
        InvalidOptionError for a key that no record can have.

        >>> from tempfile import mkdtemp
        >>> history = pm.History(mkdtemp() + "/timings.db")
        >>> policy = pm.AutoTune([pm.Arena(1)], history=history)
        >>> [policy.run(sum, [1, 2]).result() for _ in range(3)]
        [3, 3, 3]
        >>> policy.flush_history()
        >>> record = history.records()[0]
        >>> history.pin(record.key, record.resource)
        >>> [pin.kind for pin in history.pins()]
        ['sum(2^1)']
        >>> history.unpin(record.key)
        True
        """
        _check_field("pin", "key", key)
        _check_field("pin", "resource", resource)
        self._file.pin(*key, resource)

    def unpin(self, key: tuple[int, int]) -> bool:
        """Remove the pin of a kind of task; return whether there was one.

        Raises InvalidOptionError for a key that no record can have.
        """
        _check_field("pin", "key", key)
        return self._file.unpin(*key)

    def pins(self) -> list[HistoryPin]:
        """Return all pins, ordered by kind."""
        return [
            HistoryPin((callable_, sizes), name, resource)
            for callable_, sizes, resource, name in self._file.pins()
        ]

    def prune(self, older_than: float) -> int:
        """Remove the records without an update for ``older_than`` seconds; return how many.

        Raises InvalidOptionError unless ``older_than`` is a number from 0 to 1e18.
        """
        if not _is_number(older_than) or older_than < 0:
            raise InvalidOptionError(
                f"older_than is {older_than!r}: pass seconds from 0 to {_LARGEST:g}"
            )
        return self._file.prune(time.time() - older_than)

    def forget(self, resource: str) -> int:
        """Remove the records and the speed of a resource, given by its identity.

        Returns how many records.
        """
        return self._file.forget(resource)

    def _link(self, learnt: _Learnt, identities: list[str]) -> _history.Link:
        """Hand the records to a policy, whose ``Link`` writes what it learns."""
        return _history.Link(self._file, learnt, identities)


def default_path() -> str | None:
    """Return the path that the environment wants; None where it wants no history."""
    return _history.default_path()


def default_history() -> History | None:
    """Return the history at the default path; None where the environment has none."""
    path = default_path()
    return None if path is None else History(path)


def _from_tuple(
    callable_: int,
    sizes: int,
    resource: str,
    count: int,
    mean: float,
    centre: float,
    squares: float,
    is_exact: bool,
    updated: int,
    name: str,
) -> HistoryRecord:
    return HistoryRecord(
        (callable_, sizes),
        name,
        resource,
        count,
        mean / _NANOSECONDS,
        centre,
        squares,
        is_exact,
        float(updated),
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and all(not 0xD800 <= ord(each) < 0xE000 for each in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and abs(value) <= _LARGEST  # False for nan


def _is_integer(value: Any, low: int, end: int) -> bool:
    return isinstance(value, int) and low <= value < end


_LARGEST: Final = 1e18  # a number, of seconds or nanoseconds
# Whether the value of a field is valid, and the remedy: a record may come from anybody's file.
_CHECKS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "key": (
        lambda of: isinstance(of, tuple)
        and len(of) == 2
        and all(_is_integer(part, 0, 1 << 64) for part in of),
        "two integers from 0 to 2^64 - 1",
    ),
    "kind": (_is_text, "a text"),
    "resource": (_is_text, "a text"),
    "count": (lambda of: _is_integer(of, 1, 1 << 32), "an integer from 1 to 2^32 - 1"),
    "mean": (_is_number, "seconds"),
    "log_mean": (_is_number, "a finite number"),
    "log_squares": (_is_number, "a finite number"),
    "is_exact": (lambda of: isinstance(of, bool), "True or False"),
    "updated": (_is_number, "seconds since 1970"),
}


def _check_field(of: str, field: str, value: Any) -> None:
    is_valid, remedy = _CHECKS[field]
    if not is_valid(value):
        raise InvalidOptionError(f"a {of} has the {field} {value!r}: pass {remedy}")


def _check(record: HistoryRecord) -> None:
    for field in _CHECKS:
        _check_field("record", field, getattr(record, field))


def _to_tuple(of: HistoryRecord) -> tuple[int, int, str, int, float, float, float, bool, int, str]:
    _check(of)
    mean = of.mean * _NANOSECONDS
    return (
        *of.key,
        of.resource,
        of.count,
        mean,
        of.log_mean,
        of.log_squares,
        of.is_exact,
        int(of.updated),
        of.kind,
    )
