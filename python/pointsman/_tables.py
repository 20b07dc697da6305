# SPDX-License-Identifier: Apache-2.0
# How policies, submissions and lists of resources look in a notebook.
"""Tables for Jupyter, as HTML; equal resources are numbered by their position in the policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from pointsman import _core
from pointsman._explanation import name_of_resource
from pointsman._html import html_table
from pointsman._measured import html_of_measured
from pointsman._representation import names_of, text_of, text_of_time
from pointsman.error import NotInitializedError

if TYPE_CHECKING:
    from pointsman._core import ResourceStatistics, Selection, Submission, _Policy


STATISTICS: Final = ("load", "completed", "failed", "mean elapsed")


def html_of_policy(policy: _Policy) -> str:
    """Return a table with a row for each resource, its load and its statistics; for a policy that
    measures also a table of what it has measured."""
    html = _html_of_resources(policy)
    if isinstance(policy, (_core.AutoTune, _core.EarliestFinish)):
        try:
            html += html_of_measured(policy)
        except NotInitializedError:
            pass
    return html


def _html_of_resources(policy: _Policy) -> str:
    name = type(policy).__name__
    try:
        resources = policy.get_resources()
    except NotInitializedError:
        return html_table(f"{name}, not initialised", ["resource"], [])
    names = names_of(resources)
    headings = ["resource", *STATISTICS]
    seen = map(_cells_of_statistics, policy.statistics())
    return html_table(name, headings, _beside(names, seen))


def html_of_submission(submission: Submission) -> str:
    """Return a table of one row: the resource and the state of the work."""
    explanation = submission.explain()
    row = [name_of_resource(explanation), explanation.state]
    return html_table("Submission", ["resource", "state"], [row])


def html_of_selection(selection: Selection, holds_load: bool) -> str:
    """Return a table of one row: the resource, the policy's class, and if it counts as load."""
    state = "until submitted, reported complete or deleted" if holds_load else "no"
    row = [text_of(selection.resource), type(selection.policy).__name__, state]
    return html_table("Selection", ["resource", "policy", "counts as load"], [row])


class StatisticsList(list["ResourceStatistics"]):
    """A policy's statistics by resource; a table in Jupyter."""

    def _repr_html_(self) -> str:
        names = names_of([entry.resource for entry in self])
        rows = _beside(names, map(_cells_of_statistics, self))
        return html_table("Statistics", ["resource", *STATISTICS], rows)


def html_of_statistics(entry: ResourceStatistics) -> str:
    """Return a table of one row."""
    return StatisticsList([entry])._repr_html_()


def _beside(names: Iterable[str], cells: Iterable[Sequence[Any]]) -> Iterable[Sequence[Any]]:
    """Return rows that begin with a name. Stops at the shorter input: the policy's resources may
    be replaced meanwhile."""
    return ([name, *more] for name, more in zip(names, cells, strict=False))


def _cells_of_statistics(entry: _core.ResourceStatistics) -> list[Any]:
    mean = "" if entry.mean_elapsed is None else text_of_time(entry.mean_elapsed)
    return [entry.load, entry.completed, entry.failed, mean]
