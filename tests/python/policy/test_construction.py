# SPDX-License-Identifier: Apache-2.0
"""Constructors and timeouts refuse invalid arguments, and say what they take."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import pointsman as pm


class Plain(pm.PolicyBase):
    def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self.get_resources()[0]


class Misreports(pm.Backend):
    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        selection.report("task_time", "2 s")  # type: ignore[arg-type]


CALLS: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: pm.RoundRobin(resource=[1]),
        "RoundRobin() got an unexpected keyword argument 'resource': its signature is "
        "RoundRobin(resources=None, offset=0, *, backend=None, health=None)",
    ),
    (
        lambda: pm.FixedResource([1], index="a"),
        "FixedResource(): index is 'a': pass an int, the position of a resource",
    ),
    (lambda: pm.DynamicLoad([1], None), "DynamicLoad(): offset is None: pass an int"),
    (lambda: pm.Token([1], tokens=1.5), "Token(): tokens is 1.5: pass an int"),
    (
        lambda: pm.AutoTune([1], resample_time="1 s"),
        "AutoTune(): resample_time is '1 s': pass a number of seconds",
    ),
    (
        lambda: pm.WeightedRoundRobin([1], weights=3),
        "WeightedRoundRobin(): weights is 3: pass a sequence of ints",
    ),
    (lambda: pm.Random([1], seed="x"), "Random(): seed is 'x': pass an int from 0"),
    (
        lambda: pm.RoundRobin([1], 0, None),
        "RoundRobin() takes at most 2 arguments by position, but 3 were given",
    ),
    (
        lambda: pm.RoundRobin([1], resources=[1]),
        "RoundRobin() got multiple values for argument 'resources'",
    ),
    (
        lambda: pm.RoundRobin([1]).initialize([1], index=0),
        "initialize() got an unexpected keyword argument 'index': its signature is "
        "initialize(resources=None, offset=0, *, backend=None, health=None)",
    ),
    (
        lambda: pm.RoundRobin(pm.deferred_initialization, 1),
        "RoundRobin() got offset beside deferred_initialization: pass it to initialize()",
    ),
    (
        lambda: pm.Arena("two"),
        "Arena(): concurrency is 'two': pass an int, the number of threads, or None",
    ),
    (lambda: pm.Arena(numa="x"), "Arena() got an unexpected keyword argument 'numa'"),
    (
        lambda: pm.RoundRobin(pm.Arena(1)),
        "resources is Arena(concurrency=1), which is not iterable: pass a list",
    ),
    (
        lambda: Plain(["a"]).initialize(["a"], offset=1),
        "initialize() got an unexpected keyword argument 'offset': its signature is "
        "initialize(resources=None, *, backend=None, health=None)",
    ),
    (
        lambda: pm.RoundRobin(["a"]).select().report(3),
        "report(): info is 3: pass a str, the name of an event",
    ),
    (
        lambda: pm.RoundRobin(["a"]).select().report("task_time", "2 s"),
        "report(): seconds is '2 s': pass a number of seconds",
    ),
    (
        lambda: pm.RoundRobin(["a"]).select().report(),
        "report() misses the argument 'info': its signature is report(info, seconds=None)",
    ),
    (
        lambda: pm.RoundRobin(backend=Misreports(["a"])).submit(abs),
        "report(): value is '2 s': pass a number of seconds",
    ),
    (lambda: pm.ScoredPolicy(["a"]), "score is ['a']: pass a callable"),
]


@pytest.mark.parametrize(("call", "text"), CALLS, ids=[text[:40] for _, text in CALLS])
def test_a_wrong_constructor_argument_is_a_type_error_that_names_it(
    call: Callable[[], Any], text: str
):
    with pytest.raises(TypeError, match=re.escape(text)):
        call()


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_an_integer_out_of_range_is_a_value_error(seed: int):
    with pytest.raises(pm.InvalidOptionError, match=f"seed is {seed}: pass an int from 0 to"):
        pm.Random([1], seed=seed)


def test_an_empty_set_is_refused_in_python_terms(policy_class: Any):
    with pytest.raises(pm.EmptyResourceSetError, match=r"pointsman\.discover\(\)") as caught:
        policy_class([])
    assert "default_universe" not in str(caught.value)


def test_numpy_numbers_are_valid_options():
    numpy = pytest.importorskip("numpy")
    assert pm.FixedResource(["a", "b"], numpy.int64(1)).submit(lambda r: r).result() == "b"
    pm.AutoTune(["a"], resample_time=numpy.float32(2))
    pm.WeightedRoundRobin(["a", "b"], numpy.array([1, 2]))


def test_a_constructor_takes_its_arguments_by_keyword():
    assert pm.FixedResource(index=1, resources=["a", "b"]).submit(lambda r: r).result() == "b"
    assert pm.Arena(concurrency=1, numa_node=None).concurrency == 1


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
def test_an_invalid_timeout_is_a_value_error_that_names_it(wait: Any, timeout: float):
    policy = pm.RoundRobin([pm.Arena(1)])
    with pytest.raises(pm.InvalidOptionError, match=f"timeout is {timeout}: pass a number of sec"):
        wait(policy, timeout)


@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS.keys())
def test_a_timeout_that_is_not_a_number_is_a_type_error(wait: Any):
    policy = pm.RoundRobin([pm.Arena(1)])
    with pytest.raises(TypeError, match="timeout is '1 s': pass a number of seconds from 0"):
        wait(policy, "1 s")


@pytest.mark.parametrize(("score", "error"), [(float("nan"), ValueError), ("low", TypeError)])
def test_a_score_that_cannot_be_compared_is_refused_with_its_value(score: Any, error: Any):
    policy = pm.ScoredPolicy(lambda stats: score, ["a"])
    with pytest.raises(error, match=f"the score of 'a' is {score!r}: return a number"):
        policy.submit(lambda resource: resource)
    assert policy.loads() == [0]


def test_any_real_number_is_a_score():
    numpy = pytest.importorskip("numpy")
    scores = {"a": 10**400, "b": 0.5, "c": float("inf"), "d": None, "e": numpy.float32(0.75)}
    policy = pm.ScoredPolicy(lambda stats: scores[stats.resource], scores)
    assert policy.submit(lambda resource: resource).result() == "b"


@pytest.mark.parametrize("text", ["cpu", b"cpu", bytearray(b"cpu")], ids=lambda v: type(v).__name__)
def test_a_string_instead_of_a_list_is_refused(policy_class: Any, text: Any):
    expected = re.escape(f"resources is {text!r}, each character of which would be a resource")
    remedy = re.escape(f"pass [{text!r}] for a single resource")
    for call in (
        lambda: policy_class(text),
        lambda: policy_class(["a"]).initialize(text),
        lambda: pm.Backend(text),
    ):
        with pytest.raises(TypeError, match=f"{expected}.*{remedy}"):
            call()
    assert policy_class([text]).get_resources() == [text]


@pytest.mark.parametrize("candidates", ["seq", [pm.seq, "par"]], ids=["string", "in a list"])
def test_an_auto_policy_refuses_strings(candidates: Any):
    with pytest.raises(TypeError, match="is no candidate: pass a host policy, such as pm.par"):
        pm.AutoPolicy(candidates)


def test_a_class_that_does_not_call_its_base_is_refused_with_what_to_write(policy_class: Any):
    class Forgetful(policy_class):  # type: ignore[misc]
        def __init__(self) -> None:
            pass

    expected = r"Forgetful\.__init__\(\) did not call .*write super\(\)\.__init__\(resources\)"
    with pytest.raises(TypeError, match=expected):
        Forgetful()
