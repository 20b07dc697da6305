# SPDX-License-Identifier: Apache-2.0
"""How estimates, and what a policy has measured, are displayed in a notebook."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from table_reader import Table, tables_of

import pointsman as pm
from pointsman._measured import Estimates

measuring = pytest.mark.parametrize("policy_class", [pm.AutoTune, pm.EarliestFinish])


def total(resource: Any, *numbers: Any, **settings: Any) -> Any:
    return resource


def kinds_of(policy: Any) -> list[str]:
    _, measured = tables_of(policy._repr_html_())
    return [row[0] for row in measured.rows[1:]]


@measuring
def test_a_policy_without_measurements_has_no_table_of_them(policy_class: Any):
    assert len(tables_of(policy_class(["a", "b"])._repr_html_())) == 1
    assert len(tables_of(policy_class(pm.deferred_initialization)._repr_html_())) == 1


@measuring
def test_a_policy_shows_how_often_it_timed_a_kind_and_the_mean(policy_class: Any):
    policy = policy_class(["<a>", "b"])
    for _ in range(20):
        policy.submit(total)
    html = policy._repr_html_()
    _, measured = tables_of(html)
    heading, row = measured.rows
    assert heading == ["kind of task", "'<a>'", "'b'"]
    assert row[0] == "total"
    for cell in row[1:]:
        assert re.fullmatch(r"[\d.]+ (ns|µs|ms) \(\d+ timed\)", cell)
    assert "<a>" not in html


@measuring
def test_kinds_are_named_with_the_size_classes_of_their_arguments(policy_class: Any):
    policy = policy_class(["a"])
    policy.submit(total, range(1000), 0.5, fast=True)
    policy.submit(pm.task(total, name="cg", key=lambda n: n), 5)
    policy.submit(pm.task(total, key=lambda n: ("dense", "<n>")), 5)
    assert set(kinds_of(policy)) == {
        "total(2^9, fast=True)",
        "cg(2^2)",
        "total(('dense', '<n>'))",
    }


@measuring
def test_only_the_kinds_with_the_most_tasks_are_shown(policy_class: Any):
    policy = policy_class(["a"])
    for number in range(15):
        policy.submit(pm.task(total, name=f"rare {number}"))
        for _ in range(100):
            policy.submit(total)
    shown = kinds_of(policy)
    assert len(shown) == 10
    assert shown[0] == "total"


@measuring
def test_a_kind_that_was_selected_for_is_named_too(policy_class: Any):
    policy = policy_class(["a"])
    policy.select(total)
    assert kinds_of(policy) == ["total"]


@measuring
def test_a_callable_without_a_usable_name_is_named_by_its_type(policy_class: Any):
    class Odd:
        def __getattr__(self, name: str) -> Any:
            raise LookupError(name)

        def __call__(self, resource: Any) -> None:
            pass

    policy = policy_class(["a"])
    policy.submit(Odd())
    (name,) = kinds_of(policy)
    assert name.endswith("Odd")


def test_estimates_show_a_row_for_each_resource():
    html = Estimates(["<a>", "b", "b"], [403e-9, 0.0012, None])._repr_html_()
    table = Table(html)
    assert table.caption == "Estimates"
    assert table.rows == [
        ["resource", "expected time"],
        ["'<a>'", "403 ns"],
        ["'b' (number 2 of 3)", "1.2 ms"],
        ["'b' (number 3 of 3)", "not measured"],
    ]
    assert "<a>" not in html


def test_pm_auto_shows_its_candidates_until_it_is_used():
    table = Table(pm.AutoPolicy([pm.seq, pm.par])._repr_html_())
    assert table.caption == "AutoPolicy([pm.seq, pm.par]), not used yet"
    assert table.rows == [["candidate"], ["pm.seq"], ["pm.par"]]
    assert Table(pm.AutoPolicy()._repr_html_()).rows[1] == ["pm.seq"]


def test_an_auto_policy_shows_what_it_has_measured():
    policy = pm.AutoPolicy([pm.seq, pm.par])
    for _ in range(8):
        pm.transform(policy, "2*x", np.arange(100))
    resources, measured = tables_of(policy._repr_html_())
    assert [row[0] for row in resources.rows[1:]] == ["pm.seq", "pm.par"]
    assert measured.rows[0] == ["kind of task", "pm.seq", "pm.par"]
    assert measured.rows[1][0].startswith("algorithm(")
    assert "transform" in measured.rows[1][0]


def test_kinds_are_named_after_thousands_of_others():
    many = pm.AutoTune(["a"])
    numbered = pm.task(lambda resource, number: number, key=str)
    for number in range(1100):
        many.submit(numbered, number)
    policy = pm.AutoTune(["a"])
    for size in (2, 2**9):
        policy.submit(lambda resource, size: size, size)
    names = {name for name, *_ in policy._measured_kinds(10)}
    assert len(names) == 2
    assert all("lambda" in name for name in names)
