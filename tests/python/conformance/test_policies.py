# SPDX-License-Identifier: Apache-2.0
"""The conformance suite on every provided policy, on policies and on backends of a user's own."""

from __future__ import annotations

from typing import Any

import fairlead as fl
from fairlead.testing.conformance import BackendConformance, PolicyConformance


class TestFixedResource(PolicyConformance):
    policy_class = fl.FixedResource


class TestRoundRobin(PolicyConformance):
    policy_class = fl.RoundRobin


class TestDynamicLoad(PolicyConformance):
    policy_class = fl.DynamicLoad


class TestAutoTune(PolicyConformance):
    policy_class = fl.AutoTune


class TestEarliestFinish(PolicyConformance):
    policy_class = fl.EarliestFinish


class TestToken(PolicyConformance):
    def make_policy(self, resources: Any) -> Any:
        if resources is fl.deferred_initialization:
            return fl.Token(resources)
        return fl.Token(resources, tokens=100)


class TestWeightedRoundRobin(PolicyConformance):
    policy_class = fl.WeightedRoundRobin


class TestRandom(PolicyConformance):
    policy_class = fl.Random


class TestScoredPolicy(PolicyConformance):
    def make_policy(self, resources: Any) -> Any:
        return fl.ScoredPolicy(lambda stats, *args, **kwargs: stats.load, resources)


class TestCustomPolicy(PolicyConformance):
    class policy_class(fl.Policy):
        def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return self.get_resources()[-1]


class TestPlainBackend(BackendConformance):
    backend_class = fl.Backend


class TestCustomPolicyOnACustomBackend(PolicyConformance):
    def make_policy(self, resources: Any) -> Any:
        if resources is fl.deferred_initialization:
            return fl.ScoredPolicy(lambda stats, *args, **kwargs: stats.load, resources)
        backend = fl.Backend(resources)
        return fl.ScoredPolicy(lambda stats, *args, **kwargs: stats.load, backend=backend)


class TestReportingBackend(BackendConformance):
    class backend_class(fl.Backend):
        def submit(self, selection: fl.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            returned = work(selection.resource, *args, **kwargs)
            selection.report("task_time", 0.001)
            return returned


class TestLazyBackend(BackendConformance):
    class backend_class(fl.Backend):
        """Reports what has ended when the policy asks for it."""

        def __init__(self, resources: Any) -> None:
            super().__init__(resources)
            self.kept: list[Any] = []

        def submit(self, selection: fl.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
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
