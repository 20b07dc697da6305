# SPDX-License-Identifier: Apache-2.0
"""Fake resources and clocks, controlled by a test."""

from __future__ import annotations

from typing import Any

import pytest

import pointsman as pm
from pointsman.testing import FakeBackend, FakeResource, ManualClock


def test_a_clock_stands_still_until_it_is_advanced():
    clock = ManualClock(start=5.0)
    assert clock.now() == 5.0
    clock.advance(2.5)
    assert clock.now() == 7.5


def test_a_clock_makes_calls_in_the_order_of_their_times():
    clock = ManualClock()
    made: list[tuple[str, float]] = []
    clock.call_at(2.0, lambda: made.append(("second", clock.now())))
    clock.call_at(1.0, lambda: made.append(("first", clock.now())))
    clock.call_at(9.0, lambda: made.append(("later", clock.now())))
    clock.advance(3.0)
    assert made == [("first", 1.0), ("second", 2.0)]


@pytest.mark.parametrize("seconds", [-1.0, float("nan")])
def test_a_clock_does_not_run_backwards(seconds: float):
    with pytest.raises(pm.InvalidOptionError, match="seconds is"):
        ManualClock().advance(seconds)


def test_work_on_a_fake_resource_ends_when_the_test_ends_it():
    left, right = FakeResource("left"), FakeResource("right")
    policy = pm.DynamicLoad([left, right])
    submissions = [policy.submit(lambda resource: resource.start()) for _ in range(3)]
    assert policy.loads() == [2, 1]
    assert [len(left.outstanding), len(right.outstanding)] == [2, 1]
    left.finish(7)
    assert submissions[0].result() == 7
    assert policy.loads() == [1, 1]
    right.fail(OSError("down"))
    with pytest.raises(OSError, match="down"):
        submissions[1].result()
    left.finish()
    assert policy.loads() == [0, 0]
    assert repr(left) == "<FakeResource left>"


def test_timed_work_ends_on_the_clock_one_after_another():
    clock = ManualClock()
    resource = FakeResource("timed", clock)
    first = resource.start("a", seconds=2.0)
    second = resource.start(seconds=1.0, error=OSError("late"))
    clock.advance(2.0)
    assert first.result() == "a"
    assert not second.done()
    clock.advance(1.0)
    assert isinstance(second.exception(), OSError)


def test_a_policy_learns_the_times_of_the_clock():
    clock = ManualClock()
    slow, fast = FakeResource("slow", clock), FakeResource("fast", clock)
    policy = pm.AutoTune(backend=FakeBackend([slow, fast]))

    def work(resource: Any) -> Any:
        return resource.start(seconds=2.0 if resource is slow else 1.0)

    chosen = []
    for _ in range(20):
        submission = policy.submit(work)
        clock.advance(2.0)
        chosen.append(submission.resource)
    assert set(chosen[4:]) == {fast}


def test_fakes_without_a_clock_say_what_they_need():
    with pytest.raises(pm.InvalidOptionError, match="has no clock .*ManualClock"):
        FakeResource().start(seconds=1.0)
    with pytest.raises(pm.InvalidOptionError, match="has no clock: make it with a ManualClock"):
        FakeBackend([FakeResource()])
