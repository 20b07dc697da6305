# SPDX-License-Identifier: Apache-2.0
# What a recorded program would have taken under another policy or on other resources.
"""The replay of a trace, as data and as a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pointsman import _console, _core
from pointsman._html import html_table
from pointsman._representation import text_of_time
from pointsman._trace import Trace
from pointsman.error import InvalidOptionError

if TYPE_CHECKING:
    from pointsman._core import _PlaceTuple

# The settings of each policy that a replay takes.
SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "AutoTune": ("resample_time",),
    "DynamicLoad": ("offset", "tie_break"),
    "EarliestFinish": ("resample_time",),
    "FixedResource": ("index",),
    "Random": ("seed",),
    "RoundRobin": ("offset",),
    "Token": ("tokens", "tie_break"),
    "WeightedRoundRobin": ("weights",),
}

_LONGEST: Final = 1e9  # seconds of a latency


@dataclass(frozen=True)
class ReplayedResource:
    """A resource of a replay, described by one of the trace.

    name: its name, and without ``like`` that of the resource in the trace.
    like: the resource in the trace whose times it has.
    ratio: of its times to those of ``like``; 0.5 is twice as fast.
    slots: how many tasks it runs at a time; None for as many as in the trace.
    latency: seconds from a submission until the task can start; None for that of the trace.

    >>> pm.ReplayedResource("new gpu", like="gpu", ratio=0.5)
    ReplayedResource(name='new gpu', like='gpu', ratio=0.5, slots=None, latency=None)
    """

    name: str
    like: str | None = None
    ratio: float = 1.0
    slots: int | None = None
    latency: float | None = None


@dataclass(frozen=True)
class ResourceUsage:
    """What one resource did during a run.

    slots: how many tasks it runs at a time.
    busy: the seconds of its tasks, added up.
    utilisation: the part of its slots that was in use, from 0 to 1.

    >>> policy = pm.RoundRobin(["a", "b"])
    >>> with pm.trace() as traced:
    ...     submissions = [policy.submit(lambda resource: resource) for _ in range(4)]
    >>> [usage.tasks for usage in pm.replay(traced, "RoundRobin").resources]
    [2, 2]
    """

    resource: str
    slots: int
    tasks: int
    busy: float
    utilisation: float


@dataclass(frozen=True)
class Replay:
    """The result of ``pm.replay``. ``print`` and Jupyter show it as a table.

    policy: the name of the policy's class.
    makespan: seconds from the start of the trace to the end of the last task.
    resources: the usage of each resource.
    original_makespan, original_resources: the same of what really happened.
    bound: seconds that no policy can beat on these resources, not even one that knows all times
        before. The best possible makespan may be larger.
    measured, predicted, assumed: of the pairs of a kind of task and a resource, how many have
        times that were measured there, how many times that are predicted from other sizes or kinds,
        and how many the times of another resource, as nothing is known.
    trace: the replay as a trace, for ``pm.plot.timeline`` and ``save``.

    >>> policy = pm.RoundRobin(["a", "b"])
    >>> with pm.trace() as traced:
    ...     submissions = [policy.submit(lambda resource: resource) for _ in range(4)]
    >>> replayed = pm.replay(traced, pm.FixedResource)
    >>> replayed.bound <= replayed.makespan
    True
    >>> len(replayed.trace.tasks)
    4
    """

    policy: str
    makespan: float
    resources: tuple[ResourceUsage, ...]
    original_makespan: float
    original_resources: tuple[ResourceUsage, ...]
    bound: float
    measured: int
    predicted: int
    assumed: int
    trace: Trace = field(repr=False, compare=False)

    def __str__(self) -> str:
        lines = _console.table([_HEADINGS, *self._rows()], align=">")
        return "\n".join([*lines, self._summary()])

    def _repr_html_(self) -> str:
        return html_table(self._summary(), _HEADINGS, self._rows())

    def _summary(self) -> str:
        over = f" ({self.makespan / self.bound:.2f} x)" if self.bound > 0 else ""
        text = (
            f"{self.policy}: {text_of_time(self.makespan)}, recorded "
            f"{text_of_time(self.original_makespan)}, bound {text_of_time(self.bound)}{over}"
        )
        if self.predicted or self.assumed:
            text += f"; times: {self.measured} measured, {self.predicted} predicted"
            text += f", {self.assumed} assumed"
        return text

    def _rows(self) -> list[tuple[str, ...]]:
        before = {usage.resource: usage for usage in self.original_resources}
        after = {usage.resource: usage for usage in self.resources}
        return [
            (name, *_cells_of(after.get(name)), *_cells_of(before.get(name)))
            for name in dict.fromkeys([*after, *before])
        ]


_HEADINGS: Final = (
    "resource",
    "tasks",
    "busy",
    "utilisation",
    "recorded tasks",
    "recorded busy",
    "recorded utilisation",
)


def _cells_of(usage: ResourceUsage | None) -> tuple[str, str, str]:
    if usage is None:
        return ("-", "-", "-")
    return (str(usage.tasks), text_of_time(usage.busy), f"{usage.utilisation:.0%}")


def replay(
    trace: Trace,
    policy: str | type[Any],
    resources: Sequence[str | ReplayedResource] | None = None,
    **settings: Any,
) -> Replay:
    """Run a recorded workload in virtual time under another policy or on other resources.

    trace: what ``pm.trace`` has recorded; tasks that are not complete have the times of their kind.
    policy: a policy of this package: its class, or its name, ``"earliest_finish"`` or
        ``"EarliestFinish"``. Its own rule chooses, and learns from the virtual times.
    resources: names of resources in the trace, and ``ReplayedResource`` for other ones; None for
        all resources of the trace.
    settings: of the policy, as in its constructor: ``offset``, ``index``, ``tie_break``,
        ``tokens``, ``seed`` (0 unless given), ``weights``, ``resample_time``.

    Each thread of the program submits, computes and waits in the recorded order, so it reacts to
    the policy. A task takes as long as tasks of its kind (name and size classes) took on that
    resource; where none was measured, as long as policies predict. Equal arguments give equal
    results. Raises InvalidOptionError for a trace without complete tasks, an unknown policy,
    resource or setting, and a ratio or number of slots that is not positive.

    >>> policy = pm.RoundRobin(["a", "b"])
    >>> with pm.trace() as traced:
    ...     submissions = [policy.submit(lambda resource: resource) for _ in range(4)]
    >>> replayed = pm.replay(traced, pm.FixedResource, index=1)
    >>> [(usage.resource, usage.tasks) for usage in replayed.resources]
    [("'a'", 0), ("'b'", 4)]
    >>> replayed = pm.replay(traced, "round_robin", [pm.ReplayedResource("c", like="'a'")])
    >>> [(usage.resource, usage.tasks) for usage in replayed.resources]
    [('c', 4)]
    """
    name = _class_name_of(policy)
    if unknown := sorted(settings.keys() - set(SETTINGS[name])):
        raise InvalidOptionError(
            f"a replay of {name} has no setting {unknown[0]!r}: pass {' or '.join(SETTINGS[name])}"
        )
    if resources is not None and not resources:
        raise InvalidOptionError("resources is empty: pass one or more, or None for all")
    if isinstance(resources, str):
        raise InvalidOptionError(f"resources is the text {resources!r}: pass a list of names")
    (
        makespan,
        usages,
        original_makespan,
        original_usages,
        bound,
        measured,
        predicted,
        assumed,
        recording,
    ) = _core._replay(
        trace._recording, _snake(name), name, [*map(_place_of, resources or [])], settings
    )
    replayed = Trace()
    replayed._keep(recording)
    return Replay(
        name,
        makespan,
        tuple(ResourceUsage(*usage) for usage in usages),
        original_makespan,
        tuple(ResourceUsage(*usage) for usage in original_usages),
        bound,
        measured,
        predicted,
        assumed,
        replayed,
    )


def _class_name_of(policy: str | type[Any]) -> str:
    """Return the name of the class of a policy that can be replayed."""
    for name in SETTINGS:
        if policy in (name, _snake(name)) or policy is getattr(_core, name):
            return name
    names = ", ".join(map(_snake, SETTINGS))
    raise InvalidOptionError(f"no policy is called {policy!r}: pass a class or one of {names}")


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _place_of(given: str | ReplayedResource) -> _PlaceTuple:
    of = ReplayedResource(given) if isinstance(given, str) else given
    if of.slots is not None and of.slots < 1:
        raise InvalidOptionError(f"{of.name!r} has {of.slots} slots: pass 1 or more")
    if of.latency is not None and not 0 <= of.latency < _LONGEST:
        raise InvalidOptionError(
            f"{of.name!r} has a latency of {of.latency} s: pass a number from 0 to {_LONGEST:g}"
        )
    return (of.name, of.like or "", of.ratio, of.slots, of.latency)
