# SPDX-License-Identifier: Apache-2.0
# The times that AutoTune and EarliestFinish have measured, as lists and tables for Jupyter.
"""What the measuring policies have learnt of tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pointsman._html import html_table
from pointsman._representation import names_of, text_of_time

if TYPE_CHECKING:
    from pointsman._core import AutoTune, EarliestFinish

MOST_KINDS: Final = 10

# How often a kind of task was timed on a resource, the mean in seconds, and timings spread over all
# of them, each with the number of tasks of the kind until then.
Timings: TypeAlias = tuple[int, float | None, list[tuple[int, float]]]
# The name of a kind of task, the identity of its callable, and its timings by resource.
MeasuredKind: TypeAlias = tuple[str, int, list[Timings]]


class Estimates(list[float | None]):
    """The expected seconds of a task on each resource; a table in Jupyter."""

    def __init__(self, resources: Sequence[Any], seconds: Iterable[float | None]) -> None:
        super().__init__(seconds)
        self.resources = resources

    def _repr_html_(self) -> str:
        rows = zip(names_of(self.resources), map(_text_of_estimate, self), strict=False)
        return html_table("Estimates", ["resource", "expected time"], rows)


def html_of_measured(policy: AutoTune | EarliestFinish) -> str:
    """Return a table with a row for each of the most used kinds of task and a column for each
    resource; no table if nothing was measured."""
    kinds = policy._measured_kinds(MOST_KINDS)
    if not kinds:
        return ""
    headings = ["kind of task", *names_of(policy.get_resources())]
    rows = ([name or "(no name)", *map(_text_of_timings, timings)] for name, _, timings in kinds)
    return html_table("Measured, by the power of two of sizes", headings, rows)


def _text_of_estimate(seconds: float | None) -> str:
    return "not measured" if seconds is None else text_of_time(seconds)


def _text_of_timings(timings: Timings) -> str:
    count, mean, _ = timings
    return "" if mean is None else f"{text_of_time(mean)} ({count} timed)"
