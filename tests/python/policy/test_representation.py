# SPDX-License-Identifier: Apache-2.0
"""The repr of policies, and names for resources that look the same."""

from __future__ import annotations

from typing import Any

import pytest

import pointsman as pm
from pointsman._representation import text_of_time

OPTIONS = {
    "FixedResource": "; index=0",
    "RoundRobin": "; offset=0",
    "DynamicLoad": "; offset=0",
    "AutoTune": "; resample_time=0.0",
    "EarliestFinish": "; resample_time=0.0",
    "Token": "; tokens=1",
    "WeightedRoundRobin": "; weights=()",
    "Random": "; seed=None",
}


def test_a_policy_shows_its_class_its_resources_and_its_option(policy_class: Any):
    name = policy_class.__name__
    options = OPTIONS.get(name, "")
    assert repr(policy_class(["a", "b"])) == f"<{name} of 2 resources: 'a', 'b'{options}>"


def test_only_the_first_resources_are_shown_and_long_names_are_shortened():
    assert repr(pm.Random(range(9), seed=7)) == (
        "<Random of 9 resources: 0, 1, 2, 3, 5 more; seed=7>"
    )
    assert len(repr(pm.RoundRobin(["x" * 10_000]))) < 120


def test_a_policy_shows_its_latest_initialisation():
    policy = pm.FixedResource(pm.deferred_initialization)
    assert repr(policy) == "<FixedResource, not initialised>"
    policy.initialize(["a", "b"], index=1)
    assert repr(policy) == "<FixedResource of 2 resources: 'a', 'b'; index=1>"
    policy.initialize(["c"])
    assert repr(policy) == "<FixedResource of 1 resource: 'c'; index=0>"


class Plain(pm.Backend):
    pass


class MyBackend(pm.Backend):
    def __repr__(self) -> str:
        return "MyBackend()"


def lowest(stats: pm.ResourceStatistics, *_: Any) -> float:
    return stats.index


def test_a_backend_and_a_score_are_shown():
    policy = pm.ScoredPolicy(lowest, backend=MyBackend(["a"]))
    assert repr(policy) == "<ScoredPolicy of 1 resource: 'a'; score=lowest; backend=MyBackend()>"
    policy = pm.RoundRobin(backend=MyBackend(["a"]))
    assert repr(policy) == "<RoundRobin of 1 resource: 'a'; offset=0; backend=MyBackend()>"


def test_a_backend_without_a_repr_is_shown_by_its_class():
    policy = pm.RoundRobin(backend=Plain(["a"]))
    assert repr(policy) == "<RoundRobin of 1 resource: 'a'; offset=0; backend=<Plain>>"


class Mine(pm.RoundRobin):
    """A user-defined class."""


def test_a_user_defined_class_shows_its_own_name():
    assert repr(Mine(["a"])) == "<Mine of 1 resource: 'a'; offset=0>"
    assert repr(pm.RoundRobin(["a"]).with_options(timeout=1)) == (
        "<RoundRobin of 1 resource: 'a'; offset=0>.with_options(timeout=1)"
    )


def test_an_explanation_distinguishes_resources_with_the_same_repr():
    policy = pm.DynamicLoad([pm.Arena(1), "b", pm.Arena(1)], offset=2)
    text = str(policy.run(abs, 1).explain())
    assert text.startswith("DynamicLoad chose Arena(concurrency=1) (number 3 of 3): it had")
    assert "others: Arena(concurrency=1) (number 1 of 3): idle; 'b': left out" in text


@pytest.mark.parametrize("policy_class", [pm.DynamicLoad, pm.AutoTune])
def test_resources_with_different_reprs_are_shown_by_name_only(policy_class: Any):
    assert "number" not in str(policy_class(["a", "b"]).submit(lambda r: 1).explain())


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 ns"),
        (403.4e-9, "403 ns"),
        (999.6e-9, "1 µs"),
        (0.0012, "1.2 ms"),
        (0.9996, "1 s"),
        (86_400.0, "86400 s"),
    ],
)
def test_a_duration_has_three_digits_and_a_unit_as_in_cpp(seconds: float, text: str):
    assert text_of_time(seconds) == text
