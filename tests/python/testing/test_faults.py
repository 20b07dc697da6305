# SPDX-License-Identifier: Apache-2.0
"""Resources that fail, hang, slow down or die by a script."""

from __future__ import annotations

from typing import Any

import pytest

import pointsman as pm
from pointsman.testing import Dies, Fails, FakeResource, Hangs, ManualClock, Slows, Works


def ends_of(resource: FakeResource, clock: ManualClock, number: int) -> list[Any]:
    """Starts pieces of work of 1 s one after another; returns when or how each ended."""
    ends: list[Any] = []
    for _ in range(number):
        begin = clock.now()
        work = resource.start(seconds=1.0)
        clock.advance(10.0)
        if not work.done():
            ends.append("hangs")
            resource.finish()
        elif work.exception() is not None:
            ends.append(work.exception())
        else:
            ends.append("works")
        assert clock.now() == begin + 10
    return ends


def test_a_script_is_followed_piece_by_piece():
    clock = ManualClock()
    error = OSError()
    resource = FakeResource("r", clock, script=[Works(2), Fails(error, 2), Hangs(), Works()])
    expected = ["works", "works", error, error, "hangs", "works", "works", "works"]
    assert ends_of(resource, clock, 8) == expected


def test_work_is_slowed_down():
    clock = ManualClock()
    resource = FakeResource("r", clock, script=[Slows(50)])
    slow = resource.start(seconds=1.0)
    clock.advance(49.9)
    assert not slow.done()
    clock.advance(0.1)
    assert slow.done()
    usual = resource.start(seconds=1.0)
    clock.advance(1.0)
    assert usual.done()


def test_a_dead_resource_raises_until_it_is_revived():
    error = ConnectionError("lost")
    resource = FakeResource("r", script=[Dies(error)])
    for _ in range(3):
        with pytest.raises(ConnectionError, match="lost"):
            resource.start()
    resource.revive()
    work = resource.start()
    resource.finish(7)
    assert work.result() == 7


def test_work_without_a_duration_fails_at_once():
    resource = FakeResource("r", script=[Fails(OSError("full"))])
    with pytest.raises(OSError, match="full"):
        resource.start().result(timeout=0)
    assert resource.outstanding == []


def test_a_count_below_one_is_refused():
    with pytest.raises(pm.InvalidOptionError, match="count is 0"):
        FakeResource("r", script=[Works(0)])


def test_a_policy_leaves_a_dead_resource_out_and_takes_it_back():
    lost = ConnectionError("lost")
    dead, sound = FakeResource("dead", script=[Dies(lost)]), FakeResource("sound")
    settings = pm.HealthSettings(
        failures=1, back_off=1e-6, is_resource_failure=lambda error: error is lost
    )
    policy = pm.RoundRobin([dead, sound], health=settings).with_options(on_failure="fallback")
    assert [policy.submit(lambda r: r.start()).resource for _ in range(4)] == [sound] * 4
    dead.revive()
    resources = {policy.submit(lambda r: r.start()).resource for _ in range(4)}
    assert resources == {dead, sound}
