# SPDX-License-Identifier: Apache-2.0
"""What policies that measure keep of resources when their set is replaced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import pointsman as pm

pytestmark = pytest.mark.parametrize("policy_class", [pm.AutoTune, pm.EarliestFinish])


@dataclass(frozen=True)
class Device:
    """Equal to others of the same name."""

    name: str


def work(_: Any) -> None:
    """The task; its times are invented."""


def place(policy: Any, seconds: float) -> None:
    for _ in range(10):
        selection = policy.select(work)
        selection.report("task_submission")
        selection.report("task_time", seconds)
        selection.report("task_completion")


def test_equal_objects_count_as_the_same_resource(policy_class):
    policy = policy_class([Device("a")])
    place(policy, 2.0)
    policy.initialize([Device("b"), Device("a")])
    assert policy.estimates(work) == [None, 2.0]


def test_objects_that_cannot_be_compared_count_as_new_resources(policy_class):
    class Strange:
        def __eq__(self, other: object) -> bool:
            raise ValueError("not comparable")

    policy = policy_class([Strange()])
    place(policy, 2.0)
    policy.initialize([Strange()])
    assert policy.estimates(work) == [None]


def test_a_resource_with_another_share_of_its_hardware_counts_as_new(policy_class):
    class Part:
        def __init__(self) -> None:
            self.domain = pm.Domain(capacity=4.0, threads_each=4.0)

    part = Part()
    policy = policy_class([part])
    place(policy, 2.0)
    part.domain = pm.Domain(capacity=4.0, threads_each=1.0)
    policy.initialize([part])
    assert policy.estimates(work) == [None]
