# SPDX-License-Identifier: Apache-2.0
"""A user's program, as mypy --strict sees it: policies, backends and submissions. Never run."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from typing_extensions import assert_type

import fairlead as fl


class Cheapest(fl.Policy):
    def try_select(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return min(self.statistics(), key=lambda entry: entry.mean_elapsed or 0.0).resource


class Remote(fl.Backend):
    def submit(
        self, selection: fl.Placement, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Any:
        returned = work(selection.unwrap(), *args, **kwargs)
        selection.report("task_time", 0.5)
        return returned

    def reports(self, resource: Any) -> Collection[str]:
        return ("task_submission", "task_completion")


def work(resource: fl.Arena, x: int) -> fl.ArenaTask:
    return resource.run(pow, x, 2)


def use_every_policy() -> None:
    resources = [fl.Arena(1), fl.Arena(1)]
    backend = Remote(resources)
    for policy in (
        fl.FixedResource(resources, index=1),
        fl.RoundRobin(resources, offset=1),
        fl.DynamicLoad(backend=backend),
        fl.AutoTune(resources, resample_time=1.5),
        fl.EarliestFinish(resources),
        fl.Token(tokens=3, backend=backend),
        fl.WeightedRoundRobin(resources, [1, 2]),
        fl.Random(resources, seed=1),
        Cheapest(backend=backend),
        fl.ScoredPolicy(lambda stats, x: stats.load * x, resources),
    ):
        assert_type(fl.submit(policy, work, 3), fl.Submission)
        assert_type(fl.try_submit(policy, work, 3), fl.Submission | None)
        assert_type(fl.get_resources(policy), list[Any])


def look_at_a_policy() -> None:
    policy = Cheapest(fl.deferred_initialization)
    policy.initialize(fl.discover())
    assert_type(policy.loads(), list[int])
    assert_type(policy.submit(work, 3).done(), bool)
    entry = policy.statistics()[0]
    assert_type(entry, fl.ResourceStatistics)
    assert_type(entry.mean_elapsed, float | None)
    policy.submission_group().wait()
    try:
        policy.submit_and_wait(work, 3)
    except fl.Error as error:
        raise SystemExit(str(error)) from None


def mistakes() -> None:
    fl.DynamicLoad(3)  # type: ignore[arg-type]
    fl.RoundRobin([1], backend=[2])  # type: ignore[arg-type]
    fl.submit([1], work)  # type: ignore[arg-type]
    fl.ScoredPolicy(3, [1])  # type: ignore[arg-type]
