# SPDX-License-Identifier: Apache-2.0
"""Tests of ``cache_affinity.py``: ``python -m pytest test_cache_affinity.py`` in this folder.

Fake resources and a manual clock decide when work ends and how long it took, so nothing sleeps. The
conformance suite adds the tests that every policy and every backend of pointsman passes.
"""

from __future__ import annotations

from typing import Any

from cache_affinity import Affinity, Billing

from pointsman.testing import FakeResource, ManualClock
from pointsman.testing.conformance import BackendConformance, PolicyConformance


def start(resource: FakeResource, key: str, seconds: float | None = None) -> Any:
    return resource.start(key, seconds=seconds)


class TestAffinity(PolicyConformance):
    policy_class = Affinity

    def test_sends_equal_keys_to_the_same_worker(self) -> None:
        policy = Affinity([FakeResource("left"), FakeResource("right")])
        submissions = [policy.submit(start, key) for key in ("ant", "bee", "ant", "bee")]
        chosen = [submission.resource.name for submission in submissions]
        assert chosen[:2] == chosen[2:]

    def test_chooses_another_worker_if_that_of_the_key_is_overloaded(self) -> None:
        policy = Affinity([FakeResource("left"), FakeResource("right")])
        for _ in range(5):
            policy.submit(start, "ant")
        assert sorted(policy.loads()) == [1, 4]


class TestBilling(BackendConformance):
    backend_class = Billing

    def test_counts_the_seconds_of_each_worker(self) -> None:
        clock = ManualClock()
        backend = Billing([FakeResource("left", clock), FakeResource("right", clock)], clock.now)
        policy = Affinity(backend=backend)
        worker = policy.submit(start, "ant", seconds=2.0).resource
        clock.advance(2.0)
        assert backend.seconds[str(worker)] == 2.0
        assert sum(backend.seconds.values()) == 2.0
