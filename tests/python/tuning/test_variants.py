# SPDX-License-Identifier: Apache-2.0
"""Variants: one implementation for each type of resource."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest

import pointsman as pm


class Cpu:
    def __repr__(self) -> str:
        return "cpu"


class Gpu:
    pass


class BigGpu(Gpu):
    pass


class Tpu:
    pass


def on_cpu(resource: Cpu, x: int) -> tuple[str, int]:
    return ("cpu", x)


def on_gpu(resource: Gpu, x: int) -> tuple[str, int]:
    return ("gpu", x)


both = pm.variants({Cpu: on_cpu, Gpu: on_gpu})


def test_the_implementation_for_the_chosen_resource_is_called(policy_class: Any):
    policy = policy_class([Cpu(), Gpu()])
    for _ in range(10):
        submission = policy.submit(both, 3)
        assert submission.result() == (type(submission.resource).__name__.lower(), 3)


def test_a_derived_resource_uses_the_implementation_of_its_nearest_base():
    policy = pm.RoundRobin([BigGpu()])
    assert policy.submit_and_wait(both, 1) == ("gpu", 1)
    nearest = pm.variants({Gpu: on_gpu, BigGpu: lambda resource, x: "big"})
    assert policy.submit_and_wait(nearest, 1) == "big"


def test_resources_without_an_implementation_are_skipped(policy_class: Any):
    suitable = {"index": 1} if policy_class is pm.FixedResource else {}
    policy = policy_class([Tpu(), Cpu(), Tpu(), Gpu()], **suitable)
    for _ in range(100):
        assert policy.submit(both, 3).result()[1] == 3
    assert policy.loads() == [0, 0, 0, 0]


@pytest.mark.parametrize("named", [pm.task(both, name="both"), pm.tuned(both)], ids=repr)
def test_a_task_over_variants_skips_the_same_resources(policy_class: Any, named: Any):
    suitable = {"index": 1} if policy_class is pm.FixedResource else {}
    policy = policy_class([Tpu(), Cpu()], **suitable)
    for _ in range(10):
        assert policy.submit_and_wait(named, 3) == ("cpu", 3)
    with pytest.raises(pm.UnsuitableResourcesError, match="no variant for"):
        policy_class([Tpu()]).submit(named, 3)


def test_work_outstanding_elsewhere_does_not_send_a_task_where_it_cannot_run():
    policy = pm.DynamicLoad([Tpu(), Cpu()])
    running: list[Future[int]] = [Future() for _ in range(50)]
    for future in running:
        policy.submit(pm.variants({Cpu: lambda resource, future=future: future}))
    assert policy.loads() == [0, 50]
    for future in running:
        future.set_result(1)
    assert policy.loads() == [0, 0]


def test_a_plain_task_may_still_use_every_resource():
    policy = pm.RoundRobin([Tpu(), Cpu()])
    policy.submit(both, 1)
    used = {type(policy.submit(lambda resource: 1).resource) for _ in range(2)}
    assert used == {Tpu, Cpu}


def test_no_suitable_resource_is_an_error_with_the_reason(policy_class: Any):
    policy = policy_class([Tpu()])
    for verb in (policy.submit, policy.try_submit, policy.submit_and_wait):
        with pytest.raises(RuntimeError, match=r"no variant for .*Tpu.*, only for Cpu, Gpu") as e:
            verb(both, 1)
        assert isinstance(e.value, pm.UnsuitableResourcesError)
    assert policy.loads() == [0]


def test_a_fixed_resource_without_an_implementation_is_an_error():
    with pytest.raises(pm.UnsuitableResourcesError, match="no variant for"):
        pm.FixedResource([Tpu(), Cpu()], 0).submit(both, 1)
    assert pm.FixedResource([Tpu(), Cpu()], 1).submit_and_wait(both, 1) == ("cpu", 1)


def test_a_token_policy_waits_for_a_suitable_resource():
    policy = pm.Token([Tpu(), Cpu()])
    future: Future[int] = Future()
    policy.submit(pm.variants({Cpu: lambda resource: future}))
    assert policy.try_submit(both, 1) is None
    assert policy.loads() == [0, 1]
    future.set_result(1)
    assert policy.submit_and_wait(both, 1) == ("cpu", 1)


def test_auto_tune_learns_which_implementation_is_faster():
    def slow(resource: Cpu, n: int) -> int:
        return sum(range(200_000))

    def fast(resource: Gpu, n: int) -> int:
        return n

    policy = pm.AutoTune([Tpu(), Cpu(), Gpu()])
    work = pm.variants({Cpu: slow, Gpu: fast})
    chosen = [type(policy.submit(work, 3).resource) for _ in range(40)]
    assert chosen[-20:] == [Gpu] * 20


def test_auto_tune_distinguishes_different_variants():
    policy = pm.AutoTune([Cpu(), Gpu()])

    def quick(resource: Any) -> int:
        return 1

    def slow(resource: Any) -> int:
        return sum(range(200_000))

    first = pm.variants({Cpu: quick, Gpu: slow})
    second = pm.variants({Cpu: slow, Gpu: quick})
    for _ in range(4):
        policy.submit(first)
        policy.submit(second)
    assert type(policy.submit(first).resource) is Cpu
    assert type(policy.submit(second).resource) is Gpu


def test_calling_variants_directly_needs_a_matching_resource():
    assert both(Cpu(), 2) == ("cpu", 2)
    with pytest.raises(pm.UnsuitableResourcesError, match="no variant for 3"):
        both(3, 2)
    assert repr(both) == "<variants for Cpu, Gpu>"


def test_variants_of_nothing_are_refused():
    with pytest.raises(pm.InvalidOptionError, match="no implementation"):
        pm.variants({})
    with pytest.raises(TypeError, match="pass a mapping from types of resources"):
        pm.variants(on_cpu)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="map a class to a callable"):
        pm.variants({"cpu": on_cpu})  # type: ignore[dict-item]
