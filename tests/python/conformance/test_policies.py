# SPDX-License-Identifier: Apache-2.0
"""The conformance suite on every provided policy and on user-defined policies and backends."""

from __future__ import annotations

from typing import Any

import pytest

import pointsman as pm
from pointsman.testing.conformance import BackendConformance, PolicyConformance


class TestEveryPolicy(PolicyConformance):
    @pytest.fixture(autouse=True)
    def under(self, policy_class: Any) -> None:
        self.under_policy = policy_class

    def make_policy(self, resources: Any) -> Any:
        is_bounded = self.under_policy is pm.Token and resources is not pm.deferred_initialization
        return self.under_policy(resources, **({"tokens": 100} if is_bounded else {}))


class TestScoredPolicy(PolicyConformance):
    def make_policy(self, resources: Any) -> Any:
        return pm.ScoredPolicy(lambda stats, *args, **kwargs: stats.load, resources)


class TestCustomPolicy(PolicyConformance):
    class policy_class(pm.PolicyBase):
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
        """Reports completed work when the policy asks for it."""

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
