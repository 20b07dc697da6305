# SPDX-License-Identifier: Apache-2.0
# How policies, submissions and lists of resources look in a notebook.
"""Tables for Jupyter, as HTML; equal resources are numbered by their position in the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pointsman import _core
from pointsman._explanation import name_of_resource
from pointsman._html import html_table
from pointsman._measured import html_of_measured
from pointsman._representation import text_of
from pointsman._statistics import HEADINGS, rows_of
from pointsman.error import NotInitializedError

if TYPE_CHECKING:
    from pointsman._core import Selection, Submission, _Policy


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
        statistics = policy.statistics()
    except NotInitializedError:
        return html_table(f"{name}, not initialised", ["resource"], [])
    return html_table(name, ["resource", *HEADINGS], rows_of(statistics))


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
