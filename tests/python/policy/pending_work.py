# SPDX-License-Identifier: Apache-2.0
"""Work that stays outstanding, and policies that have no free resource for a while."""

from __future__ import annotations

from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

import pointsman as pm
from pointsman import _recovery, _repeated_work


class Pending:
    """Work whose submissions stay outstanding until the test completes their futures."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def __call__(self, resource: Any, value: Any = None) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        self.futures.append(future)
        return future


class Busy(pm.PolicyBase):
    """Finds no resource as often as it is told."""

    def __init__(self, resources: list[Any], refusals: int) -> None:
        self.refusals = refusals
        super().__init__(resources)

    def try_select(self, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        if self.refusals == 0:
            return self.get_resources()[0]
        self.refusals -= 1
        return None


class Waiting:
    """Stands for the policy of a view: each search takes a second of ``now``, and is noted."""

    def __init__(self, view: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.timeouts: list[float | None] = []
        self._policy = view._policy.policy
        view._policy.policy = self
        clock = SimpleNamespace(monotonic=lambda: self.now)
        for module in (_recovery, _repeated_work):
            monkeypatch.setattr(module, "time", clock)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._policy, name)

    def _submit_excluding(self, excluded: Any, timeout: float | None, *task: Any) -> Any:
        self.timeouts.append(timeout)
        self.now += 1.0
        return self._policy._submit_excluding(excluded, timeout, *task)
