# SPDX-License-Identifier: Apache-2.0
"""The order of the demo's passes, and the names of its resources."""

from __future__ import annotations

import numpy as np
import pytest

import pointsman as pm

pytest.importorskip("PIL")

from pointsman.demo import _comparison, _race, _resources  # noqa: E402  (they need Pillow)
from pointsman.demo._photographs import Photograph  # noqa: E402

POLICIES = ["fixed", "round_robin", "dynamic_load", "auto_tune", "earliest_finish"]


@pytest.fixture
def resources() -> list[_resources.NamedResource]:
    return _resources.described([pm.Arena(1), pm.Arena(2)])


def test_each_round_begins_with_another_entry_and_learners_run_twice(
    resources: list[_resources.NamedResource],
) -> None:
    order: list[str] = []

    def one_pass(label: str, _choice: _comparison.Choice) -> _race.Pass:
        order.append(label)
        return _race.Pass([], 1.0)

    entries = _comparison.entries(["round_robin", "dynamic_load", "auto_tune"], resources, {})
    results = _comparison.run(entries, 2, one_pass)
    learner = ["auto_tune, learning", "auto_tune, learnt"]
    assert order[:4] == ["round_robin", "dynamic_load", *learner]
    assert order[4:] == ["dynamic_load", *learner, "round_robin"]
    assert [len(each.passes) for each in results] == [2] * 4


def test_every_round_learns_anew_and_the_second_pass_keeps_what_was_learnt(
    resources: list[_resources.NamedResource],
) -> None:
    (entry,) = _comparison.entries(["earliest_finish"], resources, {})
    photograph = Photograph("any", np.zeros((1, 1, 3), np.uint8))
    choice = entry.begin()
    assert choice(photograph) is choice(photograph)
    assert entry.begin()(photograph) is not choice(photograph)


def test_each_photograph_goes_to_the_resource_that_is_best_for_it(
    resources: list[_resources.NamedResource],
) -> None:
    entries = _comparison.entries(POLICIES, resources, {"a": 1, "b": 0})
    (entry,) = (each for each in entries if each.labels == (_comparison.BEST_FOR_EACH,))
    choice = entry.begin()
    for name, index in (("a", 1), ("b", 0)):
        policy = choice(Photograph(name, np.zeros((1, 1, 3), np.uint8)))
        submission = policy.submit(lambda arena: None)
        assert submission.resource is resources[index].resource


def test_resources_of_one_name_are_numbered_and_arenas_share_cores() -> None:
    first, second, wide = _resources.described([pm.Arena(1), pm.Arena(1), pm.Arena(2)])
    assert (first.name, second.name, wide.name) == ("arena of 1 #1", "arena of 1 #2", "arena of 2")
    assert _resources.shares(first, wide)
    own = _resources.described([pm.Arena(1)])[0]
    assert "shares" not in _resources.listing([own])
    assert "shares its cores with arena of 2" in _resources.listing([second, wide])
