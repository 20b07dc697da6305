# SPDX-License-Identifier: Apache-2.0
"""plot.learning: the timings of a kind of task in their order."""

from __future__ import annotations

from typing import Any

import pytest
from invented_times import blur, measured

import pointsman as pm

pytest.importorskip("matplotlib")


def seconds(resource: str, size: int) -> float:
    return 1e-3 if resource == "near" else 2e-3


@pytest.fixture(scope="module")
def policy() -> Any:
    return measured(["near", "far"], seconds, [2**10, 2**12, 2**12])


def marks(figure: Any) -> dict[str, Any]:
    """The lines that have marks, by the name of the resource."""
    (axes,) = figure.axes
    return {
        line.get_label().partition(":")[0]: line
        for line in axes.lines
        if line.get_marker() not in ("None", "")
    }


def test_each_timing_is_a_mark_at_its_time(policy: Any):
    found = marks(pm.plot.learning(policy, blur))
    for name, time in (("'near'", 1e-3), ("'far'", 2e-3)):
        times = list(found[name].get_ydata())
        assert times == pytest.approx([time] * len(times))
    assert list(found["'near'"].get_xdata()) == sorted(found["'near'"].get_xdata())


def test_the_first_mark_is_the_first_task():
    policy = measured(["near"], seconds, [2**10])
    assert marks(pm.plot.learning(policy, blur))["'near'"].get_xdata()[0] == 1


def test_of_many_timings_32_are_shown(policy: Any):
    assert 16 <= len(marks(pm.plot.learning(policy, blur))["'near'"].get_xdata()) <= 32


def test_a_dashed_line_is_the_mean_that_the_policy_goes_by(policy: Any):
    (axes,) = pm.plot.learning(policy, blur).axes
    means = [line.get_ydata()[0] for line in axes.lines if line.get_linestyle() == "--"]
    expected = [mean for mean in policy.estimates(blur, bytes(2**12)) if mean is not None]
    assert means == pytest.approx(expected)


def test_the_legend_has_the_mean_and_the_number_of_timings(policy: Any):
    (axes,) = pm.plot.learning(policy, blur).axes
    first, _ = (text.get_text() for text in axes.get_legend().get_texts())
    assert first.startswith("'near': 1 ms, ")
    assert first.endswith(" timed")


def test_a_callable_stands_for_its_most_used_kind(policy: Any):
    (axes,) = pm.plot.learning(policy, blur).axes
    assert axes.get_title(loc="left") == "blur(2^12): timings in their order"


def test_a_kind_can_be_passed_by_name(policy: Any):
    (axes,) = pm.plot.learning(policy, "blur(2^10)").axes
    assert axes.get_title(loc="left").startswith("blur(2^10)")
    assert axes.get_xlabel() == "number of the task of this kind"
    assert axes.get_ylabel() == "time of a task alone, in seconds (s)"


def test_of_64_resources_the_seven_fastest_have_colours():
    policy = measured(range(64), lambda resource, _: 1e-3 * (1 + resource / 100), [2**10] * 8)
    (axes,) = pm.plot.learning(policy, blur).axes
    *coloured, last = (text.get_text() for text in axes.get_legend().get_texts())
    assert [text.partition(":")[0] for text in coloured] == [str(number) for number in range(7)]
    assert last == "57 other resources"
