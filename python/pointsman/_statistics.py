# SPDX-License-Identifier: Apache-2.0
# A policy's statistics by resource and by kind of task, as lists and tables.
"""What a policy has counted and timed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pointsman._html import html_table
from pointsman._measured import MeasuredKind
from pointsman._representation import names_of, text_of_time
from pointsman._text_table import aligned

if TYPE_CHECKING:
    from pointsman._core import ResourceStatistics

HEADINGS: Final = (
    "submissions",
    "load",
    "failed",
    "busy",
    "utilisation",
    "mean elapsed",
    "median",
    "95 %",
    "waited",
)


@dataclass(frozen=True)
class KindStatistics:
    """What a policy that measures has learnt of one kind of task.

    name: of the callable, with the powers of two of its arguments' sizes, such as "blur 2^20".
    estimates: the expected seconds of a task that runs alone, by resource; None where not measured.
    best: the index of the resource with the shortest expected time; None if nothing was measured.

    >>> policy = pm.AutoTune(["a", "b"])
    >>> def blur(resource):
    ...     return resource.upper()
    >>> results = [policy.submit_and_wait(blur) for _ in range(5)]
    >>> policy.statistics().kinds[0].name
    'blur'
    """

    name: str
    estimates: tuple[float | None, ...]
    best: int | None


class PolicyStatistics(list["ResourceStatistics"]):
    """What ``policy.statistics()`` returns: a ``ResourceStatistics`` for each resource, in the
    order of the set.

    A snapshot. ``print`` shows it as a table, Jupyter too.

    >>> policy = pm.RoundRobin(["a", "b"])
    >>> results = [policy.submit_and_wait(lambda resource: resource) for _ in range(3)]
    >>> policy.statistics()[0].completed
    2
    >>> policy.statistics().kinds
    []
    """

    _measured: Sequence[MeasuredKind] = ()  # set by policies that measure

    @property
    def kinds(self) -> list[KindStatistics]:
        """A ``KindStatistics`` for each of the ten most frequent kinds of task, the most frequent
        first; empty for a policy that does not measure."""
        return [_learnt(kind) for kind in self._measured]

    def __str__(self) -> str:
        lines = aligned([["resource", *HEADINGS], *rows_of(self)], ">")
        if self.kinds:
            lines += ["", *aligned([["kind of task", *self._names()], *self._rows_of_kinds()])]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        html = html_table("Statistics", ["resource", *HEADINGS], rows_of(self))
        if self.kinds:
            headings = ["kind of task", *self._names()]
            html += html_table(
                "Expected times, with a star at the best", headings, self._rows_of_kinds()
            )
        return html

    def _names(self) -> list[str]:
        return names_of([entry.resource for entry in self])

    def _rows_of_kinds(self) -> list[list[str]]:
        return [
            [
                kind.name,
                *(
                    _text_of(seconds) + (" *" if index == kind.best else "")
                    for index, seconds in enumerate(kind.estimates)
                ),
            ]
            for kind in self.kinds
        ]


def rows_of(statistics: Sequence[ResourceStatistics]) -> list[list[str]]:
    """Return a row for each resource: its name, and the cells below ``HEADINGS``."""
    names = names_of([entry.resource for entry in statistics])
    return [
        [
            name,
            str(entry.submissions),
            str(entry.load),
            str(entry.failed),
            text_of_time(entry.busy),
            f"{entry.utilisation:.0%}",
            _text_of(entry.mean_elapsed),
            _text_of(entry.median_elapsed),
            _text_of(entry.p95_elapsed),
            text_of_time(entry.waited),
        ]
        for name, entry in zip(names, statistics, strict=True)
    ]


def html_of_resource(entry: ResourceStatistics) -> str:
    """Return a table of one row."""
    alone = PolicyStatistics()
    alone.append(entry)
    return alone._repr_html_()


def _learnt(kind: MeasuredKind) -> KindStatistics:
    name, _, timings = kind
    estimates = tuple(mean for _, mean, _ in timings)
    known = [(mean, index) for index, mean in enumerate(estimates) if mean is not None]
    return KindStatistics(name or "(no name)", estimates, min(known)[1] if known else None)


def _text_of(seconds: float | None) -> str:
    return "" if seconds is None else text_of_time(seconds)
