# SPDX-License-Identifier: Apache-2.0
"""The selection rules, invalid construction, and what counts as the same task."""

from __future__ import annotations

import functools
import sys
from typing import Any

import pytest

import pointsman as pm


def which(resource: Any, *_: Any, **__: Any) -> Any:
    return resource


def choices(policy: Any, n: int, work: Any = which, *args: Any) -> list[Any]:
    return [policy.submit(work, *args).resource for _ in range(n)]


def test_fixed_resource_always_chooses_the_resource_at_its_index():
    assert choices(pm.FixedResource(["a", "b", "c"], 1), 5) == ["b"] * 5


def test_round_robin_returns_to_the_first_resource_after_the_last():
    assert choices(pm.RoundRobin(["a", "b", "c"]), 5) == ["a", "b", "c", "a", "b"]


def test_round_robin_begins_at_its_offset():
    assert choices(pm.RoundRobin(["a", "b", "c"], offset=2), 3) == ["c", "a", "b"]


def test_dynamic_load_avoids_a_busy_resource():
    from concurrent.futures import Future

    policy = pm.DynamicLoad(["a", "b"])
    running: Future[int] = Future()
    first = policy.submit(lambda resource: running)
    assert choices(policy, 3) == ["b", "b", "b"]
    assert policy.loads() == [1, 0]
    running.set_result(7)
    assert first.result() == 7
    assert policy.loads() == [0, 0]


def spin(cost: int) -> int:
    total = 0
    for i in range(cost):
        total += i
    return total


def test_auto_tune_uses_the_faster_resource_after_two_runs_on_each():
    policy = pm.AutoTune([300_000, 10])
    chosen = choices(policy, 40, spin)
    assert sorted(chosen[:4]) == [10, 10, 300_000, 300_000]
    assert set(chosen[4:]) == {10}


def test_auto_tune_learns_each_kind_of_task_separately():
    policy = pm.AutoTune([0, 1])
    slow_on_0 = {True: 200_000, False: 10}

    def first(resource: int) -> int:
        return spin(slow_on_0[resource == 0])

    def second(resource: int) -> int:
        return spin(slow_on_0[resource == 1])

    choices(policy, 4, first)
    choices(policy, 4, second)
    assert set(choices(policy, 10, first)) == {1}
    assert set(choices(policy, 10, second)) == {0}


def test_auto_tune_sees_the_code_through_partials_methods_and_decorators():
    policy = pm.AutoTune([200_000, 10])
    choices(policy, 4, spin)

    @functools.wraps(spin)
    def decorated(cost: int) -> int:
        return spin(cost)

    class Holder:
        method = staticmethod(spin)

    for same in (functools.partial(spin), decorated, Holder().method):
        assert choices(policy, 1, same) == [10], same


def test_auto_tune_uses_another_resource_for_large_arguments_than_for_small_ones():
    policy = pm.AutoTune([0, 1])

    def work(resource: int, n: int) -> int:
        return spin(n if resource == 0 else 100_000)

    for _ in range(20):
        policy.submit(work, 10)
        policy.submit(work, 1_000_000)
    assert choices(policy, 50, work, 11).count(0) >= 45
    assert choices(policy, 50, work, 1_000_001).count(1) >= 40


def test_random_repeats_itself_with_the_same_seed():
    first, again = (choices(pm.Random(["a", "b", "c"], seed=7), 50) for _ in range(2))
    assert first == again
    assert set(first) == {"a", "b", "c"}


def test_weighted_round_robin_spreads_the_turns_of_a_heavy_resource():
    policy = pm.WeightedRoundRobin(["a", "b", "c"], weights=[5, 1, 1])
    assert "".join(choices(policy, 14)) == "aabacaaaabacaa"


@pytest.mark.parametrize("weights", [[1], [0, 0], [-1, 2], [1, 65_536]])
def test_invalid_weights_are_refused(weights: list[int]):
    with pytest.raises(ValueError, match="pass ") as caught:
        pm.WeightedRoundRobin(["a", "b"], weights)
    assert isinstance(caught.value, pm.InvalidOptionError)


def test_earliest_finish_avoids_a_resource_with_long_work_before_it():
    from concurrent.futures import Future

    policy = pm.EarliestFinish(["a", "b"])

    def long(resource: str, running: list[Any]) -> Any:
        return running[0] or sum(range(10_000_000))  # far longer than what follows

    for _ in range(6):
        policy.submit(long, [None])
        policy.submit(which)
    future: Future[int] = Future()
    busy = policy.submit(long, [future])
    assert busy.resource not in choices(policy, 20)
    future.set_result(1)
    assert policy.loads() == [0, 0]


@pytest.mark.parametrize("place", ["run", "select"])
def test_earliest_finish_waits_for_first_results_without_the_gil(place: str):
    policy = pm.EarliestFinish([pm.Arena(1), pm.Arena(1)])
    completed: list[int] = []
    usual = sys.getswitchinterval()
    sys.setswitchinterval(60)  # the arenas get the GIL only if this thread releases it
    try:
        for number in range(2):
            policy.run(completed.append, number)
        getattr(policy, place)(completed.append, 2)  # waits for one of the results
        seen = len(completed)
    finally:
        sys.setswitchinterval(usual)
    assert seen > 0


def test_an_empty_set_is_refused_with_a_remedy(policy_class: Any):
    with pytest.raises(ValueError, match=r"empty \(size 0\): pass at least one") as caught:
        policy_class([])
    assert isinstance(caught.value, pm.EmptyResourceSetError)
    assert isinstance(caught.value, pm.Error)


@pytest.mark.parametrize("policy", [pm.FixedResource, pm.RoundRobin, pm.DynamicLoad])
@pytest.mark.parametrize("index", [2, 7, -1])
def test_an_index_outside_the_set_is_refused_with_value_and_remedy(policy: Any, index: int):
    with pytest.raises(IndexError, match=f"index {index} is outside a set of 2") as caught:
        policy([10, 20], index)
    assert isinstance(caught.value, pm.ResourceIndexError)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_an_impossible_resample_time_is_refused(seconds: float):
    with pytest.raises(ValueError, match="resample_time is") as caught:
        pm.AutoTune([1], resample_time=seconds)
    assert isinstance(caught.value, pm.InvalidOptionError)


def test_resources_that_are_not_iterable_are_a_type_error(policy_class: Any):
    with pytest.raises(TypeError, match="not iterable"):
        policy_class(3)


def test_a_deferred_policy_says_that_it_must_be_initialised(policy_class: Any):
    policy = policy_class(pm.deferred_initialization)
    for use in (
        lambda: policy.submit(which),
        lambda: policy.try_submit(which),
        lambda: policy.submit_and_wait(which),
        policy.get_resources,
        policy.submission_group,
    ):
        with pytest.raises(pm.NotInitializedError, match=r"call initialize\(\)"):
            use()
    policy.initialize(["a"])
    assert policy.submit(which).resource == "a"


def test_initialize_replaces_the_set(policy_class: Any):
    policy = policy_class(["a"])
    policy.initialize(["b", "c"])
    assert policy.get_resources() == ["b", "c"]
    with pytest.raises(pm.EmptyResourceSetError):
        policy.initialize([])
    assert policy.get_resources() == ["b", "c"]


def test_the_default_set_is_what_discover_finds(policy_class: Any):
    found = pm.discover()
    assert [type(r) for r in policy_class().get_resources()] == [type(r) for r in found]


def test_resources_are_the_very_objects_that_were_given():
    resources = [object(), object()]
    policy = pm.RoundRobin(iter(resources))
    assert all(a is b for a, b in zip(policy.get_resources(), resources, strict=True))
    assert policy.submit(which).unwrap() is resources[0]


def test_auto_tune_accepts_callables_that_claim_to_wrap_themselves():
    def work(resource: int) -> int:
        return resource

    work.__wrapped__ = work  # type: ignore[attr-defined]
    assert pm.AutoTune([3]).submit(work).result() == 3
