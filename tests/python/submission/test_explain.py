# SPDX-License-Identifier: Apache-2.0
"""explain: why the policy chose the resource of a submission."""

from __future__ import annotations

import gc
import threading
import weakref
from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


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


def test_round_robin_says_whose_turn_it_was():
    policy = pm.RoundRobin(["a", "b"])
    policy.submit(work)
    assert str(policy.submit(work).explain()) == (
        "RoundRobin chose 'b': it was the turn of number 2 of 2"
    )


@pytest.mark.parametrize("policy", [pm.DynamicLoad(["a", "b"]), pm.Token(["a", "b"], tokens=9)])
def test_load_policies_show_the_loads_at_the_moment_of_the_choice(policy: Any):
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


def test_a_load_that_fell_after_the_choice_does_not_contradict_it():
    policy = pm.DynamicLoad(["a", "b"])
    selections = [policy.select() for _ in range(4)]
    on_a, on_b = ([s for s in selections if s.resource == name] for name in ("a", "b"))
    selections.clear()
    del on_a[0]
    assert policy.loads() == [1, 2]

    class Meddling:
        """Ends other work when it is asked for its resources, which is after the choice."""

        def __call__(self, resource: str) -> str:
            return resource

        def __pointsman_refusal__(self, resource: str) -> None:
            on_b.clear()

    explanation = policy.submit(Meddling()).explain()
    assert [(c.score, c.state) for c in explanation.candidates] == [
        (1, "1 outstanding"),
        (None, "changed since the choice"),
    ]


def test_only_the_loads_of_the_first_resources_are_shown():
    explanation = pm.DynamicLoad(range(20), offset=3).submit(work).explain()
    assert [c.score for c in explanation.candidates] == [0] * 8 + [None] * 12
    assert explanation.candidates[10].state == "not looked at"


def test_a_choice_among_resources_that_were_replaced_says_so():
    policy = pm.DynamicLoad(["a", "b"])
    submission = policy.submit(work)
    policy.initialize(["c"])
    assert submission.explain().reason == "its resources were replaced since"
    assert submission.explain().resource == "a"


def test_resources_that_cannot_run_a_function_are_shown_as_left_out(policy_class: Any):
    suitable = {"index": 1} if policy_class is pm.FixedResource else {}
    policy = policy_class(["a", pm.Arena(1)], **suitable)
    for _ in range(4):
        explanation = policy.run(spin, 1).explain()
        left_out, chosen = explanation.candidates
        assert (left_out.state, left_out.score) == ("left out, as it cannot run functions", None)
        assert chosen.is_chosen
        assert "(others: 'a': left out, as it cannot run functions)" in str(explanation)
        policy.submission_group().wait()
    called = policy.submit(lambda resource: 1).explain()
    assert "left out" not in str(called)


def test_resources_without_a_variant_are_shown_as_left_out(policy_class: Any):
    suitable = {"index": 1} if policy_class is pm.FixedResource else {}
    policy = policy_class([3, "b"], **suitable)
    for task in (pm.variants({str: work}), pm.task(pm.variants({str: work}), name="named")):
        for _ in range(4):
            explanation = policy.submit(task).explain()
            left_out, chosen = explanation.candidates
            assert (left_out.state, left_out.score) == (
                "left out, as there is no variant for it",
                None,
            )
            assert chosen.is_chosen
            assert "(others: 3: left out, as there is no variant for it)" in str(explanation)
    called = policy.submit(work, 1).explain()
    assert "left out" not in str(called)


def test_a_user_defined_rule_shows_resources_without_a_variant():
    class Last(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return self.get_resources()[-1]

    explanation = Last([3, "b"]).submit(pm.variants({str: work})).explain()
    assert str(explanation).endswith("(others: 3: left out, as there is no variant for it)")


def test_variants_in_a_cycle_with_their_submission_are_collected():
    def make() -> weakref.ref[Any]:
        kept: list[pm.Submission] = []
        variants = pm.variants({str: lambda resource: len(kept)})
        kept.append(pm.RoundRobin(["a"]).submit(variants))
        return weakref.ref(variants)

    observer = make()
    gc.collect()
    assert observer() is None


@pytest.mark.parametrize("policy_class", [pm.AutoTune, pm.EarliestFinish])
def test_excluded_resources_do_not_count_as_unknown(policy_class: Any):
    policy = policy_class(["a", pm.Arena(1)])
    only = pm.variants({pm.Arena: lambda arena: 1})
    for _ in range(8):
        policy.run(spin, 10).wait()
        policy.submit(only)
    assert "not all resources are known" not in policy.run(spin, 10).explain().reason
    assert "not all resources are known" not in policy.submit(only).explain().reason


def test_a_scored_policy_shows_the_scores():
    running: Future[int] = Future()
    policy = pm.ScoredPolicy(
        lambda stats, *_: None if stats.index == 2 else stats.load + stats.index / 4,
        ["a", "b", "c"],
    )
    policy.submit(lambda resource: running)
    explanation = policy.submit(work).explain()
    running.set_result(1)
    assert [(c.score, c.state) for c in explanation.candidates] == [
        (1.0, "score 1"),
        (0.25, "score 0.25"),
        (None, "not free"),
    ]
    assert explanation.unit == "score"
    assert str(explanation) == (
        "ScoredPolicy chose 'b': it had the lowest score, 0.25 "
        "(others: 'a': score 1; 'c': not free)"
    )


def test_a_scored_policy_shows_excluded_resources():
    policy = pm.ScoredPolicy(lambda stats, *_: 1, ["a", pm.Arena(1)])
    ran = policy.run(spin, 1).explain()
    assert ran.candidates[0].state == "left out, as it cannot run functions"
    assert ran.candidates[1].score == 1
    chosen = policy.submit(pm.variants({str: work})).explain()
    assert [c.state for c in chosen.candidates] == [
        "score 1",
        "left out, as there is no variant for it",
    ]


def test_a_user_defined_rule_is_named_with_the_outstanding_work():
    class Last(pm.PolicyBase):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return self.get_resources()[-1]

    policy = Last(["a", "b"])
    running: Future[int] = Future()
    policy.submit(lambda resource: running)
    explanation = policy.submit(work).explain()
    running.set_result(1)
    assert [(c.score, c.state) for c in explanation.candidates] == [
        (None, "idle"),
        (None, "1 outstanding"),
    ]
    assert explanation.unit is None
    assert str(explanation) == "Last chose 'b': its try_select returned it (others: 'a': idle)"


def test_a_class_derived_from_a_policy_is_explained_by_its_rule():
    class Mine(pm.RoundRobin):
        pass

    assert str(Mine(["a", "b"]).submit(work).explain()) == (
        "Mine chose 'a': it was the turn of number 1 of 2"
    )


def test_placements_of_a_user_defined_backend_are_explained_too(policy_class: Any):
    policy = policy_class(backend=pm.Backend(["a", "b"]))
    for _ in range(4):
        explanation = policy.submit(work).explain()
        assert [c.resource for c in explanation.candidates if c.is_chosen] == [explanation.resource]


def fail() -> None:
    raise LookupError("mine")


def ended_in(state: str) -> list[pm.Submission]:
    arenas = pm.RoundRobin([pm.Arena(1)])
    gate = threading.Event()
    busy = arenas.run(gate.wait)
    call = arenas.run(fail if state == "failed" else int)
    future: Future[int] = Future()
    submissions = [call, arenas.submit(lambda resource: future)]
    assert [s.explain().state for s in submissions] == ["pending", "pending"]
    if state == "cancelled":
        assert all(s.cancel() for s in submissions)
    elif state == "failed":
        future.set_exception(LookupError("mine"))
        submissions.append(arenas.submit(lambda resource: FailsInItsWait()))
    else:
        future.set_result(1)
        submissions.append(arenas.submit(work))
    gate.set()
    for submission in [busy, *submissions]:
        submission.wait()
    return submissions


class FailsInItsWait:
    """Work that has only a wait(), which raises."""

    def wait(self) -> None:
        raise LookupError("mine")


@pytest.mark.parametrize("state", ["done", "failed", "cancelled"])
def test_work_shows_how_it_ended(state: str):
    for submission in ended_in(state):
        assert repr(submission) == f"<Submission {state} on {submission.resource!r}>"
        assert f"<td>{state}</td>" in submission._repr_html_()
        explanation = submission.explain()
        assert explanation.state == state
        end = {"failed": "; the work failed", "cancelled": "; the work was cancelled"}.get(
            state, ""
        )
        assert str(explanation).endswith(f"number 1 of 1{end}")


def test_calls_of_run_and_selections_are_explained_too():
    policy = pm.DynamicLoad([pm.Arena(1)])
    assert policy.run(spin, 1).explain().candidates[0].is_chosen
    assert policy.select(work).submit(work).explain().candidates[0].is_chosen
