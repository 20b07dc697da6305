# SPDX-License-Identifier: Apache-2.0
"""``pm.Policy`` and the type arguments of classes, at run time."""

from __future__ import annotations

import types
from concurrent.futures import ThreadPoolExecutor
from typing import Any, get_args, get_origin

import pytest

import pointsman as pm

PROVIDED = [
    pm.AutoTune,
    pm.DynamicLoad,
    pm.EarliestFinish,
    pm.FixedResource,
    pm.Random,
    pm.RoundRobin,
    pm.Token,
    pm.WeightedRoundRobin,
]


class First(pm.PolicyBase[str]):
    def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self.get_resources()[0]


def scored(resources: list[str]) -> pm.Policy[str]:
    return pm.ScoredPolicy(lambda statistics: statistics.load, resources)


def limited(resources: list[str]) -> pm.Policy[str]:
    return pm.Token(resources).with_options(timeout=1)


class Twice:
    """A policy that has nothing of the package's but the verbs."""

    def __init__(self, policy: pm.Policy) -> None:
        for name in dir(policy):
            if not name.startswith("_"):
                setattr(self, name, getattr(policy, name))


def name_of(case: Any) -> str:
    return case.__name__


@pytest.mark.parametrize("make", [*PROVIDED, First, scored, limited], ids=name_of)
def test_every_policy_is_an_instance_of_the_protocol(make):
    assert isinstance(make(["a", "b"]), pm.Policy)


def test_an_uninitialised_policy_is_one_too():
    assert isinstance(pm.RoundRobin(pm.deferred_initialization), pm.Policy)


def test_an_object_with_all_verbs_needs_no_registration():
    assert isinstance(Twice(pm.RoundRobin(["a"])), pm.Policy)


def test_an_object_that_lacks_one_verb_is_no_policy():
    incomplete = Twice(pm.RoundRobin(["a"]))
    del incomplete.run_async
    assert not isinstance(incomplete, pm.Policy)


@pytest.mark.parametrize("other", [["a"], pm.seq, pm.auto, pm.Arena(1)], ids=repr)
def test_other_objects_are_no_policies(other):
    assert not isinstance(other, pm.Policy)


def test_executors_are_no_policies():
    with ThreadPoolExecutor(1) as pool, pm.RoundRobin(["a"]).as_executor() as executor:
        assert not isinstance(pool, pm.Policy)
        assert not isinstance(executor, pm.Policy)


@pytest.mark.parametrize(
    "cls",
    [*PROVIDED, pm.PolicyBase, pm.ScoredPolicy, pm.Selection, pm.Submission, pm.ArenaTask, First],
    ids=name_of,
)
def test_a_class_takes_a_type_argument(cls):
    alias = cls[pm.Arena]
    assert isinstance(alias, types.GenericAlias)
    assert (get_origin(alias), get_args(alias)) == (cls, (pm.Arena,))


def test_an_event_takes_a_type_argument():
    if not hasattr(pm.opencl.Event, "wait"):
        pytest.skip("built without OpenCL")
    assert get_args(pm.opencl.Event[int]) == (int,)


def test_the_protocol_takes_a_type_argument():
    assert get_args(pm.Policy[pm.Arena]) == (pm.Arena,)


@pytest.mark.parametrize("cls", PROVIDED, ids=name_of)
def test_a_class_with_a_type_argument_makes_a_policy(cls):
    policy = cls[str](["a"])
    assert type(policy) is cls
    assert policy.submit_and_wait(lambda resource: resource) == "a"


def test_a_policy_based_on_a_class_with_a_type_argument_chooses():
    assert First.__mro__[1] is pm.PolicyBase
    assert First(["a", "b"]).submit_and_wait(lambda resource: resource) == "a"


def test_a_subclass_of_a_provided_policy_can_name_its_resources():
    class Rotating(pm.RoundRobin[str]):
        pass

    policy = Rotating(["a", "b"])
    assert isinstance(policy, pm.RoundRobin)
    assert policy.submit_and_wait(lambda resource: resource) == "a"
