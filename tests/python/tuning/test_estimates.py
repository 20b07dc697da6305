# SPDX-License-Identifier: Apache-2.0
"""policy.estimates: the expected seconds of a task on each resource."""

from __future__ import annotations

from typing import Any

import pytest

import pointsman as pm

pytestmark = pytest.mark.parametrize("policy_class", [pm.AutoTune, pm.EarliestFinish])


class Timed(pm.Backend):
    """Reports an invented time, always the same for a resource."""

    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        selection.report("task_time", 1.0 if selection.resource == "a" else 2.0)
        return None


def spin(cost: int, *_: Any) -> None:
    for _ in range(cost):
        pass


def measured(policy_class: Any) -> Any:
    """A policy that knows both resources; a run that is interrupted may put off the next one."""
    policy = policy_class([3_000, 10])
    for _ in range(20_000):
        policy.submit(spin, range(1_000))
        if None not in policy.estimates(spin, range(1_000)):
            return policy
    raise AssertionError("20,000 submissions did not measure each resource")


def test_a_measured_kind_has_the_seconds_of_each_resource(policy_class: Any):
    slow, fast = measured(policy_class).estimates(spin, range(600))
    assert 1 > slow > fast > 0


def test_an_unknown_kind_has_no_estimates(policy_class: Any):
    policy = measured(policy_class)
    assert policy.estimates(spin, range(9)) == [None, None]
    assert policy.estimates(abs, range(1_000)) == [None, None]


def test_asking_makes_no_kind_known_and_calls_nothing(policy_class: Any):
    policy = policy_class(["a", "b"])
    policy.estimates(lambda resource: 1 / 0)
    assert policy._measured_kinds(9) == []
    assert policy.loads() == [0, 0]


def test_asking_changes_no_later_choice(policy_class: Any):
    policy = policy_class(backend=Timed(["a", "b"]))
    other = policy_class(backend=Timed(["a", "b"]))
    for _ in range(50):
        policy.estimates(abs)
        assert policy.submit(abs).resource == other.submit(abs).resource


def test_calls_of_run_are_of_the_same_kind(policy_class: Any):
    policy = policy_class([pm.Arena(1), pm.Arena(1)])
    for _ in range(6):
        policy.run(spin, 100).wait()
    assert any(policy.estimates(spin, 100))


def test_a_policy_with_options_has_the_estimates_of_its_policy(policy_class: Any):
    policy = measured(policy_class)
    with_options = policy.with_options(timeout=1)
    assert with_options.estimates(spin, range(1_000)) == policy.estimates(spin, range(1_000))


def test_it_needs_a_task(policy_class: Any):
    with pytest.raises(TypeError, match="pass the task, a callable and its arguments"):
        policy_class(["a"]).estimates()


def test_a_policy_without_resources_is_an_error(policy_class: Any):
    with pytest.raises(pm.NotInitializedError):
        policy_class(pm.deferred_initialization).estimates(spin)


def test_the_estimates_are_a_list_with_a_plain_repr(policy_class: Any):
    estimates = policy_class(["a", "b"]).estimates(spin)
    assert isinstance(estimates, list)
    assert repr(estimates) == "[None, None]"
