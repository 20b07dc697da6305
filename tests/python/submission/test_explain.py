# SPDX-License-Identifier: Apache-2.0
"""explain: why a submission went where it went."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest

import fairlead as fl


def work(resource: Any, *_: Any) -> Any:
    return resource


def spin(cost: int) -> None:
    for _ in range(cost):
        pass


def test_every_policy_explains_its_choice(policy_class: Any):
    policy = policy_class(["a", "b"])
    for _ in range(6):
        explanation = policy.submit(work).explain()
        assert explanation.policy == policy_class.__name__
        assert [c.resource for c in explanation.candidates] == ["a", "b"]
        chosen = [c.resource for c in explanation.candidates if c.is_chosen]
        assert chosen == [explanation.resource]
        assert str(explanation).startswith(
            f"{policy_class.__name__} chose {explanation.resource!r}: it"
        )


def test_round_robin_tells_whose_turn_it_was():
    policy = fl.RoundRobin(["a", "b"])
    policy.submit(work)
    assert str(policy.submit(work).explain()) == (
        "RoundRobin chose 'b': it was the turn of number 2 of 2"
    )


@pytest.mark.parametrize("policy", [fl.DynamicLoad(["a", "b"]), fl.Token(["a", "b"], tokens=9)])
def test_load_policies_tell_the_loads_at_the_moment_of_the_choice(policy: Any):
    running: Future[int] = Future()
    first = policy.submit(lambda resource: running)
    second = policy.submit(work)
    running.set_result(1)
    explanation = second.explain()
    assert [(c.score, c.state) for c in explanation.candidates] == [
        (1, "1 outstanding"),
        (0, "idle"),
    ]
    assert explanation.unit == "submissions"
    assert "'b': it had the fewest outstanding submissions (idle)" in str(explanation)
    assert "others: 'a': 1 outstanding" in str(explanation)
    assert [c.score for c in first.explain().candidates] == [0, 0]


def test_of_many_resources_the_loads_of_the_first_are_told():
    explanation = fl.DynamicLoad(range(20), offset=3).submit(work).explain()
    assert [c.score for c in explanation.candidates] == [0] * 8 + [None] * 12
    assert explanation.candidates[10].state == "not looked at"


@pytest.mark.parametrize("policy_class", [fl.AutoTune, fl.EarliestFinish])
def test_measuring_policies_tell_their_estimates(policy_class: Any):
    policy = policy_class([20_000, 10])
    first = policy.submit(spin)
    assert "not all resources are known yet" in first.explain().reason
    for _ in range(20):
        last = policy.submit(spin)
    explanation = last.explain()
    slow, fast = (c.score for c in explanation.candidates)
    assert slow is not None and fast is not None and slow > fast > 0
    assert explanation.unit == "seconds"
    assert explanation.candidates[1].state == f"about {fast:.3g} s"


def test_a_choice_among_resources_that_were_replaced_says_so():
    policy = fl.DynamicLoad(["a", "b"])
    submission = policy.submit(work)
    policy.initialize(["c"])
    assert submission.explain().reason == "its resources were replaced since"
    assert submission.explain().resource == "a"


def test_what_runs_and_what_was_selected_is_explained_too():
    policy = fl.DynamicLoad([fl.Arena(1)])
    assert policy.run(spin, 1).explain().candidates[0].is_chosen
    assert policy.select(work).submit(work).explain().candidates[0].is_chosen
