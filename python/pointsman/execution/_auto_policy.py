# SPDX-License-Identifier: Apache-2.0
# Calls that only the host or only a device can run choose from their own set of candidates.
"""``pm.auto``, which measures execution policies, and its class for user-defined candidates."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from pointsman._core import AutoTune, Submission
from pointsman._explanation import Explanation
from pointsman._html import html_table
from pointsman._representation import text_of
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

    candidates: execution policies; by default the four of the host and one for each OpenCL device.
        The devices are discovered at the first call that could run on one.

    Calls are of the same kind if these are equal: the algorithm, its expression, the types of its
    values and the power of two of their bytes. Measured times include transfers. A call that a
    device's compiler rejects runs under the first host policy among the candidates. May be used
    from several threads at once.

    Raises EmptyResourceSetError (a ValueError) for no candidates, InvalidOptionError (a ValueError)
    for more than 32, TypeError for objects other than host and device policies.

    >>> policy = pm.AutoPolicy([pm.seq, pm.par])
    >>> pm.transform(policy, "2*x + 1", np.arange(4))
    array([1, 3, 5, 7])
    >>> print(policy.explain())
    AutoPolicy chose pm.seq: ...
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
                raise TypeError(
                    f"{each!r} is no candidate: pass a host policy, such as pm.par, or a device "
                    "policy"
                )
        self._candidates = given
        self._tuners: dict[tuple[bool, bool, int | None], AutoTune] = {}
        self._lock = threading.Lock()
        self._last = threading.local()

    def __repr__(self) -> str:
        return "pm.auto" if self._candidates is None else f"AutoPolicy({self._candidates!r})"

    def _repr_html_(self) -> str:
        tuners = list(self._tuners.values())
        if tuners:
            return "".join(each._repr_html_() for each in tuners)
        names = (
            [*map(repr, (seq, unseq, par, par_unseq)), "a device policy for each OpenCL device"]
            if self._candidates is None
            else map(text_of, self._candidates)
        )
        return html_table(f"{self!r}, not used yet", ["candidate"], ([name] for name in names))

    def run(self, call: Call) -> Any:
        """Run ``call`` under the best candidate; TypeError if none can run it."""
        tuner = self._tuner_for(call)
        try:
            self._last.submission = tuner.submit(_under_policy, call)
            return self._last.submission.result()
        except BuildError:
            hosts = [each for each in get_resources(tuner) if isinstance(each, HostPolicy)]
            if not hosts:
                raise
        return hosts[0].run(call)

    def explain(self) -> Explanation | None:
        """Return why the last algorithm that this thread ran under this policy ran where it did;
        None before the first."""
        last: Submission | None = getattr(self._last, "submission", None)
        return None if last is None else replace(last.explain(), policy=type(self).__name__)

    def _tuner_for(self, call: Call) -> AutoTune:
        reach = call.on_host is not None, call.on_device is not None, call.context
        tuner = self._tuners.get(reach)
        if tuner is None:
            with self._lock:
                tuner = self._tuners.setdefault(reach, self._make_tuner(call))
        return tuner

    def _make_tuner(self, call: Call) -> AutoTune:
        candidates = self._candidates
        if candidates is None:
            found = default_queues() if call.on_device is not None else []
            candidates = [seq, unseq, par, par_unseq, *map(DevicePolicy, found)][:MOST_CANDIDATES]
        able = [each for each in candidates if call.suits(each)]
        if not able:
            has_device = any(isinstance(each, DevicePolicy) for each in candidates)
            elsewhere = has_device and call.on_device is not None and call.context is not None
            obstacle = "the buffer is in a context of other devices" if elsewhere else call.obstacle
            reason = f" ({obstacle})" if obstacle else ""
            raise TypeError(f"{self!r} has no candidate that can run this{reason}")
        return AutoTune(able)


def _call_under(policy: ExecutionPolicy, call: Call) -> Any:
    return policy.run(call)


_under_policy = task(_call_under, key=lambda call: call.task_key, name="algorithm")

auto: Final = AutoPolicy()
