# SPDX-License-Identifier: Apache-2.0
# The policy that chooses among execution policies by measurement.
"""``pm.auto`` and auto policies with user-defined candidates."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from pointsman._core import AutoTune, Submission
from pointsman._explanation import Explanation
from pointsman._selection import get_resources
from pointsman._task import task
from pointsman.error import BuildError, EmptyResourceSetError, InvalidOptionError
from pointsman.execution._policies import (
    Call,
    DevicePolicy,
    ExecutionPolicy,
    HostPolicy,
    par,
    par_unseq,
    seq,
    unseq,
)
from pointsman.opencl import default_queues

MOST_CANDIDATES = 32


class AutoPolicy(ExecutionPolicy):
    """Runs each call of an algorithm under the fastest of its candidates, by measurement.

    candidates: execution policies; by default those of the host and one for each OpenCL device,
        discovered when a call could first run there.

    Calls are of the same kind if these are equal: the algorithm, its expression, the types of its
    values and the power of two of their bytes. Times are from begin to end, transfers included. A
    call that a device's compiler refuses runs on the host. Raises EmptyResourceSetError and, for
    more than 32 candidates, InvalidOptionError.
    """

    def __init__(self, candidates: Sequence[ExecutionPolicy] | None = None) -> None:
        given = None if candidates is None else list(candidates)
        if given is not None and not given:
            raise EmptyResourceSetError("an auto policy was given no candidates: pass at least one")
        if given is not None and len(given) > MOST_CANDIDATES:
            raise InvalidOptionError(
                f"an auto policy was given {len(given)} candidates: pass {MOST_CANDIDATES} at most"
            )
        for each in given or []:
            if not isinstance(each, (HostPolicy, DevicePolicy)):
                raise TypeError(f"{each!r} is no candidate: pass pm.seq, pm.par, a device policy")
        self._candidates = given
        self._teams: dict[tuple[bool, bool], AutoTune] = {}
        self._lock = threading.Lock()
        self._last = threading.local()

    def __repr__(self) -> str:
        return "pm.auto" if self._candidates is None else f"AutoPolicy({self._candidates!r})"

    def run(self, call: Call) -> Any:
        """Run ``call`` under the best candidate; TypeError if none can run it."""
        team = self._team(call)
        try:
            self._last.submission = team.submit(_under_policy, call)
            return self._last.submission.result()
        except BuildError:
            hosts = [each for each in get_resources(team) if isinstance(each, HostPolicy)]
            if not hosts:
                raise
        return hosts[0].run(call)

    def explain(self) -> Explanation | None:
        """Why the calling thread's last algorithm under this policy ran where it did; None before
        the first."""
        last: Submission | None = getattr(self._last, "submission", None)
        return None if last is None else last.explain()

    def _team(self, call: Call) -> AutoTune:
        reach = call.on_host is not None, call.on_device is not None
        team = self._teams.get(reach)
        if team is None:
            with self._lock:
                team = self._teams.setdefault(reach, self._make_team(call, *reach))
        return team

    def _make_team(self, call: Call, on_host: bool, on_device: bool) -> AutoTune:
        candidates = self._candidates
        if candidates is None:
            found = default_queues() if on_device else []
            candidates = [seq, unseq, par, par_unseq, *map(DevicePolicy, found)][:MOST_CANDIDATES]
        team = [
            each for each in candidates if (on_host if isinstance(each, HostPolicy) else on_device)
        ]
        if not team:
            reason = f" ({call.obstacle})" if call.obstacle else ""
            raise TypeError(f"{self!r} has no candidate that can run this{reason}")
        return AutoTune(team)


def _call_under(policy: ExecutionPolicy, call: Call) -> Any:
    return policy.run(call)


_under_policy = task(_call_under, key=lambda call: call.task_key)

auto = AutoPolicy()
