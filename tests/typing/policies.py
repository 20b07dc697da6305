# SPDX-License-Identifier: Apache-2.0
"""A user's program, as mypy --strict sees it: policies, backends and submissions. Never run."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from typing_extensions import assert_type

import pointsman as pm


class Cheapest(pm.PolicyBase):
    def try_select(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return min(self.statistics(), key=lambda entry: entry.mean_elapsed or 0.0).resource


class Remote(pm.Backend):
    def submit(
        self, selection: pm.Placement, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Any:
        returned = work(selection.unwrap(), *args, **kwargs)
        selection.report("task_time", 0.5)
        return returned

    def reports(self, resource: Any) -> Collection[str]:
        return ("task_submission", "task_completion")


def work(resource: pm.Arena, x: int) -> pm.ArenaTask:
    return resource.run(pow, x, 2)


def use_every_policy() -> None:
    resources = [pm.Arena(1), pm.Arena(1)]
    backend = Remote(resources)
    for policy in (
        pm.FixedResource(resources, index=1),
        pm.RoundRobin(resources, offset=1),
        pm.DynamicLoad(backend=backend),
        pm.AutoTune(resources, resample_time=1.5),
        pm.EarliestFinish(resources),
        pm.Token(tokens=3, backend=backend),
        pm.WeightedRoundRobin(resources, [1, 2]),
        pm.Random(resources, seed=1),
        Cheapest(backend=backend),
        pm.ScoredPolicy(lambda stats, x: stats.load * x, resources),
    ):
        assert_type(pm.submit(policy, work, 3), pm.Submission)
        assert_type(pm.try_submit(policy, work, 3), pm.Submission | None)
        assert_type(pm.get_resources(policy), list[Any])


def look_at_a_policy() -> None:
    policy = Cheapest(pm.deferred_initialization)
    policy.initialize(pm.discover())
    assert_type(policy.loads(), list[int])
    assert_type(policy.submit(work, 3).done(), bool)
    statistics = policy.statistics()
    assert_type(statistics, pm.PolicyStatistics)
    assert_type(statistics[0], pm.ResourceStatistics)
    assert_type(statistics[0].median_elapsed, float | None)
    assert_type(statistics.kinds[0].best, int | None)
    policy.submission_group().wait()
    try:
        policy.submit_and_wait(work, 3)
    except pm.Error as error:
        raise SystemExit(str(error)) from None


def mistakes() -> None:
    pm.DynamicLoad(3)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pm.RoundRobin([1], backend=[2])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    pm.submit([1], work)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    pm.ScoredPolicy(3, [1])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
