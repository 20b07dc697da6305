# SPDX-License-Identifier: Apache-2.0
"""Work that stays outstanding, and a policy that has no free resource for a while."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pointsman as pm


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
