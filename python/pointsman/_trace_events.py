# SPDX-License-Identifier: Apache-2.0
# The data of traces: single events, and the events of one submission put together.
"""The events and the tasks of a trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

EventKind = Literal["submission", "selection", "start", "end", "wait", "retry"]
KINDS: Final = get_args(EventKind)


@dataclass(frozen=True)
class TraceEvent:
    """One event of a trace.

    kind: ``"submission"``, ``"selection"``, ``"start"``, ``"end"``, ``"wait"`` or ``"retry"``.
    time: seconds since the first event of the trace.
    duration: seconds that a wait took; 0 for other events.
    task: the number of the submission, from 1; 0 for an event of no single submission.
    name: of a submission or a retry, the name of its callable; else empty.
    resource, policy: of a selection, the ``repr`` of the resource and the name of the policy's
        class; else empty. Resources with the same ``repr`` are numbered.
    thread: the number of the thread, from 1.
    succeeded: False for the end of work that failed or was cancelled.
    exact: False for an end whose time is an upper bound: the time at which it was noticed.

    >>> policy = pm.RoundRobin(["a", "b"])
    >>> with pm.trace() as traced:
    ...     submission = policy.submit(lambda resource: resource)
    >>> [event.kind for event in traced.events]
    ['submission', 'selection', 'start', 'end']
    """

    kind: EventKind
    time: float
    duration: float
    task: int
    name: str
    resource: str
    policy: str
    thread: int
    succeeded: bool
    exact: bool


@dataclass(frozen=True)
class TracedTask:
    """One submission of a trace: its events put together.

    Times are seconds since the first event of the trace; None for an event that the trace lacks.

    number: in the order of submission, from 1.
    name: the name of the callable.
    resource, policy: as in ``TraceEvent``.
    thread: the number of the thread that submitted it.
    submitted: when ``submit`` or ``run`` was called.
    selected: when the policy had chosen the resource. Later if it had to wait for a free one.
    started: when the work began, where the resource knows it, as arenas do.
    ended: when the work was complete; None if that was after the trace.
    succeeded: False if the work failed or was cancelled.

    >>> policy = pm.RoundRobin(["a", "b"])
    >>> with pm.trace() as traced:
    ...     submission = policy.submit(lambda resource: resource)
    >>> task = traced.tasks[0]
    >>> task.policy, task.resource, task.succeeded
    ('RoundRobin', "'a'", True)
    >>> task.submitted <= task.selected <= task.started <= task.ended
    True
    """

    number: int
    name: str
    resource: str
    policy: str
    thread: int
    submitted: float | None
    selected: float | None
    started: float | None
    ended: float | None
    succeeded: bool

    @property
    def begin(self) -> float | None:
        """When the work began as far as is known: ``started``, else ``selected``."""
        return self.selected if self.started is None else self.started
