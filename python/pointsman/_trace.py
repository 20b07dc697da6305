# SPDX-License-Identifier: Apache-2.0
# The Python side of pointsman::trace: a context manager, events as objects, and files read back.
"""Traces: what was submitted, where it ran, and when."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

from pointsman import _core
from pointsman._trace_events import KINDS, EventKind, TracedTask, TraceEvent
from pointsman.error import InvalidOptionError

if TYPE_CHECKING:
    from typing_extensions import Self

    from pointsman._core import _EventTuple


class Trace:
    """The events that ``pointsman.trace`` has recorded, empty until its block ends.

    ``load`` reads a trace from a file that ``save`` has written.

    >>> policy = pm.RoundRobin(["a", "b"])
    >>> with pm.trace() as traced:
    ...     submissions = [policy.submit(lambda resource: resource) for _ in range(3)]
    >>> [task.resource for task in traced.tasks]
    ["'a'", "'b'", "'a'"]
    """

    def __init__(self) -> None:
        self._recording = _core._Recording([], 0)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a JSON file that ``save`` has written.

        Raises OSError if it cannot be read, and InvalidOptionError for any other file.
        """
        made = cls()
        made._recording = _read(Path(path))
        return made

    def _keep(self, recording: _core._Recording) -> None:
        """Take the events of the block, which has ended."""
        self._recording = recording
        for name in ("events", "tasks", "_begin"):  # if they were looked at while empty
            self.__dict__.pop(name, None)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the trace to a file; raise OSError if that fails.

        A path that ends in ``.csv`` becomes a table with a line for each event; any other one JSON
        in the Trace Event Format, which https://ui.perfetto.dev and ``chrome://tracing`` show.
        """
        Path(path).open("wb").close()  # raises the error that names the path
        self._recording.save(fspath(path))

    @property
    def dropped(self) -> int:
        """The number of events for which there was no room; see ``max_events``."""
        return self._recording.dropped

    @cached_property
    def events(self) -> list[TraceEvent]:
        """The events in the order of their times."""
        return [self._event_of(*each) for each in self._recording.events()]

    def _event_of(
        self,
        kind: str,
        time: int,
        duration: int,
        task: int,
        name: str,
        resource: str,
        policy: str,
        thread: int,
        _: int,
        succeeded: bool,
        exact: bool,
    ) -> TraceEvent:
        begin = (time - self._begin) * 1e-9
        texts = (name, resource, policy)
        return TraceEvent(
            cast(EventKind, kind), begin, duration * 1e-9, task, *texts, thread, succeeded, exact
        )

    @cached_property
    def tasks(self) -> list[TracedTask]:
        """The submissions in their order."""
        return [self._task_of(*each) for each in self._recording.tasks()]

    def _task_of(
        self,
        number: int,
        name: str,
        resource: str,
        policy: str,
        thread: int,
        submitted: int | None,
        selected: int | None,
        started: int | None,
        ended: int | None,
        succeeded: bool,
    ) -> TracedTask:
        return TracedTask(
            number,
            name,
            resource,
            policy,
            thread,
            self._seconds(submitted),
            self._seconds(selected),
            self._seconds(started),
            self._seconds(ended),
            succeeded,
        )

    @cached_property
    def _begin(self) -> int:
        return min((event[1] for event in self._recording.events()), default=0)

    def _seconds(self, nanoseconds: int | None) -> float | None:
        return None if nanoseconds is None else (nanoseconds - self._begin) * 1e-9

    def __len__(self) -> int:
        return len(self.events)

    def __repr__(self) -> str:
        dropped = f", {self.dropped} dropped" if self.dropped else ""
        return f"<Trace of {len(self.tasks)} tasks: {len(self.events)} events{dropped}>"


def trace(
    path: str | PathLike[str] | None = None, *, max_events: int = 1_000_000
) -> AbstractContextManager[Trace]:
    """Record what policies do in the ``with`` block, in all threads of this process.

    path: a file that is written when the block ends, as by ``Trace.save``; None for none.
    max_events: the most events that are kept, rounded up to a multiple of 1024; later ones are
        counted in ``dropped``. An event needs 56 bytes.

    The block gives a ``Trace``, which is empty until the block ends. One block records at a time;
    raises TraceInProgressError otherwise. A forked child records nothing until it begins a trace of
    its own, and writes no file.

    >>> policy = pm.RoundRobin(["a", "b"])
    >>> with pm.trace() as traced:
    ...     policy.submit_and_wait(lambda resource: resource)
    'a'
    >>> traced
    <Trace of 1 tasks: 4 events>
    """
    if max_events < 1:
        raise InvalidOptionError(f"max_events is {max_events}: pass a number from 1")
    return _tracing(path, max_events)


class _WorkElsewhere:
    """Work that another process has told of while this one traces.

    **Thread safety**: any thread; appending to a list is atomic.
    """

    def __init__(self) -> None:
        self.noted: list[tuple[str, str, str, int, int, bool]] | None = None

    def added_to(self, recording: _core._Recording) -> _core._Recording:
        """Return the recording with a task for each piece of work that lies within it."""
        noted, self.noted = self.noted, None
        events = recording.events() if noted else []
        if not events or not noted:
            return recording
        task = max(event[3] for event in events)
        thread = max(event[7] for event in events) + 1
        for name, resource, policy, begin, end, succeeded in noted:
            if begin < events[0][1]:
                continue
            task += 1
            rest = (thread, 0, succeeded, True)
            events += [
                ("submission", begin, 0, task, name, "", "", *rest),
                ("selection", begin, 0, task, "", resource, policy, *rest),
                ("end", end, 0, task, "", "", "", *rest),
            ]
        return _core._Recording(events, recording.dropped)


_elsewhere: Final = _WorkElsewhere()


def note_work_elsewhere(
    name: str, resource: str, policy: str, end: float, seconds: float, succeeded: bool
) -> None:
    """Add work of another process to the trace that records, if one does.

    end: seconds since the epoch, by the clock of that process.
    """
    noted = _elsewhere.noted
    if noted is not None:
        ended = time.monotonic_ns() - round((time.time() - end) * 1e9)
        begun = ended - round(seconds * 1e9)
        noted.append((name, resource, policy, begun, ended, succeeded))


@contextmanager
def _tracing(path: str | PathLike[str] | None, max_events: int) -> Iterator[Trace]:
    session = _core._TraceSession(max_events)
    _elsewhere.noted = []
    process = os.getpid()
    traced = Trace()
    try:
        yield traced
    finally:
        traced._keep(_elsewhere.added_to(session.stop()))
        if path is not None and process == os.getpid():
            traced.save(path)


# What a file of another shape raises; RuntimeError by values that the engine's types lack.
_ERRORS: Final = (ValueError, TypeError, LookupError, AttributeError, RuntimeError, OverflowError)


def _read(path: Path) -> _core._Recording:
    try:
        found = json.loads(path.read_bytes())
        events = [_event_of(entry) for entry in _entries(found)]
        return _core._Recording(events, int(found["otherData"]["dropped"]))
    except _ERRORS as error:
        _refuse(path, error)


def _refuse(path: Path, error: Exception) -> NoReturn:
    raise InvalidOptionError(
        f"{path} is no trace of pointsman ({type(error).__name__}: {error}): pass a JSON file that "
        "pointsman.trace or trace::save has written"
    ) from error


def _entries(found: Any) -> Iterator[dict[str, Any]]:
    if found["otherData"]["producer"] != "pointsman":
        raise ValueError("it has another producer")
    return (entry for entry in found["traceEvents"] if entry.get("cat") == "event")


def _event_of(entry: dict[str, Any]) -> _EventTuple:
    if entry["name"] not in KINDS:
        raise ValueError(f"it has an event {entry['name']!r}")
    args = entry["args"]
    return (
        entry["name"],
        round(entry["ts"] * 1000),
        round(entry.get("dur", 0) * 1000),
        args["task"],
        args.get("name", ""),
        args.get("resource", ""),
        args.get("policy", ""),
        entry["tid"],
        int(args.get("sizes", 0)),
        args.get("succeeded", True),
        args.get("exact", True),
    )
