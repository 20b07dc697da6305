# SPDX-License-Identifier: Apache-2.0
# Why a submission went where it went, as a sentence and as data.
"""What ``submission.explain()`` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fairlead.representation import names_of


@dataclass(frozen=True)
class Candidate:
    """One resource of which a policy chose.

    score: what the policy compares, in the explanation's ``unit``; the least wins. None when it is
        not known, or the policy compares nothing.
    state: in words.
    """

    resource: Any
    is_chosen: bool
    score: float | None
    state: str


@dataclass(frozen=True)
class Explanation:
    """Why a policy chose a resource; ``str()`` of it is a sentence.

    Resources that look the same are told apart by their number in the policy's list.

    policy: name of the policy's class.
    reason: why this resource, in words.
    unit: of the candidates' scores, ``"submissions"`` or ``"seconds"``; None without scores.
    candidates: all resources of the policy, in their order.
    """

    policy: str
    resource: Any
    reason: str
    unit: str | None
    candidates: tuple[Candidate, ...]

    def __str__(self) -> str:
        names = names_of([c.resource for c in self.candidates])
        known = list(zip(names, self.candidates, strict=True))
        chosen = next((name for name, c in known if c.is_chosen), repr(self.resource))
        others = [f"{name}: {c.state}" for name, c in known if not c.is_chosen and c.state]
        rest = f" (others: {'; '.join(others)})" if others else ""
        return f"{self.policy} chose {chosen}: {self.reason}{rest}"


def explain(policy: Any, resource: Any, known: dict[str, Any] | None) -> Explanation:
    """Say why ``policy`` chose ``resource``, by what it tells of the choice."""
    name = type(policy).__name__
    if known is None:
        return Explanation(name, resource, "its own rule chose it", None, ())
    resources, index = known["resources"], known["index"]
    if index >= len(resources) or resources[index] is not resource:
        return Explanation(name, resource, "its resources were replaced since", None, ())
    if "loads" in known:
        return _by_load(name, resources, index, known["loads"])
    if "estimates" in known:
        return _by_time(name, resources, index, known["estimates"], known["measures"])
    candidates = tuple(Candidate(r, i == index, None, "") for i, r in enumerate(resources))
    reason = _RULES.get(name, "its rule chose it").format(number=index + 1, of=len(resources))
    return Explanation(name, resource, reason, None, candidates)


_RULES = {
    "FixedResource": "it always takes number {number} of {of}",
    "RoundRobin": "it was the turn of number {number} of {of}",
    "WeightedRoundRobin": "it was the turn of number {number} of {of}, by weight",
    "Random": "it was drawn, as each of {of} may be",
}


def _by_load(name: str, resources: list[Any], index: int, loads: list[int]) -> Explanation:
    def state(load: int | None) -> str:
        return "not looked at" if load is None else f"{load} outstanding" if load else "idle"

    known: list[int | None] = [*loads, *[None] * (len(resources) - len(loads))]
    candidates = tuple(
        Candidate(r, i == index, load, state(load))
        for i, (r, load) in enumerate(zip(resources, known, strict=False))
    )
    reason = f"it had the fewest outstanding submissions ({candidates[index].state})"
    return Explanation(name, resources[index], reason, "submissions", candidates)


def _by_time(
    name: str, resources: list[Any], index: int, estimates: list[float | None], measures: bool
) -> Explanation:
    def state(seconds: float | None) -> str:
        return "not measured yet" if seconds is None else f"about {seconds:.3g} s"

    candidates = tuple(
        Candidate(r, i == index, seconds, state(seconds))
        for i, (r, seconds) in enumerate(zip(resources, estimates, strict=False))
    )
    rule = "fastest for this kind of task"
    if name == "EarliestFinish":
        rule = "the one where this and what was outstanding was expected to end first"
    reason = f"it is {rule}, {candidates[index].state}"
    if None in estimates:
        reason = "it was measured on this kind of task, as not all resources are known yet"
    elif measures and estimates[index] != min(t for t in estimates if t is not None):
        reason = f"it was measured again on this kind of task, {candidates[index].state}"
    return Explanation(name, resources[index], reason, "seconds", candidates)
