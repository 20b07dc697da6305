# SPDX-License-Identifier: Apache-2.0
"""The conformance suite on every provided policy, on policies and on backends of a user's own."""

from __future__ import annotations

from typing import Any

import pointsman as pm
from pointsman.testing.conformance import BackendConformance, PolicyConformance


class TestFixedResource(PolicyConformance):
    policy_class = pm.FixedResource


class TestRoundRobin(PolicyConformance):
    policy_class = pm.RoundRobin


class TestDynamicLoad(PolicyConformance):
    policy_class = pm.DynamicLoad


class TestAutoTune(PolicyConformance):
    policy_class = pm.AutoTune


class TestEarliestFinish(PolicyConformance):
    policy_class = pm.EarliestFinish


class TestToken(PolicyConformance):
    def make_policy(self, resources: Any) -> Any:
        if resources is pm.deferred_initialization:
            return pm.Token(resources)
        return pm.Token(resources, tokens=100)


class TestWeightedRoundRobin(PolicyConformance):
    policy_class = pm.WeightedRoundRobin


class TestRandom(PolicyConformance):
    policy_class = pm.Random


class TestScoredPolicy(PolicyConformance):
    def make_policy(self, resources: Any) -> Any:
        return pm.ScoredPolicy(lambda stats, *args, **kwargs: stats.load, resources)


class TestCustomPolicy(PolicyConformance):
    class policy_class(pm.Policy):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return self.get_resources()[-1]


class TestPlainBackend(BackendConformance):
    backend_class = pm.Backend


class TestCustomPolicyOnACustomBackend(PolicyConformance):
    def make_policy(self, resources: Any) -> Any:
        if resources is pm.deferred_initialization:
            return pm.ScoredPolicy(lambda stats, *args, **kwargs: stats.load, resources)
        backend = pm.Backend(resources)
        return pm.ScoredPolicy(lambda stats, *args, **kwargs: stats.load, backend=backend)


class TestReportingBackend(BackendConformance):
    class backend_class(pm.Backend):
        def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            returned = work(selection.resource, *args, **kwargs)
            selection.report("task_time", 0.001)
            return returned


class TestLazyBackend(BackendConformance):
    class backend_class(pm.Backend):
        """Reports what has ended when the policy asks for it."""

        def __init__(self, resources: Any) -> None:
            super().__init__(resources)
            self.kept: list[Any] = []

        def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            returned = work(selection.resource, *args, **kwargs)
            if hasattr(returned, "done"):
                self.kept.append((selection, returned))
            return returned

        def lazy_report(self) -> None:
            kept, self.kept = self.kept, []
            for selection, returned in kept:
                if returned.done():
                    selection.report("task_completion")
                else:
                    self.kept.append((selection, returned))
