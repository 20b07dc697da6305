# SPDX-License-Identifier: Apache-2.0
"""Constructors and timeouts refuse what they cannot use, in words that say what they take."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import fairlead as fl


class Plain(fl.Policy):
    def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self.get_resources()[0]


class Misreports(fl.Backend):
    def submit(self, selection: fl.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        selection.report("task_time", "2 s")  # type: ignore[arg-type]


CALLS: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: fl.RoundRobin(resource=[1]),
        "RoundRobin() got an unexpected keyword argument 'resource': its signature is "
        "RoundRobin(resources=None, offset=0, *, backend=None)",
    ),
    (
        lambda: fl.FixedResource([1], index="a"),
        "FixedResource(): index is 'a': pass an int, the position of a resource",
    ),
    (lambda: fl.DynamicLoad([1], None), "DynamicLoad(): offset is None: pass an int"),
    (lambda: fl.Token([1], tokens=1.5), "Token(): tokens is 1.5: pass an int"),
    (
        lambda: fl.AutoTune([1], resample_time="1 s"),
        "AutoTune(): resample_time is '1 s': pass a number of seconds",
    ),
    (
        lambda: fl.WeightedRoundRobin([1], weights=3),
        "WeightedRoundRobin(): weights is 3: pass a sequence of ints",
    ),
    (lambda: fl.Random([1], seed="x"), "Random(): seed is 'x': pass an int from 0"),
    (
        lambda: fl.RoundRobin([1], 0, None),
        "RoundRobin() takes at most 2 arguments by position, but 3 were given",
    ),
    (
        lambda: fl.RoundRobin([1], resources=[1]),
        "RoundRobin() got multiple values for argument 'resources'",
    ),
    (
        lambda: fl.RoundRobin([1]).initialize([1], index=0),
        "initialize() got an unexpected keyword argument 'index': its signature is "
        "initialize(resources=None, offset=0, *, backend=None)",
    ),
    (
        lambda: fl.RoundRobin(fl.deferred_initialization, 1),
        "RoundRobin() got offset beside deferred_initialization: pass it to initialize()",
    ),
    (
        lambda: fl.Arena("two"),
        "Arena(): concurrency is 'two': pass an int, the number of threads, or None",
    ),
    (lambda: fl.Arena(numa="x"), "Arena() got an unexpected keyword argument 'numa'"),
    (
        lambda: fl.RoundRobin(fl.Arena(1)),
        "resources is Arena(concurrency=1), which is not iterable: pass a list",
    ),
    (
        lambda: Plain(["a"]).initialize(["a"], offset=1),
        "initialize() got an unexpected keyword argument 'offset': its signature is "
        "initialize(resources=None, *, backend=None)",
    ),
    (
        lambda: fl.RoundRobin(["a"]).select().report(3),
        "report(): info is 3: pass a str, the name of an event",
    ),
    (
        lambda: fl.RoundRobin(["a"]).select().report("task_time", "2 s"),
        "report(): seconds is '2 s': pass a number of seconds",
    ),
    (
        lambda: fl.RoundRobin(["a"]).select().report(),
        "report() misses the argument 'info': its signature is report(info, seconds=None)",
    ),
    (
        lambda: fl.RoundRobin(backend=Misreports(["a"])).submit(abs),
        "report(): value is '2 s': pass a number of seconds",
    ),
    (lambda: fl.ScoredPolicy(["a"]), "score is ['a']: pass a callable"),
]


@pytest.mark.parametrize(("call", "text"), CALLS, ids=[text[:40] for _, text in CALLS])
def test_what_a_constructor_cannot_take_is_a_type_error_that_names_it(
    call: Callable[[], Any], text: str
):
    with pytest.raises(TypeError, match=re.escape(text)):
        call()


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_an_integer_out_of_range_is_a_value_error(seed: int):
    with pytest.raises(fl.InvalidOptionError, match=f"seed is {seed}: pass an int from 0 to"):
        fl.Random([1], seed=seed)


def test_an_empty_set_is_refused_in_terms_of_python(policy_class: Any):
    with pytest.raises(fl.EmptyResourceSetError, match=r"fairlead\.discover\(\)") as caught:
        policy_class([])
    assert "default_universe" not in str(caught.value)


def test_numbers_of_numpy_are_options_too():
    numpy = pytest.importorskip("numpy")
    assert fl.FixedResource(["a", "b"], numpy.int64(1)).submit(lambda r: r).result() == "b"
    fl.AutoTune(["a"], resample_time=numpy.float32(2))
    fl.WeightedRoundRobin(["a", "b"], numpy.array([1, 2]))


def test_a_constructor_takes_its_arguments_by_keyword():
    assert fl.FixedResource(index=1, resources="ab").submit(lambda r: r).result() == "b"
    assert fl.Arena(concurrency=1, numa_node=None).concurrency == 1


WAITS: dict[str, Callable[[Any, Any], Any]] = {
    "with_options": lambda policy, timeout: policy.with_options(timeout=timeout),
    "map": lambda policy, timeout: policy.map(abs, [1], timeout=timeout),
    "wait": lambda policy, timeout: policy.run(abs, 1).wait(timeout),
    "result": lambda policy, timeout: policy.run(abs, 1).result(timeout=timeout),
    "result_of_a_value": lambda policy, timeout: policy.submit(lambda r: 1).result(timeout),
    "wait_for_a_value": lambda policy, timeout: policy.submit(lambda r: 1).wait(timeout),
    "group": lambda policy, timeout: policy.submission_group().wait(timeout),
    "task_wait": lambda policy, timeout: policy.get_resources()[0].run(abs, 1).wait(timeout),
    "task_result": lambda policy, timeout: policy.get_resources()[0].run(abs, 1).result(timeout),
}


@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS.keys())
@pytest.mark.parametrize("timeout", [-1, -0.5, float("nan")])
def test_a_timeout_that_is_no_time_is_a_value_error_that_names_it(wait: Any, timeout: float):
    policy = fl.RoundRobin([fl.Arena(1)])
    with pytest.raises(fl.InvalidOptionError, match=f"timeout is {timeout}: pass a number of sec"):
        wait(policy, timeout)


@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS.keys())
def test_a_timeout_that_is_no_number_is_a_type_error(wait: Any):
    policy = fl.RoundRobin([fl.Arena(1)])
    with pytest.raises(TypeError, match="timeout is '1 s': pass a number of seconds from 0"):
        wait(policy, "1 s")


@pytest.mark.parametrize(("score", "error"), [(float("nan"), ValueError), ("low", TypeError)])
def test_a_score_that_cannot_be_compared_is_refused_with_its_value(score: Any, error: Any):
    policy = fl.ScoredPolicy(lambda stats: score, ["a"])
    with pytest.raises(error, match=f"the score of 'a' is {score!r}: return a number"):
        policy.submit(lambda resource: resource)
    assert policy.loads() == [0]


def test_any_real_number_is_a_score():
    numpy = pytest.importorskip("numpy")
    scores = {"a": 10**400, "b": 0.5, "c": float("inf"), "d": None, "e": numpy.float32(0.75)}
    policy = fl.ScoredPolicy(lambda stats: scores[stats.resource], scores)
    assert policy.submit(lambda resource: resource).result() == "b"
