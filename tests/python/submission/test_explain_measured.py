# SPDX-License-Identifier: Apache-2.0
"""explain of AutoTune and EarliestFinish: what was known at the choice, whatever happened since."""

from __future__ import annotations

import random
import threading
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm

pytestmark = pytest.mark.parametrize("policy_class", [pm.AutoTune, pm.EarliestFinish])


def spin(cost: int) -> None:
    for _ in range(cost):
        pass


def settled(policy_class: Any, resources: list[int]) -> Any:
    """A policy that has measured spin on the first eight resources, even if it was interrupted."""
    policy = policy_class(resources)
    for _ in range(20):
        policy.submit(spin)
    for _ in range(20_000):
        if all(c.score is not None for c in policy.submit(spin).explain().candidates[:8]):
            return policy
    raise AssertionError("20,000 submissions did not measure each resource")


def test_the_known_times_are_shown(policy_class: Any):
    explanation = settled(policy_class, [20_000, 10]).submit(spin).explain()
    slow, fast = explanation.candidates
    assert slow.score > fast.score > 0
    assert explanation.unit == "seconds"
    units = (" ns", " µs", " ms", " s")
    assert fast.state.startswith("about ")
    assert fast.state.endswith(units)
    assert slow.state.endswith(units)
    assert explanation.reason.endswith(f", {fast.state}")


def test_the_first_choice_knows_no_times(policy_class: Any):
    explanation = policy_class([20_000, 10]).submit(spin).explain()
    assert "not all resources are known yet" in explanation.reason
    assert [c.state for c in explanation.candidates] == ["not measured yet"] * 2


def test_later_measurements_do_not_change_an_explanation(policy_class: Any):
    policy = policy_class([20_000, 10])
    submission = policy.submit(spin)
    before = submission.explain()
    for _ in range(50):
        policy.submit(spin)
    assert submission.explain() == before


def test_an_explanation_outlives_what_was_learnt(policy_class: Any):
    policy = settled(policy_class, [20_000, 10])
    submission = policy.submit(spin)
    before = submission.explain()
    for size in range(1_100):  # more kinds of task than a policy keeps
        policy.submit(pm.task(spin, name=f"{size}"))
    assert submission.explain() == before


def test_the_reason_outlives_the_resources(policy_class: Any):
    policy = settled(policy_class, [20_000, 10])
    submission = policy.submit(spin)
    reason = submission.explain().reason
    policy.initialize([1, 2, 3])
    explanation = submission.explain()
    assert explanation.reason == f"{reason}; its resources were replaced since"
    assert explanation.candidates == ()


def test_a_new_set_with_the_same_resource_is_not_mistaken_for_the_old_one(policy_class: Any):
    policy = settled(policy_class, [20_000, 10])
    submission = policy.submit(spin)
    policy.initialize([10, 10, 10])
    assert submission.explain().candidates == ()


def test_submissions_of_a_selection_are_explained_by_its_choice(policy_class: Any):
    policy = settled(policy_class, [20_000, 10])
    selection = policy.select(spin)
    for _ in range(20):
        policy.submit(lambda resource: None)
    explanation = selection.submit(spin).explain()
    assert [c.is_chosen for c in explanation.candidates] == [False, True]
    assert explanation.candidates[1].state.startswith("about ")


def test_only_the_times_of_the_first_resources_are_shown(policy_class: Any):
    candidates = settled(policy_class, [10] * 12).submit(spin).explain().candidates
    assert all(c.score is not None for c in candidates[:8])
    assert [(c.score, c.state) for c in candidates[8:]] == [(None, "not looked at")] * 4


def test_a_resource_that_fails_is_shown_as_left_out(policy_class: Any):
    def work(resource: str) -> None:
        if resource == "broken":
            raise OSError("broken")

    policy = policy_class(["broken", "sound"])
    for _ in range(50):
        try:
            last = policy.submit(work)
        except OSError:
            pass
    assert last.explain().candidates[0].state == "left out, as it failed"


def test_the_lowest_score_is_the_chosen_one_while_costs_and_loads_change(policy_class: Any):
    seed = random.randrange(1 << 32)
    policy = policy_class([1, 2, 3, 5])
    explained: list[pm.Explanation] = []

    def submit_all(thread: int) -> None:
        rng = random.Random(seed + thread)
        outstanding: list[Future[None]] = []

        def work(factor: int) -> Future[None] | None:
            spin(factor * rng.randrange(1, 60))
            if rng.random() < 0.8:
                return None
            outstanding.append(Future())
            return outstanding[-1]

        submissions = []
        for _ in range(400):
            submissions.append(policy.submit(work))
            if len(outstanding) > 4:
                outstanding.pop(rng.randrange(4)).set_result(None)
        for each in outstanding:
            each.set_result(None)
        explained.extend(each.explain() for each in submissions)

    threads = [threading.Thread(target=submit_all, args=(i,)) for i in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    compared = [e for e in explained if "fastest" in e.reason or "end first" in e.reason]
    for explanation in compared:
        chosen = next(c for c in explanation.candidates if c.is_chosen)
        known = [c.score for c in explanation.candidates if c.score is not None]
        assert chosen.score == min(known), f"{explanation}, seed {seed}"
    assert len(compared) > 100
