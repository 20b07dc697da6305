# SPDX-License-Identifier: Apache-2.0
"""How policies, submissions and lists of resources are displayed in a notebook."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from table_reader import Table

import pointsman as pm

STATISTICS = [
    "resource",
    "submissions",
    "load",
    "failed",
    "busy",
    "utilisation",
    "mean elapsed",
    "median",
    "95 %",
    "waited",
]
UNUSED = ["0", "0", "0", "0 ns", "0%", "", "", "", "0 ns"]


def test_a_policy_shows_a_row_for_each_resource(policy_class: Any):
    table = Table(policy_class(["<a>", "b"])._repr_html_())
    assert table.caption == policy_class.__name__
    assert [row[0] for row in table.rows] == ["resource", "'<a>'", "'b'"]


def test_a_policy_shows_its_statistics(policy_class: Any):
    policy = policy_class(["a"])
    assert Table(policy._repr_html_()).rows[1] == ["'a'", *UNUSED]
    policy.submit_and_wait(lambda resource: 1)
    future: Future[int] = Future()
    policy.select(lambda resource: future).submit(lambda resource: future)
    heading, seen = Table(policy._repr_html_()).rows[:2]
    assert heading == STATISTICS
    assert seen[:4] == ["'a'", "2", "1", "0"]
    assert all(cell.endswith(("ns", "µs", "ms")) for cell in (seen[4], *seen[6:]))
    future.set_result(1)


def test_resources_with_the_same_repr_are_distinguished(policy_class: Any):
    rows = Table(policy_class(["a", "b", "a"])._repr_html_()).rows
    assert [row[0] for row in rows[1:]] == ["'a' (number 1 of 3)", "'b'", "'a' (number 3 of 3)"]


def test_a_submission_shows_which_of_two_resources_with_the_same_repr_it_is_on():
    policy = pm.RoundRobin([pm.Arena(1), pm.Arena(1)])
    submissions = [policy.run(int) for _ in range(2)]
    assert [Table(s._repr_html_()).rows[1][0] for s in submissions] == [
        "Arena(concurrency=1) (number 1 of 2)",
        "Arena(concurrency=1) (number 2 of 2)",
    ]


def test_a_submission_shows_its_resource_after_the_set_was_replaced():
    policy = pm.RoundRobin(["a", "a"])
    submission = policy.submit(lambda resource: 1)
    policy.initialize(["b"])
    assert Table(submission._repr_html_()).rows[1] == ["'a'", "done"]


def test_a_deferred_policy_says_that_it_has_no_resources():
    table = Table(pm.RoundRobin(pm.deferred_initialization)._repr_html_())
    assert table.caption == "RoundRobin, not initialised"


def test_a_submission_shows_its_resource_and_whether_it_is_complete():
    future: Future[int] = Future()
    submission = pm.RoundRobin(["a"]).submit(lambda resource: future)
    assert Table(submission._repr_html_()).rows[1] == ["'a'", "pending"]
    future.set_result(1)
    assert Table(submission._repr_html_()).rows[1] == ["'a'", "done"]


def test_the_result_of_discover_is_a_list_and_shows_each_resource():
    found = pm.discover()
    assert isinstance(found, list)
    heading, *rows = Table(found._repr_html_()).rows
    assert heading[0] == "resource"
    assert len(rows) == len(found)


def test_an_explanation_shows_each_candidate_and_the_reason():
    future: Future[int] = Future()
    policy = pm.DynamicLoad(["<a>", "b"])
    policy.submit(lambda resource: future)
    html = policy.submit(lambda resource: 1).explain()._repr_html_()
    future.set_result(1)
    table = Table(html)
    assert table.caption == (
        "DynamicLoad chose 'b': it had the fewest outstanding submissions (idle)"
    )
    assert table.rows == [
        ["resource", "chosen", "state at the choice"],
        ["'<a>'", "", "1 outstanding"],
        ["'b'", "yes", "idle"],
    ]
    assert "<a>" not in html


def test_an_explanation_without_candidates_shows_the_reason():
    policy = pm.RoundRobin(["a"])
    submission = policy.submit(lambda resource: 1)
    policy.initialize(["b"])
    table = Table(submission.explain()._repr_html_())
    assert table.caption == "RoundRobin chose 'a': its resources were replaced since"
    assert len(table.rows) == 1


def test_a_selection_shows_whether_it_counts_as_load():
    selection = pm.DynamicLoad(["<a>"]).select()
    heading, held = Table(selection._repr_html_()).rows
    assert heading == ["resource", "policy", "counts as load"]
    assert held == ["'<a>'", "DynamicLoad", "until submitted, reported complete or deleted"]
    selection.submit(lambda resource: 1)
    assert Table(selection._repr_html_()).rows[1][2] == "no"
    assert "<a>" not in selection._repr_html_()


def test_statistics_are_a_list_that_shows_a_row_for_each_resource():
    policy = pm.ScoredPolicy(lambda stats: stats.index, ["<a>", "b"])
    policy.submit_and_wait(lambda resource: 1)
    statistics = policy.statistics()
    assert isinstance(statistics, list)
    heading, seen, unused = Table(statistics._repr_html_()).rows
    assert heading == STATISTICS
    assert seen[:4] == ["'<a>'", "1", "0", "0"]
    assert unused == ["'b'", *UNUSED]
    assert Table(statistics[0]._repr_html_()).rows == [heading, seen]


def test_an_executor_shows_its_name_and_its_settings():
    table = Table(pm.executors.arena(pm.Arena(1))._repr_html_())
    assert table.caption == "Executor"
    assert table.rows == [
        ["name", "blocks", "context"],
        ["arena", "'always'", "Arena(concurrency=1)"],
    ]
    assert Table(pm.executors.inline()._repr_html_()).rows[1][0] == "inline"


class Nameless:
    def __repr__(self) -> str:
        raise LookupError("no name")


def test_views_show_the_type_of_a_resource_whose_repr_fails(policy_class: Any):
    policy = policy_class([Nameless()])
    submission = policy.submit(lambda resource: 1)
    views = [policy, policy.select(len), submission, submission.explain()]
    for view in views:
        assert "Nameless without a repr" in view._repr_html_()
